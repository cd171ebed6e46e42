#if os(Linux)
import Foundation
import Isolation
import LoopbackServer
import TestKit
import Testing
import Waiting

@testable import CurlTransport

/// Bodies with a `Content-Encoding`: they are decoded within limits, malformed ones are refused, and bodies with an
/// unknown coding are passed on.
@Suite(.timeLimit(.model))
struct EncodingTests {
    fileprivate static func response(_ encoding: String, _ body: Data) -> Data {
        Data("HTTP/1.1 200 OK\r\nContent-Encoding: \(encoding)\r\nContent-Length: \(body.count)\r\n\r\n".utf8) + body
    }

    @Test func `gzip and deflate are decoded under each of their names, and with the headers that servers leave out`()
        async throws
    {
        let gzip = try await ChildProcess.output(of: "printf hello | gzip")
        let members = try await ChildProcess.output(of: "(printf hel | gzip; printf lo | gzip)")
        let zlib = try await python("zlib.compress(b'hello')")
        let raw = try await python("zlib.compress(b'hello')[2:-4]")
        for (encoding, body) in [
            ("gzip", gzip), ("x-gzip", gzip), ("GZIP", gzip), ("identity, gzip", gzip), ("gzip", members),
            ("deflate", zlib), ("deflate", raw),
        ] {
            let wire = WireCase(encoding, Self.response(encoding, body), .response(200, "hello"))
            #expect(WireCase.Outcome(try await wire.result()) == wire.outcome, "\(encoding)")
        }
    }

    private func python(_ expression: String) async throws -> Data {
        try await ChildProcess.output(of: "python3 -c \"import sys, zlib; sys.stdout.buffer.write(\(expression))\"")
    }

    @Test func `A body is decoded although it comes a byte at a time`() async throws {
        for body in [
            try await ChildProcess.output(of: "printf hello | gzip"), try await python("zlib.compress(b'hello')[2:-4]"),
        ] {
            let encoding = body.first == 0x1F ? "gzip" : "deflate"
            let transport = try CurlTransport.fresh()
            let traffic = try OtherTraffic(of: transport)
            let server = try LoopbackServer { exchange in
                try exchange.send(
                    "HTTP/1.1 200 OK\r\nContent-Encoding: \(encoding)\r\nContent-Length: \(body.count)\r\n\r\n")
                for byte in body {
                    try exchange.send(Data([byte]))
                    traffic.blockWhilePassing()  // the transport has read the byte
                }
            }
            #expect(await transport.get(server.url()).text == "hello")
            let recorder = Recorder()
            _ = await transport.result(TransportRequest("GET", server.url()), into: .consumer(recorder))
            #expect(recorder.body == Data("hello".utf8))
        }
    }

    @Test func `A response without a body may have any coding`() async throws {
        for (method, status) in [("HEAD", 200), ("GET", 204), ("GET", 304)] {
            let server = try LoopbackServer {
                try $0.send("HTTP/1.1 \(status) OK\r\nContent-Encoding: br, gzip\r\n\r\n")
            }
            let result = try await CurlTransport.fresh().result(TransportRequest(method, server.url()))
            #expect(result.status == status)
        }
    }

    /// The codings of a list are in the order in which they were applied.
    @Test(
        arguments: [
            "rot13", "BR", "gzip, br", "br, gzip", "br, identity", "gzip, gzip, br",
            "gzip\r\nContent-Encoding: zstd", "zstd\r\nContent-Encoding: gzip", "compress", "gzip;q=1", "\"gzip\"",
            "gzip gzip",
            "gzip, gzip, gzip, gzip, br",
        ], [nil, "identity", "gzip"])
    func `A body with an unknown coding is passed on as received, with all headers`(
        _ coding: String, _ accepted: String?
    ) async throws {
        let body = try await ChildProcess.output(of: "printf hello | gzip")
        let server = try LoopbackServer { try $0.send(Self.response(coding, body)) }
        let transport = try CurlTransport.fresh()
        var request = TransportRequest("GET", server.url())
        request.headers["Accept-Encoding"] = accepted
        let response = try await transport.result(request).get()
        #expect(response.body == body)
        let codings = response.head.headers.values(of: "Content-Encoding")
        #expect(codings.joined(separator: "\r\nContent-Encoding: ") == coding)
        #expect(response.head.headers["Content-Length"] == "\(body.count)")
        let recorder = Recorder()
        let streamed = await transport.result(request, into: .consumer(recorder))
        #expect(streamed.status == 200)
        #expect(recorder.body == body)
    }

