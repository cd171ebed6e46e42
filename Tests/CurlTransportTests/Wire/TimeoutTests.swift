#if os(Linux)
import Foundation
import LoopbackServer
import TestKit
import Testing
import Waiting

@testable import CurlTransport

/// Servers that stop at some point, and the time-out that ends the exchange.
@Suite(.timeLimit(.test))
struct TimeoutTests {
    @Test func `A host that does not answer is given up while connecting`() async throws {
        let port = try FullPort()
        let url = try #require(URL(string: "http://127.0.0.1:\(port.port)/"))
        let transport = try CurlTransport.fresh { $0.connectTimeout = 0.2 }
        #expect(await transport.get(url).failureKind == .timedOut(while: .connecting))
    }

    @Test func `So is one that accepts and does not agree on encryption`() async throws {
        let server = try LoopbackServer.serving { $0.waitForDisconnect() }
        let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
        let transport = try CurlTransport.fresh { $0.connectTimeout = 0.2 }
        #expect(await transport.get(url).failureKind == .timedOut(while: .connecting))
    }

    @Test(arguments: [
        ("", TransportError.Phase.waiting), ("HTTP/1.1 100 Continue\r\n\r\n", .waiting),
        ("HTTP/1.1 200 OK\r\nX: y\r\n", .waiting), ("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", .reading),
        ("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", .reading),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n", .reading),
    ])
    func `Silence is given up after the idle time-out, in whatever it begins`(
        _ bytes: String, _ phase: TransportError.Phase
    ) async throws {
        let wire = WireCase("", bytes, .failure(.timedOut(while: phase)))
        let outcome = WireCase.Outcome(try await wire.result(staysOpen: true) { $0.idleTimeout = 0.3 })
        #expect(outcome == wire.outcome)
    }

    @Test func `A request has an idle time-out of its own if it wants`() async throws {
        let server = try LoopbackServer { $0.waitForDisconnect() }
        let request = TransportRequest("GET", server.url(), idleTimeout: 0.1)
        #expect(await (try CurlTransport.fresh()).result(request).failureKind == .timedOut(while: .waiting))
    }

    @Test func `A server that does not read an upload is given up, too`() async throws {
        let server = try LoopbackServer.serving { $0.waitForStop() }
        let transport = try CurlTransport.fresh { $0.idleTimeout = 0.3 }
        let request = TransportRequest("PUT", server.url(), body: .data(Data(count: 50_000_000)))
        #expect(await transport.result(request).failureKind == .timedOut(while: .waiting))
    }

    @Test func `Drops that keep coming are no silence, but the total time-out ends them`() async throws {
        let server = try LoopbackServer.serving { connection in
            let length = connection.head()?.target == "/short" ? 20 : 10_000
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n")
            for _ in 0..<length {
                try connection.send("x")
                try connection.pause(.milliseconds(50))
            }
            connection.waitForDisconnect()
        }
        let patient = try CurlTransport.fresh { $0.idleTimeout = 0.8 }
        #expect(await patient.get(server.url("/short")).text == String(repeating: "x", count: 20))
        let limited = try CurlTransport.fresh { $0.totalTimeout = 2 }
        #expect(await limited.get(server.url("/long")).failureKind == .timedOut(while: .reading))
    }

    @Test func `Drops end a load after its own time-out, and a stream by its speed, unless that is one of events`()
        async throws
    {
        let server = try LoopbackServer { exchange in
            let type = exchange.request.target == "/events" ? "text/event-stream" : "text/plain"
            try exchange.send("HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nContent-Length: 120\r\n\r\n")
            for _ in 0..<120 {
                try exchange.send("x")
                try exchange.connection.pause(.milliseconds(100))
            }
        }
        let limited = try CurlTransport.fresh {
            ($0.idleTimeout, $0.loadTimeout, $0.minimumSpeed) = (3, 3, nil)
        }
        let fast = try CurlTransport.fresh {
            ($0.idleTimeout, $0.loadTimeout, $0.minimumSpeed, $0.minimumSpeedPeriod) = (3, nil, 1000, 1)
        }
        func failure(
            _ transport: CurlTransport, _ path: String, _ destination: ResponseDestination
        ) async -> TransportError.Kind? {
            await transport.result(TransportRequest("GET", server.url(path)), into: destination).failureKind
        }
        async let limitedLoad = failure(limited, "/", .memory)
        async let limitedStream = failure(limited, "/", .consumer(Recorder()))
        async let fastLoad = failure(fast, "/", .memory)
        async let fastStream = failure(fast, "/", .consumer(Recorder()))
        async let events = failure(fast, "/events", .consumer(Recorder()))
        #expect(await limitedLoad == .timedOut(while: .reading))
        #expect(await limitedStream == nil)
        #expect(await fastLoad == .timedOut(while: .reading))
        #expect(await fastStream == .timedOut(while: .reading))
        #expect(await events == nil)
    }

    @Test func `The total time-out counts redirects and every wait`() async throws {
        let server = try LoopbackServer { exchange in
            if exchange.request.target == "/slow" { return exchange.waitForDisconnect() }
            try exchange.connection.pause(.milliseconds(20))  // libcurl limits the size of all heads of a chain
            try exchange.respond(302, headers: ["Location: /"])
        }
        let transport = try CurlTransport.fresh {
            $0.totalTimeout = 0.5
            $0.redirectLimit = 1_000_000
        }
        #expect(await transport.get(server.url("/slow")).failureKind == .timedOut(while: .waiting))
        let looping = await transport.get(server.url("/loop")).failureKind
        #expect([.connecting, .waiting, .reading].contains { looping == .timedOut(while: $0) })
        #expect(server.requests.count > 2)
    }

    @Test func `Waiting for a free connection is no connecting, and no silence`() async throws {
        let (arrived, gate) = (Gate(), Gate())
        let server = try LoopbackServer { exchange in
            arrived.open()
            if exchange.request.target == "/held" { try exchange.wait(for: gate) }
            try exchange.respond(text: exchange.request.target)
        }
        let transport = try CurlTransport.fresh {
            $0.connectionsPerHost = 1
            $0.connectTimeout = 1
            $0.idleTimeout = 1
        }
        let held = TransportRequest("GET", server.url("/held"), idleTimeout: 30)
        async let first = transport.result(held)
        await arrived.wait()
        async let second = transport.get(server.url("/queued"))
        // Three time-outs of exchanges with another server pass meanwhile, which is longer than libcurl's time-out.
        let silent = try LoopbackServer { $0.waitForDisconnect() }
        for _ in 0..<3 { #expect(await transport.get(silent.url()).failureKind == .timedOut(while: .waiting)) }
        #expect(server.requests.count == 1)
        gate.open()
        #expect(await first.text == "/held")
        #expect(await second.text == "/queued")
    }
}
#endif
