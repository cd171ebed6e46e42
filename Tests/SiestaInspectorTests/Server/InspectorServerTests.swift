import Foundation
import Isolation
import LoopbackServer
import TestKit
import Testing

@testable import SiestaInspector

@Suite(.timeLimit(.test))
struct InspectorServerTests {
    /// Answers every accepted request with its route.
    private func server(_ limits: ServerLimits = ServerLimits()) throws -> InspectorServer {
        var limits = limits
        limits.heartbeat = 1000  // On a busy machine, the comment of a heartbeat would come between two events.
        return try InspectorServer(port: 0, limits: limits) { route, request in
            HTTPReply("text/plain", Array("\(route) \(request.body.count)".utf8))
        }
    }

    /// Limits under which a test need not wait for long.
    private var impatient: ServerLimits {
        var limits = ServerLimits()
        (limits.patience, limits.linger) = (0.2, 0.1)
        return limits
    }

    @Test func `a request with the token is answered`() async throws {
        let server = try server()
        let reply = try await RawClient.get(port: server.admission.port, "/\(server.admission.token)/state")
        #expect(reply.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(reply.hasSuffix("\r\n\r\ndata(\"state\") 0"))
        #expect(reply.contains("Cache-Control: no-store\r\n"))
        #expect(reply.contains("X-Frame-Options: DENY\r\n"))
    }

    @Test(arguments: ["/", "/wrong/", "/wrong/state", "//state", "/%2e%2e/"])
    func `a request without the token learns nothing`(path: String) async throws {
        let server = try server()
        let reply = try await RawClient.get(port: server.admission.port, path)
        #expect(reply.hasPrefix("HTTP/1.1 404 Not Found\r\n"))
        #expect(reply.hasSuffix("\r\n\r\n"))
    }

    @Test(arguments: ["Host: attacker.test", "Host: 127.0.0.1", "Host: 127.0.0.1:1", "X-Host: none"])
    func `a foreign host is refused`(field: String) async throws {
        let server = try server()
        let reply = try await RawClient.get(port: server.admission.port, "/\(server.admission.token)/state", field)
        #expect(reply.hasPrefix("HTTP/1.1 403 Forbidden\r\n"))
        #expect(reply.hasSuffix("\r\n\r\n"))
    }

    @Test(arguments: ["https://attacker.test", "null", "http://127.0.0.1:1", "http://localhost"])
    func `another origin is refused`(origin: String) async throws {
        let server = try server()
        let (port, token) = (server.admission.port, server.admission.token)
        let reply = try await RawClient.get(
            port: port, "/\(token)/state", "Host: localhost:\(port)", "Origin: \(origin)")
        #expect(reply.hasPrefix("HTTP/1.1 403 Forbidden\r\n"))
    }

    @Test func `an action needs the field with the token`() async throws {
        let server = try server()
        let (port, token) = (server.admission.port, server.admission.token)
        let start = "POST /\(token)/actions/load HTTP/1.1\r\nHost: localhost:\(port)\r\nContent-Length: 2\r\n"
        #expect(try await RawClient.exchange(port: port, start + "\r\n{}").hasPrefix("HTTP/1.1 403 "))
        let wrong = start + "X-Siesta-Inspector: 00112233445566778899aabbccddeeff\r\n\r\n{}"
        #expect(try await RawClient.exchange(port: port, wrong).hasPrefix("HTTP/1.1 403 "))
        let reply = try await RawClient.exchange(port: port, start + "X-Siesta-Inspector: \(token)\r\n\r\n{}")
        #expect(reply.hasSuffix("action(\"load\") 2"))
    }

    @Test func `bytes that are no request are refused`() async throws {
        let server = try server()
        let port = server.admission.port
        for garbage in [
            "\u{16}\u{3}\u{1}\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9\r\n\r\n", "\r\n\r\n", "a b c d\r\n\r\n",
        ] {
            #expect(try await RawClient.exchange(port: port, garbage).hasPrefix("HTTP/1.1 400 "))
        }
    }

