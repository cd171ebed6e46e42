import Foundation
import LoopbackServer
import TestKit
import Testing

/// The loopback server below HTTP, as a client with a bare socket sees it.
@Suite(.timeLimit(.test))
struct LoopbackConnectionTests {
    private static let request = Data("POST /a HTTP/1.1\r\nX: 1\r\nx: 2\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
    private static let body = Data("3;e=1\r\nabc\r\n0\r\n\r\n".utf8)

    @Test func `A server listens on IPv4, IPv6 and Unix sockets`() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(
            "\(UUID().uuidString.prefix(8)).socket"
        ).path
        defer { try? FileManager.default.removeItem(atPath: path) }
        for address in [LoopbackAddress.ipv4(), .ipv6(), .unix(path: path)] {
            let server = try LoopbackServer(address) { try $0.respond(text: "here") }
            let client = try Socket.connected(to: server.address)
            try client.send(Data("GET / HTTP/1.1\r\n\r\n".utf8))
            let answer = client.receive()
            #expect(String(decoding: answer, as: UTF8.self).hasSuffix("\r\n\r\nhere"))
            #expect(server.connectionCount == 1)
            #expect(server.url("/x").path == "/x")
        }
    }

    @Test
    func `A request is recorded with its bytes, fields of the same name, and its number on the connection`() throws {
        let server = try LoopbackServer { exchange in
            try exchange.respond(text: "\(exchange.connection.number) \(exchange.previousRequests)")
            if exchange.previousRequests == 1 { exchange.close() }
        }
        let client = try Socket.connected(to: server.address)
        for expected in ["0 0", "0 1"] {
            try client.send(Self.request)
            try client.send(Self.body)
            #expect(String(decoding: client.receive(), as: UTF8.self).hasSuffix(expected))
        }
        #expect(client.receive().isEmpty)
        let request = try #require(server.requests.last)
        #expect(request.bytes == Self.request + Data("3;e=1\r\nabc\r\n0\r\n\r\n".utf8))
        #expect(String(decoding: request.body, as: UTF8.self) == "abc")
        #expect(request.headers("x") == ["1", "2"])
        #expect(request.version == "HTTP/1.1")
    }

    @Test func `A connection's script sees a head before its body, and may end the sending direction alone`() throws {
        let (answered, received) = (Gate(), Gate())
        let server = try LoopbackServer.serving { connection in
            var request = connection.head()
            try connection.send("HTTP/1.1 413 Too Much\r\n\r\n")
            connection.finishSending()
            answered.open()
            if var read = request, try connection.readBody(of: &read) { request = read }
            if request?.body == Data("abc".utf8) { received.open() }
        }
        let client = try Socket.connected(to: server.address)
        try client.send(Self.request)
        #expect(String(decoding: client.receive(), as: UTF8.self).contains("413"))
        #expect(client.receive().isEmpty)
        try client.send(Self.body)
        #expect(client.receive().isEmpty)
        server.stop()
        #expect(received.isOpen)
    }

    @Test func `A connection may be reset before anything is read, or left without an answer until the server stops`()
        async throws
    {
        let arrived = Gate()
        let server = try LoopbackServer.serving { connection in
            if connection.number == 0 { return connection.reset() }
            arrived.open()
            connection.waitForStop()
        }
        #expect(try Socket.connected(to: server.address).receive().isEmpty)
        let client = try Socket.connected(to: server.address)
        try client.send(Self.request)
        await arrived.wait()
        server.stop()
        #expect(client.receive().isEmpty)
        #expect(server.connectionCount == 2)
    }

    #if os(Linux)
    @Test func `A full port lets nobody connect, and refuses nobody`() throws {
        let port = try FullPort()
        let client = try Socket.connecting(to: .ipv4(port: port.port))
        let server = try LoopbackServer { try $0.respond() }
        #expect(try Socket.connecting(to: server.address).isReady(within: 10))
        #expect(!client.isReady(within: 0), "a later attempt elsewhere has succeeded")
    }
    #endif
}
