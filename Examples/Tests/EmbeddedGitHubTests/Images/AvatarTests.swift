import EmbeddedGitHub
import Foundation
import Testing

extension OverSockets {
    @Suite("The avatars of accounts")
    struct AvatarTests {
        private let server: EmbeddedGitHub

        init() throws {
            server = try EmbeddedGitHub()
        }

        private func size(_ target: String) throws -> Int {
            let reply = try server.fetch("GET", target)
            #expect(reply.status == 200)
            #expect(reply.headers["content-type"] == "image/png")
            return try PNGReader(Array(reply.body)).width
        }

        @Test("are where the accounts say that they are")
        func addresses() throws {
            let account = try server.fetch("GET", "/users/mira-sato").object
            let address = try #require(account["avatar_url"] as? String)
            #expect(address == server.baseURL.absoluteString + "avatars/mira-sato?v=4")
            #expect(try size("/avatars/mira-sato?v=4") == 256)
            let repository = try server.fetch("GET", "/repos/lanternworks/harbor").object
            let owner = try #require(repository["owner"] as? [String: Any])
            #expect(owner["avatar_url"] as? String == server.baseURL.absoluteString + "avatars/lanternworks?v=4")
        }

        @Test(
            "have the size that is asked for, as far as it exists",
            arguments: [("1", 1), ("64", 64), ("512", 512), ("513", 512), ("0", 1), ("-3", 1), ("x", 256), ("", 256)])
        func sizes(text: String, width: Int) throws {
            #expect(try size("/avatars/mira-sato?v=4&s=\(text)") == width)
        }

        @Test("can be revalidated, and kept by any cache")
        func caching() throws {
            let first = try server.fetch("GET", "/avatars/mira-sato?s=32")
            #expect(first.headers["cache-control"] == "public, max-age=300")
            let tag = try #require(first.headers["etag"])
            let second = try server.fetch("GET", "/avatars/Mira-Sato?s=32", ["If-None-Match": tag])
            #expect(second.status == 304)
            #expect(second.body.isEmpty)
            #expect(try server.fetch("GET", "/avatars/mira-sato?s=33", ["If-None-Match": tag]).status == 200)
            #expect(try server.fetch("GET", "/avatars/old-rope?s=32", ["If-None-Match": tag]).status == 200)
        }

        @Test("do not exist for unknown accounts")
        func unknown() throws {
            #expect(try server.fetch("GET", "/avatars/nobody").status == 404)
            #expect(try server.fetch("POST", "/avatars/mira-sato").status == 405)
        }

        @Test("need no token, and do not count for the rate limit")
        func rateLimit() throws {
            #expect(try server.fetch("GET", "/avatars/mira-sato", ["Authorization": "token wrong"]).status == 200)
            server.behaviour.fault = .rateLimited
            #expect(try server.fetch("GET", "/avatars/mira-sato").status == 200)
            server.behaviour.fault = .serverError
            #expect(try server.fetch("GET", "/avatars/mira-sato").status == 500)
            server.behaviour.fault = nil
            #expect(try server.fetch("GET", "/users/mira-sato").headers["x-ratelimit-remaining"] == "59")
        }

        @Test("can be missing or broken, each by itself")
        func faults() throws {
            server.behaviour.avatarFaults = ["old-rope": .missing, "tui-kahurangi": .garbage]
            #expect(try server.fetch("GET", "/avatars/old-rope").status == 404)
            let broken = try server.fetch("GET", "/avatars/tui-kahurangi")
            #expect(broken.status == 200)
            #expect(broken.headers["content-type"] == "image/png")
            #expect(throws: PNGReader.Malformed.self) { try PNGReader(Array(broken.body)) }
            #expect(try size("/avatars/mira-sato?s=8") == 8)
            server.behaviour.avatarFaults = [:]
            #expect(try size("/avatars/old-rope?s=8") == 8)
        }
    }
}
