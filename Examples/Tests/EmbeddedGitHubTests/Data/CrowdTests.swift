import EmbeddedGitHub
import Foundation
import Testing

extension OverSockets {
    @Suite("The crowd")
    struct CrowdTests {
        @Test("is found by a search with thousands of results, in pages, each account once")
        func search() throws {
            let server = try EmbeddedGitHub()
            let client = try server.client()
            var target: String? = "/search/users?q=guest&per_page=100"
            var logins: [String] = []
            while let current = target {
                client.request("GET", current, EmbeddedGitHub.authorised)
                let reply = try #require(client.reply())
                #expect(reply.object["total_count"] as? Int == 2_400)
                logins += (reply.object["items"] as? [[String: Any]] ?? []).compactMap { $0["login"] as? String }
                target = reply.link("next", of: server.baseURL)
            }
            #expect(logins.count == 2_400)
            #expect(Set(logins).count == 2_400)
            #expect(logins.first == "guest-0001")
            #expect(logins.last == "guest-2400")
        }

        @Test("consists of accounts that own nothing")
        func account() throws {
            let server = try EmbeddedGitHub()
            let guest = try server.fetch("GET", "/users/guest-0042").object
            #expect(guest["name"] as? String == "Guest 42")
            #expect(guest["public_repos"] as? Int == 0)
            #expect(try server.fetch("GET", "/users/guest-0042/repos").body == Data("[]".utf8))
        }
    }
}
