import EmbeddedGitHub
import Foundation
import Testing

extension OverSockets {
    @Suite("Following the links shows everything once")
    struct PagingTests {
        private let server: EmbeddedGitHub

        init() throws {
            server = try EmbeddedGitHub()
        }

        @Test(
            "forwards, in every order and size",
            arguments: [
                "", "?per_page=100", "?per_page=7&sort=updated", "?sort=pushed&direction=asc", "?sort=full_name",
            ])
        func forwards(query: String) throws {
            let names = try walk("/orgs/lanternworks/repos" + query, "next")
            #expect(names.count == 139)
            #expect(Set(names).count == 139)
        }

        @Test("and backwards from the last page")
        func backwards() throws {
            let first = try server.fetch("GET", "/users/lanternworks/repos")
            let last = try #require(first.link("last", of: server.baseURL))
            #expect(Set(try walk(last, "prev")).count == 139)
        }

        @Test("while a page behind the end is empty and leads back")
        func behindTheEnd() throws {
            let reply = try server.fetch("GET", "/orgs/lanternworks/repos?page=99")
            #expect(reply.status == 200)
            #expect(reply.body == Data("[]".utf8))
            #expect(reply.link("prev", of: server.baseURL) == "/orgs/lanternworks/repos?page=5")
        }

        @Test("and an owner without repositories has one empty page")
        func empty() throws {
            let reply = try server.fetch("GET", "/users/lost-semicolon/repos")
            #expect(reply.body == Data("[]".utf8))
            #expect(reply.headers["link"] == nil)
        }

        private func walk(_ start: String, _ relation: String) throws -> [String] {
            let client = try server.client()
            var names: [String] = []
            var target: String? = start
            while let current = target {
                client.request("GET", current)
                let reply = try #require(client.reply())
                names += reply.list.compactMap { $0["full_name"] as? String }
                target = reply.link(relation, of: server.baseURL)
            }
            return names
        }
    }
}
