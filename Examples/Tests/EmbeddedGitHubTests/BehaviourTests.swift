import Dispatch
import Foundation
import Testing

@testable import EmbeddedGitHub

extension OverSockets {
    @Suite("A behaviour makes the server slow, broken, or both")
    struct BehaviourTests {
        private static let target = "/orgs/lanternworks/repos?per_page=100"

        @Test("an answer waits as long as it is told to, and only that one")
        func latency() throws {
            let gate = Gate()
            let server = try EmbeddedGitHub(behaviour: .init(latency: 2.5), limits: Limits(), pause: gate.hold)
            let slow = try server.client()
            slow.request("GET", "/users/li-wenqing")
            #expect(gate.nextWait() == 2.5)
            #expect(server.served.isEmpty)
            server.behaviour = .init()
            #expect(try server.fetch("GET", "/users/mira-sato").status == 200)
            gate.open()
            #expect(slow.reply()?.status == 200)
            #expect(server.served.map(\.target) == ["/users/mira-sato", "/users/li-wenqing"])
        }

        @Test("a slow line brings the content in pieces, after the head")
        func pace() throws {
            let gate = Gate()
            let server = try EmbeddedGitHub(behaviour: .init(bytesPerSecond: 5000), limits: Limits(), pause: gate.hold)
            let client = try server.client()
            client.request("GET", "/users/mira-sato")
            #expect(gate.nextWait() == 0.1)
            client.waitForBytes()
            gate.open()
            #expect(gate.nextWait() < 0.1)
            gate.open()
            #expect(client.reply()?.object["login"] as? String == "mira-sato")
        }

        @Test("a client that leaves while it waits is given up")
        func leaving() throws {
            let gate = Gate()
            let server = try EmbeddedGitHub(behaviour: .init(latency: .infinity), limits: Limits(), pause: gate.watch)
            try server.client().request("GET", "/users/mira-sato")
            #expect(gate.nextWait() == .infinity)
            #expect(gate.nextEnding() == .abandoned)
            #expect(server.served.isEmpty)
        }

        @Test("a real wait passes by itself")
        func realWait() throws {
            let server = try EmbeddedGitHub(behaviour: .init(latency: 0.01, bytesPerSecond: 1_000_000))
            #expect(try server.fetch("GET", Self.target).list.count == 100)
        }

        @Test(
            "a fault shows in the status and the message",
            arguments: [
                (EmbeddedGitHub.Behaviour.Fault.serverError, 500, "Server Error"),
                (.rateLimited, 403, "API rate limit exceeded"),
            ])
        func statuses(fault: EmbeddedGitHub.Behaviour.Fault, status: Int, message: String) throws {
            let server = try EmbeddedGitHub(behaviour: .init(fault: fault))
            let reply = try server.fetch("GET", "/users/mira-sato")
            #expect(reply.status == status)
            #expect(reply.message?.hasPrefix(message) == true)
            let reset = try #require(reply.headers["x-ratelimit-reset"].flatMap(Double.init))
            #expect(reset > Date().timeIntervalSince1970)
            #expect((reply.headers["x-ratelimit-remaining"] == "0") == (fault == .rateLimited))
            server.behaviour.fault = nil
            #expect(try server.fetch("GET", "/users/mira-sato").status == 200)
        }

        @Test("the rate limit can be renewed soon")
        func quotaReset() throws {
            let server = try EmbeddedGitHub(behaviour: .init(fault: .rateLimited, quotaReset: 45))
            let time = Int(Date().timeIntervalSince1970)
            let reply = try server.fetch("GET", "/users/mira-sato")
            let reset = try #require(reply.headers["x-ratelimit-reset"].flatMap { Int($0) })
            #expect((time + 45...time + 75).contains(reset))
        }

        @Test("the rate limit can still be asked for when it is exhausted")
        func rateLimit() throws {
            let server = try EmbeddedGitHub(behaviour: .init(fault: .rateLimited))
            let rate = try server.fetch("GET", "/rate_limit").object["rate"] as? [String: Int]
            #expect(rate?["remaining"] == 0)
        }

        @Test(
            "garbage has no head, and no answer has no byte",
            arguments: [
                EmbeddedGitHub.Behaviour.Fault.garbage, .noAnswer,
            ])
        func nonsense(fault: EmbeddedGitHub.Behaviour.Fault) throws {
            let server = try EmbeddedGitHub(behaviour: .init(fault: fault))
            let client = try server.client()
            client.request("GET", "/users/mira-sato")
            let bytes = client.rest()
            #expect(bytes.isEmpty == (fault == .noAnswer))
            #expect(!bytes.starts(with: "HTTP".utf8))
            #expect(server.served.map(\.status) == [nil])
        }

        @Test("a cut content is shorter than its length says, even if the client has it already")
        func cut() throws {
            let server = try EmbeddedGitHub(behaviour: .init(fault: .cutBody))
            let client = try server.client()
            client.request("GET", Self.target, ["If-None-Match": "*"])
            let text = String(decoding: client.rest(), as: UTF8.self)
            let parts = text.components(separatedBy: "\r\n\r\n")
            let length = try #require(parts[0].firstMatch(of: /Content-Length: (\d+)/).flatMap { Int($0.1) })
            #expect(parts.count == 2)
            #expect(parts[1].utf8.count > 0)
            #expect(parts[1].utf8.count < length)
        }

        @Test("broken JSON looks right until it is parsed, and cannot be revalidated")
        func brokenJSON() throws {
            let server = try EmbeddedGitHub(behaviour: .init(fault: .brokenJSON))
            let reply = try server.fetch("GET", "/users/mira-sato", ["If-None-Match": "*"])
            #expect(reply.status == 200)
            #expect(reply.headers["content-type"] == "application/json; charset=utf-8")
            #expect(reply.headers["etag"] == nil)
            #expect(!reply.body.isEmpty)
            #expect(reply.object.isEmpty)
        }
    }
}