    @Test func `heads and bodies have a limit`() async throws {
        let server = try server()
        let port = server.admission.port
        let head = "GET / HTTP/1.1\r\nX: " + String(repeating: "x", count: 17 << 10)
        #expect(try await RawClient.exchange(port: port, head).hasPrefix("HTTP/1.1 431 "))
        let body = "POST / HTTP/1.1\r\nHost: localhost:\(port)\r\nContent-Length: 1048577\r\n\r\n"
        #expect(try await RawClient.exchange(port: port, body).hasPrefix("HTTP/1.1 413 "))
    }

    @Test func `a half-open connection is closed`() async throws {
        let server = try server(impatient)
        let client = try RawClient(port: server.admission.port)
        client.send("GET /\(server.admission.token)/state HTTP/1.1\r\nHost: ")
        #expect(await client.readAll() == "")
    }

    @Test func `a thousand connections are bounded and starve nobody`() async throws {
        var limits = ServerLimits()
        limits.patience = 1000  // Only the number of connections closes one of them.
        let server = try server(limits)
        let (port, token) = (server.admission.port, server.admission.token)
        var clients: [RawClient] = []
        for count in 1...1000 {
            clients.append(try RawClient(port: port))
            if count % 2 == 0 { clients.last?.send("GET /\(token)/state HTTP/1.1\r\nHo") }
            if count % 100 == 0 {
                #expect(try await RawClient.get(port: port, "/\(token)/state").hasPrefix("HTTP/1.1 200 "))
            }
        }
        for client in clients.prefix(900) { #expect(await client.readAll() == "") }
    }

    @Test func `a stream receives the events that are published`() async throws {
        let server = try server()
        let client = try RawClient(port: server.admission.port)
        client.send(
            "GET /\(server.admission.token)/events?after=0 HTTP/1.1\r\nHost: localhost:\(server.admission.port)\r\n\r\n"
        )
        #expect(await client.read(until: "retry: 1000\n\n").contains("Content-Type: text/event-stream\r\n"))
        #expect(server.hasReaders)
        server.publish(Array("{\"a\":1}".utf8))
        #expect(await client.read(until: "\n\n") == "id: 1\ndata: {\"a\":1}\n\n")
        let second = try RawClient(port: server.admission.port)
        second.send(
            """
            GET /\(server.admission.token)/events HTTP/1.1\r\nHost: localhost:\(server.admission.port)\r
            Last-Event-ID: 0\r\n\r\n
            """)
        #expect(await second.read(until: "{\"a\":1}\n\n").hasSuffix("id: 1\ndata: {\"a\":1}\n\n"))
    }

    @Test func `a reader that has missed events is told to start again`() async throws {
        let server = try server()
        server.publish(Array("{}".utf8))
        let client = try RawClient(port: server.admission.port)
        client.send(
            "GET /\(server.admission.token)/events?after=0 HTTP/1.1\r\nHost: localhost:\(server.admission.port)\r\n\r\n"
        )
        #expect(await client.read(until: "resync").contains("event: resync\n"))
    }

    @Test func `a slow reader of events is disconnected`() async throws {
        var limits = ServerLimits()
        limits.streamBacklog = 100_000
        let server = try server(limits)
        let client = try RawClient(port: server.admission.port)
        client.send(
            "GET /\(server.admission.token)/events?after=0 HTTP/1.1\r\nHost: localhost:\(server.admission.port)\r\n\r\n"
        )
        _ = await client.read(until: "retry: 1000\n\n")
        let event = [UInt8](repeating: 0x78, count: 90_000)
        while server.hasReaders { server.publish(event) }  // Ends when the server has closed the connection.
        #expect(await !client.readAll().isEmpty)
    }

    @Test func `a stopped server has closed its port`() async throws {
        let server = try server()
        let client = try RawClient(port: server.admission.port)
        server.stop()
        #expect(await client.readAll() == "")
        #expect(throws: Socket.Failure.self) { try RawClient(port: server.admission.port) }
    }
}
