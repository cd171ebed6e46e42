#if os(Linux)
import Foundation
import TestKit
import Testing

@testable import CurlTransport

/// Bytes that servers send over TLS without a request.
@Suite(
    .enabled(if: Certificates.isAvailable, "the openssl program is not installed"),
    .enabled(if: ScriptedTLSServer.isAvailable, "python3 is not installed"), .timeLimit(.test))
struct SecureSurplusTests {
    private let certificates: Certificates

    init() async throws {
        certificates = try await Certificates()
    }

    private static let good = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n"
    private static let surplus = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nEVIL"

    /// A response with surplus bytes after its end.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var method = "GET"
        var status = 200
        let steps: [ScriptedTLSServer.Step]

        /// Sends a valid response, and then `steps` when the connection is idle.
        static func idle(_ name: String, _ steps: ScriptedTLSServer.Step...) -> Case {
            Case(testDescription: name, steps: [.send(good + "good"), .wait("idle")] + steps + [.mark("sent")])
        }
    }

    static let idleCases: [Case] = [
        .idle("a response", .send(surplus)),
        .idle("two responses", .send(surplus), .send(surplus)),
        .idle("408", .send("HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")),
        .idle("the head of a response", .send(good)),
        .idle("a byte", .send("x")),
        .idle("a line end", .send("\r\n")),
    ]

    @Test(
        arguments: idleCases,
        ScriptedTLSServer.Way.allCases)
    func `What comes on an idle connection neither answers nor fails the next request`(
        _ surplus: Case, _ way: ScriptedTLSServer.Way
    ) async throws {
        let server = try await ScriptedTLSServer(certificates, way, steps: ["/first": surplus.steps])
        let transport = try server.transport()
        for method in ["GET", "POST"] {
            try await check(surplus, server, transport, next: method)
            unhappen(server)
        }
    }

    private func unhappen(_ server: ScriptedTLSServer) {
        for name in ["idle", "sent"] { server.undo(name) }
    }

    private func check(
        _ surplus: Case, _ server: ScriptedTLSServer, _ transport: CurlTransport, next method: String
    ) async throws {
        try #require(await transport.get(try server.url("/first")).text == "good")
        server.happen("idle")
        try await server.wait(for: "sent")
        #expect(await transport.result(TransportRequest(method, try server.url("/second"))).text == "/second")
        #expect(await transport.get(try server.url("/third")).text == "/third")
    }

    @Test func `An idle connection that the server closes costs no request, whatever its method`() async throws {
        let server = try await ScriptedTLSServer(
            certificates, steps: ["/first": [.send(Self.good + "good"), .wait("idle"), .close, .mark("sent")]])
        let transport = try server.transport()
        for method in ["GET", "PUT", "POST"] {
            try #require(await transport.get(try server.url("/first")).text == "good")
            server.happen("idle")
            try await server.wait(for: "sent")
            #expect(await transport.result(TransportRequest(method, try server.url("/second"))).text == "/second")
            unhappen(server)
        }
        #expect(server.requests.count == 6)
    }

    static let endCases = [
        Case(
            testDescription: "in the record that ends the body, after the head",
            steps: [.send(good), .wait("idle"), .send("good" + surplus)]),
        Case(testDescription: "in the only record", steps: [.send(good + "good" + surplus)]),
        Case(testDescription: "in a record of its own", steps: [.send(good + "good"), .send(surplus)]),
        Case(
            testDescription: "after chunks",
            steps: [
                .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"), .wait("idle"),
                .send("4\r\ngood\r\n0\r\n\r\n" + surplus),
            ]),
        Case(
            testDescription: "after chunks, in a record of its own",
            steps: [
                .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\ngood\r\n0\r\n\r\n"), .send(surplus),
            ]),
        Case(testDescription: "after 204", status: 204, steps: [.send("HTTP/1.1 204 No Content\r\n\r\n" + surplus)]),
        Case(
            testDescription: "after 204, in a record of its own", status: 204,
            steps: [.send("HTTP/1.1 204 No Content\r\n\r\n"), .send(surplus)]),
        Case(testDescription: "after 304", status: 304, steps: [.send("HTTP/1.1 304 Not\r\n\r\n"), .send(surplus)]),
        Case(testDescription: "after HEAD", method: "HEAD", steps: [.send(good + surplus)]),
        Case(testDescription: "after HEAD, as its body", method: "HEAD", steps: [.send(good), .send("EVIL")]),
    ]

    @Test(
        arguments: endCases,
        [ScriptedTLSServer.Way.port, .unixSocket])
    func `What comes right after a response neither answers nor fails the next request`(
        _ surplus: Case, _ way: ScriptedTLSServer.Way
    ) async throws {
        let server = try await ScriptedTLSServer(certificates, way, steps: ["/first": surplus.steps + [.mark("sent")]])
        let transport = try server.transport()
        let first = TransportRequest(surplus.method, try server.url("/first"))
        let consumer = HeadObserver { server.happen("idle") }
        try #require(await transport.result(first, into: .consumer(consumer)).status == surplus.status)
        try await server.wait(for: "sent")
        for path in ["/second", "/third"] {
            #expect(await transport.result(TransportRequest("POST", try server.url(path))).text == path)
        }
        #expect(server.requests == ["\(surplus.method) /first", "POST /second", "POST /third"])
    }

    /// Signals that libcurl has read the head of a response.
    private struct HeadObserver: BodyConsumer {
        let action: @Sendable () -> Void

        func begin(_ head: ResponseHead) async throws {
            action()
        }

        func consume(_ piece: Data) async throws {}
    }

    @Test(arguments: ScriptedTLSServer.Way.allCases)
    func `A connection on which nothing comes is used again`(_ way: ScriptedTLSServer.Way) async throws {
        let server = try await ScriptedTLSServer(certificates, way)
        let transport = try server.transport()
        #expect(await transport.get(try server.url("/1")).text == "/1")
        for path in ["/2", "/3", "/4"] {
            let response = try await transport.get(try server.url(path)).get()
            #expect(response.metrics.isReusedConnection)
        }
    }

    @Test(arguments: [ScriptedTLSServer.Way.port, .unixSocket])
    func `Frames on an idle HTTP/2 connection do not end it`(_ way: ScriptedTLSServer.Way) async throws {
        let server = try await ScriptedTLSServer(
            certificates, way, speaksHTTP2: true, steps: ["after": [.wait("idle"), .ping, .mark("sent")]])
        let transport = try server.transport { $0.httpVersion = .http2OverTLS }
        for number in 0..<3 {
            let response = try await transport.get(try server.url("/")).get()
            #expect(String(decoding: response.body, as: UTF8.self) == "0")
            #expect(response.head.httpVersion == "2")
            #expect(response.metrics.isReusedConnection == (number > 0))
            server.happen("idle")
            try await server.wait(for: "sent")
            unhappen(server)
        }
    }
}
#endif