    @Test func `A body with an unknown coding has the same limit as another, and its end is checked`() async throws {
        let body = Data("hello".utf8)
        for (wire, limit) in [
            (WireCase("fits", Self.response("br", body), .response(200, "hello")), 5),
            (WireCase("long", Self.response("br", body), .failure(.bodyTooLarge)), 4),
            (WireCase("short", Self.response("br", body).dropLast(), .failure(.connectionLost)), 5),
        ] {
            #expect(WireCase.Outcome(try await wire.result { $0.bodyBytes = limit }) == wire.outcome)
        }
    }

    @Test func `The request's own Accept-Encoding decides which coding is taken`() async throws {
        let body = try await ChildProcess.output(of: "printf hello | gzip")
        let server = try LoopbackServer { try $0.respond(headers: ["Content-Encoding: gzip"], body: body) }
        for (value, isTaken) in [
            ("gzip", true), ("br, X-GZIP;q=0.5", true), ("*", true), ("identity", false), ("gzip;q=0", false),
            ("br", false),
        ] {
            var request = TransportRequest("GET", server.url())
            request.headers["Accept-Encoding"] = value
            let result = try await CurlTransport.fresh().result(request)
            #expect(result.text == (isTaken ? "hello" : nil), "\(value)")
            #expect(result.failureKind == (isTaken ? nil : .undecodable), "\(value)")
        }
    }

    @Test func `Options that ask for a coding which is not decoded are refused`() {
        #expect(throws: TransportError.self) { try CurlTransport.fresh { $0.acceptedEncodings = ["br"] } }
    }

