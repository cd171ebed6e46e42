import Foundation
import Testing

@testable import EmbeddedGitHub

extension OverSockets {
    @Suite("A connection survives what clients do")
    struct ConnectionTests {
        @Test("requests that come in single bytes")
        func singleBytes() throws {
            let server = try EmbeddedGitHub()
            let client = try server.client()
            for byte in "GET /users/mira-sato HTTP/1.1\r\nHost: a\r\n\r\n".utf8 { client.send([byte]) }
            #expect(client.reply()?.status == 200)
        }

        @Test("many requests in one packet, answered in their order")
        func pipelining() throws {
            let server = try EmbeddedGitHub(behaviour: .init(latency: 0.001))
            let client = try server.client()
            let logins = ["mira-sato", "li-wenqing", "hana-byeol", "nobody", "old-rope"]
            client.send(logins.map { "GET /users/\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
            let answers = logins.map { _ in client.reply()?.object["login"] as? String }
            #expect(answers == ["mira-sato", "li-wenqing", "hana-byeol", nil, "old-rope"])
        }

        @Test("a wish to close, and HTTP/1.0", arguments: ["HTTP/1.1\r\nHost: a\r\nConnection: close", "HTTP/1.0"])
        func closing(version: String) throws {
            let server = try EmbeddedGitHub()
            let client = try server.client()
            client.send("GET /users/mira-sato \(version)\r\n\r\n")
            #expect(client.reply()?.headers["connection"] == "close")
            #expect(client.rest().isEmpty)
        }

        @Test(
            "content that is read and ignored",
            arguments: ["Content-Length: 5\r\n\r\nhello", "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"])
        func content(framing: String) throws {
            let server = try EmbeddedGitHub()
            let client = try server.client()
            let token = EmbeddedGitHub.token
            client.send(
                "PUT /user/starred/lanternworks/wick HTTP/1.1\r\nHost: a\r\nAuthorization: token \(token)\r\n\(framing)"
            )
            #expect(client.reply()?.status == 204)
            client.request("GET", "/users/mira-sato")
            #expect(client.reply()?.status == 200)
        }

        @Test("a client that waits for 100 Continue")
        func expectation() throws {
            let server = try EmbeddedGitHub()
            let client = try server.client()
            client.request("GET", "/users/mira-sato", ["Content-Length": "2", "Expect": "100-continue"])
            #expect(client.reply()?.status == 100)
            client.send("{}")
            #expect(client.reply()?.status == 200)
        }

        @Test(
            "garbage, answered once and closed",
            arguments: [
                ("\u{16}\u{3}\u{1}", 400), ("SSH-2.0-client\r\n\r\n", 400),
                ("GET / HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\n", 400),
                ("GET /" + String(repeating: "a", count: 100_000), 414),
                ("GET / HTTP/1.1\r\n" + String(repeating: "A: b\r\n", count: 20_000), 431),
                (
                    "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 70000\r\n\r\n"
                        + String(repeating: "a", count: 70_000), 413
                ),
            ])
        func garbage(text: String, status: Int) throws {
            let server = try EmbeddedGitHub()
            let client = try server.client()
            client.send(text)
            #expect(client.reply()?.status == status)
            #expect(client.rest().isEmpty)
            #expect(server.served.map(\.status) == [status])
        }

        @Test("clients that vanish in the middle of everything")
        func vanishing() throws {
            let server = try EmbeddedGitHub()
            for text in ["", "GET /us", "GET /orgs/lanternworks/repos?per_page=100 HTTP/1.1\r\nHost: a\r\n\r\n"] {
                for _ in 0..<10 {
                    let client = try server.client()
                    client.resetWhenClosed()
                    client.send(String(repeating: text, count: 5))
                }
            }
            #expect(try server.fetch("GET", "/users/mira-sato").status == 200)
        }

        @Test("a client that says nothing, which is closed after a while")
        func idle() throws {
            var limits = Limits()
            limits.idle = 0.02
            let server = try EmbeddedGitHub(limits: limits)
            #expect(try server.client().rest().isEmpty)
        }

        @Test("a client that takes nothing, which is closed after a while and makes room for others")
        func stalled() throws {
            var limits = Limits()
            (limits.stalled, limits.connections) = (0.02, 1)
            let server = try EmbeddedGitHub(limits: limits)
            let greedy = try server.client()
            for _ in 0..<200 { greedy.request("GET", "/orgs/lanternworks/repos?per_page=100") }
            while try !isServed(server) {}
            #expect(server.served.count < 200)
        }

        private func isServed(_ server: EmbeddedGitHub) throws -> Bool {
            let client = try server.client()
            client.request("GET", "/users/mira-sato")
            return client.reply() != nil
        }

        @Test("more clients than are allowed, of whom the last is turned away")
        func tooMany() throws {
            var limits = Limits()
            limits.connections = 2
            let server = try EmbeddedGitHub(limits: limits)
            let clients = try (0..<2).map { _ in try server.client() }
            for client in clients {
                client.request("GET", "/users/mira-sato")
                #expect(client.reply()?.status == 200)
            }
            #expect(try server.client().rest().isEmpty)
            clients[0].request("GET", "/users/mira-sato")
            #expect(clients[0].reply()?.status == 200)
        }

        @Test("and two hundred at once, with several requests each")
        func crowd() throws {
            let server = try EmbeddedGitHub()
            let clients = try (0..<200).map { _ in try server.client() }
            for round in 0..<3 {
                for client in clients { client.request("GET", "/repos/lanternworks/harbor?round=\(round)") }
                for client in clients { #expect(client.reply()?.object["name"] as? String == "harbor") }
            }
            #expect(server.served.count == 500)
        }
    }
}
