import Foundation
import LoopbackServer
import SiestaCore
import SiestaTransfers
import TestKit
import Testing
import Waiting

/// Multipart responses.
@MainActor @Suite(.timeLimit(.test))
struct ResponsePartsTests {
    private func resource(_ server: LoopbackServer) -> Resource { Service(baseURL: server.url()).resource("/") }

    private func server(_ type: String, _ text: String) throws -> LoopbackServer {
        try LoopbackServer { try $0.respond(headers: ["Content-Type: \(type)"], text: text) }
    }

    private func all(_ parts: some AsyncSequence<ResponsePart, RequestError>) async -> (
        bodies: [String], error: RequestError?
    ) {
        var result: [String] = []
        do {
            for try await part in parts { result.append(String(decoding: part.body, as: UTF8.self)) }
        } catch {
            return (result, error)
        }
        return (result, nil)
    }

    @Test func `Parts are read with their headers`() async throws {
        let server = try server(
            "multipart/mixed; boundary=\"a b\"",
            "--a b\r\nContent-Type: application/json\r\n\r\n{}\r\n--a b\r\n\r\ntext\r\n--a b--\r\n")
        var parts: [ResponsePart] = []
        for try await part in resource(server).parts { parts.append(part) }
        #expect(
            parts == [
                ResponsePart(headers: ["Content-Type": "application/json"], body: Data("{}".utf8)),
                ResponsePart(body: Data("text".utf8)),
            ])
    }

    @Test func `A part is there before the next is sent`() async throws {
        let proceed = Gate()
        let server = try LoopbackServer { exchange in
            try exchange.send("HTTP/1.1 200 OK\r\nContent-Type: multipart/x; boundary=b\r\n")
            try exchange.send("Content-Length: 31\r\n\r\n--b\r\n\r\n1\r\n--b\r\n\r\n")
            try exchange.wait(for: proceed)
            try exchange.send("2\r\n--b--  \r\n\r\n")
        }
        var received: [String] = []
        for try await part in resource(server).parts {
            received.append(String(decoding: part.body, as: UTF8.self))
            proceed.open()
        }
        #expect(received == ["1", "2"])
    }

    @Test func `A body without its end, or of another type, is an error after the complete parts`() async throws {
        let short = try server("multipart/mixed; boundary=b", "--b\r\n\r\n1\r\n--b\r\n\r\n2")
        let result = await all(resource(short).parts)
        #expect(result.bodies == ["1"])
        let cause = try #require(result.error?.cause as? RequestError.Failure)
        #expect(cause.reason == "part 2: the body ends before its last delimiter")
        #expect(result.error?.requestURL == short.url())
        let other = try server("text/plain", "x")
        let words = String(describing: await all(resource(other).parts).error?.cause)
        #expect(words.contains("text/plain is not multipart"))
    }

    @Test func `Limits are those of the call`() async throws {
        let server = try server("multipart/mixed; boundary=b", "--b\r\n\r\n1\r\n--b\r\n\r\n22\r\n--b--")
        let result = await all(resource(server).bytes.parts(maximumPartSize: 1))
        #expect(result.bodies == ["1"])
        let cause = try #require(result.error?.cause as? RequestError.Failure)
        #expect(cause.reason == "part 2: the part has more than 1 bytes; raise maximumPartSize")
    }

    @Test func `After a lost connection comes nil, and no second error`() async throws {
        let server = try LoopbackServer { exchange in
            try exchange.send(
                "HTTP/1.1 200 OK\r\nContent-Type: multipart/mixed; boundary=b\r\nContent-Length: 90\r\n\r\n--b\r\n\r\nx"
            )
            exchange.close()
        }
        var iterator = resource(server).parts.makeAsyncIterator()
        await #expect(throws: RequestError.self) { while try await iterator.next(isolation: #isolation) != nil {} }
        #expect(try await iterator.next(isolation: #isolation) == nil)
    }

    @Test func `After an error comes nil`() async throws {
        let server = try server("multipart/mixed", "x")
        var iterator = resource(server).parts.makeAsyncIterator()
        do {
            _ = try await iterator.next(isolation: #isolation)
            Issue.record("no error")
        } catch {
            #expect(try await iterator.next(isolation: #isolation) == nil)
        }
    }
}
