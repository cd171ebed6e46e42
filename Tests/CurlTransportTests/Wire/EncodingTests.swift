#if os(Linux)
import Foundation
import LoopbackServer
import Testing

@testable import CurlTransport

/// Bodies with a Content-Encoding: decoded, bounded, and refused when they lie.
@Suite(.timeLimit(.minutes(5)))
struct EncodingTests {
    fileprivate static func response(_ encoding: String, _ body: Data) -> Data {
        Data("HTTP/1.1 200 OK\r\nContent-Encoding: \(encoding)\r\nContent-Length: \(body.count)\r\n\r\n".utf8) + body
    }

    @Test("gzip is asked for and decoded, once or twice, under each of its names")
    func gzip() async throws {
        let once = try await ChildProcess.output(of: "printf hello | gzip")
        let twice = try await ChildProcess.output(of: "printf hello | gzip | gzip")
        for (encoding, body) in [("gzip", once), ("x-gzip", once), ("GZIP", once), ("gzip, gzip", twice)] {
            let wire = WireCase(encoding, Self.response(encoding, body), .response(200, "hello"))
            #expect(WireCase.Outcome(try await wire.result()) == wire.outcome)
        }
    }

    @Test("What is accepted, asked for and decoded can be chosen")
    func choice() async throws {
        let body = try await ChildProcess.output(of: "printf hello | gzip")
        let server = try LoopbackServer { exchange in
            try exchange.respond(headers: ["Content-Encoding: gzip"], body: body)
        }
        let all = try CurlTransport.fresh()
        #expect(await all.get(server.url()).text == "hello")
        #expect(server.requests.last?.header("Accept-Encoding")?.contains("gzip") == true)
        let none = try CurlTransport.fresh { $0.acceptedEncodings = .none }
        #expect(try await none.get(server.url()).get().body == body)
        #expect(server.requests.last?.header("Accept-Encoding") == nil)
        let some = try CurlTransport.fresh { $0.acceptedEncodings = .only(["gzip", "identity"]) }
        #expect(await some.get(server.url()).text == "hello")
        #expect(server.requests.last?.header("Accept-Encoding") == "gzip, identity")
    }

    @Test("Progress and metrics count the bytes of the wire, the body is decoded")
    func counts() async throws {
        let body = try await ChildProcess.output(of: "head -c 1000000 /dev/zero | gzip")
        let wire = WireCase("", Self.response("gzip", body), .response(200, ""))
        let response = try await wire.result().get()
        #expect(response.body == Data(count: 1_000_000))
        #expect(response.metrics.bytesReceived == Int64(body.count))
        #expect(response.head.headers["Content-Length"] == "\(body.count)")
    }

    @Test("Broken encodings are failures")
    func broken() async throws {
        let good = try await ChildProcess.output(of: "printf hello | gzip")
        var flipped = good
        flipped[flipped.count - 6] ^= 0xFF  // the checksum
        let cases = [
            WireCase("garbage", Self.response("gzip", Data("not gzip at all".utf8)), .failure(.undecodable)),
            WireCase("checksum", Self.response("gzip", flipped), .failure(.undecodable)),
            WireCase("unknown", Self.response("rot13", Data("hello".utf8)), .failure(.undecodable)),
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

    @Test("A bomb is given up at the limit, nested or not, without its size in memory")
    func bombs() async throws {
        await #expect(processExitsWith: .success) {
            let once = try await ChildProcess.output(of: "head -c 300000000 /dev/zero | gzip -9")
            let twice = try await ChildProcess.output(of: "head -c 300000000 /dev/zero | gzip -9 | gzip -9")
            for (encoding, bomb) in [("gzip", once), ("gzip, gzip", twice)] {
                let before = ProcessMemory.resident
                let wire = WireCase("", EncodingTests.response(encoding, bomb), .failure(.bodyTooLarge))
                let outcome = WireCase.Outcome(try await wire.result { $0.bodyBytes = 10 << 20 })
                #expect(outcome == wire.outcome)
                #expect(ProcessMemory.resident - before < 64 << 20)
            }
        }
    }

    @Test("A length that is announced beyond the limit is refused before anything is reserved; the limit itself fits")
    func announced() async throws {
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