    @Test func `All bodies in memory have one budget, and give back what they took`() async throws {
        let bomb = try await ChildProcess.output(of: "head -c 30000000 /dev/zero | gzip -9")
        let gate = Gate()
        let server = try LoopbackServer { exchange in
            if exchange.request.target == "/small" { return try exchange.respond(text: "small") }
            if exchange.request.target == "/plain" {
                try exchange.send(
                    "HTTP/1.1 200 OK\r\nContent-Length: 3000000\r\n\r\n" + String(repeating: "x", count: 200_000))
                try exchange.wait(for: gate)
                return try exchange.send(String(repeating: "x", count: 2_800_000))
            }
            try exchange.respond(headers: ["Content-Encoding: gzip"], body: bomb)
        }
        let transport = try CurlTransport.fresh { $0.totalBodyBytes = 4 << 20 }
        #expect(await transport.get(server.url("/bomb")).failureKind == .bodyTooLarge)
        let tasks = Locked<TransportTask?>(nil)
        async let first = transport.result(TransportRequest("GET", server.url("/plain"))) { task in
            tasks.withLock { $0 = task }
        }
        try await Poll.until { tasks.withLock { $0?.progress.received ?? 0 } >= 100_000 }
        #expect(await transport.get(server.url("/plain")).failureKind == .bodyTooLarge)
        #expect(await transport.get(server.url("/small")).text == "small")
        gate.open()
        #expect(try await first.get().body.count == 3_000_000)
        for _ in 0..<5 { #expect(try await transport.get(server.url("/plain")).get().body.count == 3_000_000) }
    }

    @Test func `What is accepted, asked for and decoded can be chosen`() async throws {
        let body = try await ChildProcess.output(of: "printf hello | gzip")
        let server = try LoopbackServer { exchange in
            try exchange.respond(headers: ["Content-Encoding: gzip"], body: body)
        }
        let all = try CurlTransport.fresh()
        #expect(await all.get(server.url()).text == "hello")
        #expect(server.requests.last?.header("Accept-Encoding")?.contains("gzip") == true)
        let none = try CurlTransport.fresh { $0.acceptedEncodings = [] }
        #expect(try await none.get(server.url()).get().body == body)
        #expect(server.requests.last?.header("Accept-Encoding") == nil)
        let some = try CurlTransport.fresh { $0.acceptedEncodings = ["gzip", "identity"] }
        #expect(await some.get(server.url()).text == "hello")
        #expect(server.requests.last?.header("Accept-Encoding") == "gzip, identity")
    }

    @Test func `Progress and metrics count the bytes of the wire, the body is decoded`() async throws {
        let body = try await ChildProcess.output(of: "head -c 1000000 /dev/zero | gzip")
        let wire = WireCase("", Self.response("gzip", body), .response(200, ""))
        let response = try await wire.result().get()
        #expect(response.body == Data(count: 1_000_000))
        #expect(response.metrics.bytesReceived == Int64(body.count))
        #expect(response.head.headers["Content-Length"] == "\(body.count)")
    }

    @Test func `Broken encodings are failures`() async throws {
        let good = try await ChildProcess.output(of: "printf hello | gzip")
        var flipped = good
        flipped[flipped.count - 6] ^= 0xFF  // the checksum
        let cases = [
            WireCase("garbage", Self.response("gzip", Data("not gzip at all".utf8)), .failure(.undecodable)),
            WireCase("checksum", Self.response("gzip", flipped), .failure(.undecodable)),
            WireCase("short", Self.response("gzip", good.dropLast()), .failure(.undecodable)),
            WireCase("twice", Self.response("gzip, gzip", good), .failure(.undecodable)),
            WireCase(
                "twice, in two fields", Self.response("gzip\r\nContent-Encoding: gzip", good), .failure(.undecodable)),
            WireCase(
                "too many",
                Self.response(Array(repeating: "gzip", count: 100).joined(separator: ", "), good),
                .failure(.undecodable)),
        ]
        for wire in cases {
            let outcome = WireCase.Outcome(try await wire.result())
            #expect(outcome == wire.outcome, "\(wire.testDescription)")
        }
    }

    @Test(arguments: [400, 401, 404, 429, 500, 599])
    func `An error whose body cannot be decoded, or is too long, has no body`(_ status: Int) async throws {
        let good = try await ChildProcess.output(of: "printf hello | gzip")
        let bomb = try await ChildProcess.output(of: "head -c 300000 /dev/zero | gzip")
        for (coding, body) in [
            ("gzip", Data("abc".utf8)), ("gzip", good.dropLast()), ("deflate", Data("abc".utf8)), ("gzip, gzip", good),
            ("gzip", bomb), ("identity", Data(count: 200_000)),
        ] {
            let wire = WireCase(
                coding,
                Data(
                    "HTTP/1.1 \(status) X\r\nRetry-After: 7\r\nContent-Encoding: \(coding)\r\nContent-Length: \(body.count)\r\n\r\n"
                        .utf8) + body, .response(status, ""))
            let result = try await wire.result { $0.bodyBytes = 100_000 }
            #expect(WireCase.Outcome(result) == wire.outcome)
            #expect(try result.get().head.headers["Retry-After"] == "7")
        }
    }

    @Test func `A small limit holds for a small body, too`() async throws {
        let body = try await ChildProcess.output(of: "head -c 50000 /dev/zero | gzip")
        let wire = WireCase("", Self.response("gzip", body), .failure(.bodyTooLarge))
        #expect(WireCase.Outcome(try await wire.result { $0.bodyBytes = 10_000 }) == wire.outcome)
    }

    @Test func `A bomb is given up at the limit, without its size in memory`() async throws {
        await #expect(processExitsWith: .success) {
            let once = try await ChildProcess.output(of: "head -c 300000000 /dev/zero | gzip -9")
            let before = ProcessMemory.resident
            let wire = WireCase("", EncodingTests.response("gzip", once), .failure(.bodyTooLarge))
            let outcome = WireCase.Outcome(try await wire.result { $0.bodyBytes = 10 << 20 })
            #expect(outcome == wire.outcome)
            #expect(ProcessMemory.resident - before < 64 << 20)
        }
    }

    @Test
    func `A length that is announced beyond the limit is refused before anything is reserved; the limit itself fits`()
        async throws
    {
        let huge = "HTTP/1.1 200 OK\r\nContent-Length: 9000000000000000000\r\n\r\nabc"
        let limited = { (options: inout TransportOptions) in options.bodyBytes = 3 }
        let fits = "HTTP/1.1 200 OK\r\n\r\nabc"
        for wire in [
            WireCase("huge", huge, .failure(.bodyTooLarge)), WireCase("fits", fits, .response(200, "abc")),
            WireCase("one more", fits + "d", .failure(.bodyTooLarge)),
        ] {
            #expect(WireCase.Outcome(try await wire.result(limited)) == wire.outcome)
        }
    }
}
#endif
