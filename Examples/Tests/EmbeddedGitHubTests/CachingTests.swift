import Foundation
import Testing

@testable import EmbeddedGitHub

extension OverSockets {
    @Suite("What has not changed is not sent again")
    struct CachingTests {
        private let server: EmbeddedGitHub

        init() throws {
            server = try EmbeddedGitHub()
        }

        private static let star = "/user/starred/lanternworks/wick"
        private static let repository = "/repos/lanternworks/wick"

        @Test(
            "at any endpoint",
            arguments: [
                "/users/mira-sato", "/orgs/lanternworks", "/orgs/lanternworks/repos?page=2", "/search/users?q=a",
                "/repos/lanternworks/harbor", "/repos/lanternworks/harbor/languages",
                "/repos/lanternworks/harbor/contributors", "/user", "/user/repos", "/user/starred", "/rate_limit",
            ])
        func everyEndpoint(target: String) throws {
            let authorised = EmbeddedGitHub.authorised
            let first = try server.fetch("GET", target, authorised)
            #expect(first.status == 200)
            #expect(first.headers["content-type"] == "application/json; charset=utf-8")
            #expect(first.headers["cache-control"] == "private, max-age=60")
            let tag = try #require(first.headers["etag"])
            let second = try server.fetch("GET", target, authorised.merging(["If-None-Match": tag]) { $1 })
            #expect(second.status == 304)
            #expect(second.body.isEmpty)
            #expect(second.headers["etag"] == tag)
            #expect(second.headers["content-length"] == nil)
        }

        @Test("and a sentence says for how long, as a cache on the way sends it")
        func sentence() throws {
            let first = try server.fetch("GET", "/zen")
            #expect(first.headers["content-type"] == "text/plain; charset=utf-8")
            #expect(first.headers["cache-control"] == "max-age=30, stale-while-revalidate=60, stale-if-error=600")
            #expect(first.headers["age"] == "5")
        }

        @Test("and another sentence follows after half a minute")
        func nextSentence() throws {
            let now = Guarded(Date(timeIntervalSince1970: 1_770_000_000))
            let server = try EmbeddedGitHub(now: { now.withLock { $0 } })
            let tag = try #require(server.fetch("GET", "/zen").headers["etag"])
            let asked = ["If-None-Match": tag]
            now.withLock { $0 += 29 }
            #expect(try server.fetch("GET", "/zen", asked).status == 304)
            now.withLock { $0 += 1 }
            #expect(try server.fetch("GET", "/zen", asked).status == 200)
        }

        @Test("since a date, where there is one", arguments: ["/users/mira-sato", "/repos/lanternworks/harbor"])
        func since(target: String) throws {
            let date = try #require(server.fetch("GET", target).headers["last-modified"])
            #expect(try server.fetch("GET", target, ["If-Modified-Since": date]).status == 304)
            let earlier = "Sun, 06 Nov 1994 08:49:37 GMT"
            #expect(try server.fetch("GET", target, ["If-Modified-Since": earlier]).status == 200)
        }

        @Test("and a HEAD has the headers of a GET without its content")
        func head() throws {
            let client = try server.client()
            client.request("HEAD", Self.repository)
            let head = try #require(client.reply(to: "HEAD"))
            client.request("GET", Self.repository)
            let get = try #require(client.reply())
            #expect(head.status == 200)
            for name in ["etag", "last-modified", "content-length", "content-type"] {
                #expect(head.headers[name] == get.headers[name])
            }
            #expect(Int(get.headers["content-length"] ?? "") == get.body.count)
        }

        @Test("but a star changes count, tag and date, and its end changes them again")
        func stars() throws {
            let authorised = EmbeddedGitHub.authorised
            let before = try server.fetch("GET", Self.repository)
            #expect(try server.fetch("GET", Self.star, authorised).status == 404)
            #expect(try server.fetch("PUT", Self.star, authorised).status == 204)
            #expect(try server.fetch("GET", Self.star, authorised).status == 204)
            let tag = try #require(before.headers["etag"]), date = try #require(before.headers["last-modified"])
            let during = try server.fetch("GET", Self.repository, ["If-None-Match": tag])
            #expect(during.status == 200)
            #expect(try server.fetch("GET", Self.repository, ["If-Modified-Since": date]).status == 200)
            #expect(count(during) == count(before) + 1)
            let mine = try server.fetch("GET", "/user/starred", authorised).list
            #expect(mine.first?["full_name"] as? String == "lanternworks/wick")
            #expect(try server.fetch("DELETE", Self.star, authorised).status == 204)
            #expect(try server.fetch("GET", Self.star, authorised).status == 404)
            let after = try server.fetch("GET", Self.repository)
            #expect(count(after) == count(before))
            #expect(after.headers["etag"] != during.headers["etag"])
            #expect(after.headers["last-modified"] != during.headers["last-modified"])
        }

        @Test("and starring twice counts once")
        func twice() throws {
            let before = count(try server.fetch("GET", Self.repository))
            for _ in 0..<2 { _ = try server.fetch("PUT", Self.star, EmbeddedGitHub.authorised) }
            #expect(count(try server.fetch("GET", Self.repository)) == before + 1)
        }

        @Test("and nothing can be starred that does not exist", arguments: ["GET", "PUT", "DELETE"])
        func nothing(method: String) throws {
            let reply = try server.fetch(method, "/user/starred/lanternworks/nothing", EmbeddedGitHub.authorised)
            #expect(reply.status == 404)
        }

        private func count(_ reply: Reply) -> Int {
            reply.object["stargazers_count"] as? Int ?? -1
        }
    }
}
