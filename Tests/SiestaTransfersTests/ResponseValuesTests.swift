import Foundation
import LoopbackServer
import SiestaCore
import SiestaTesting
import SiestaTransfers
import TestDoubles
import TestKit
import Testing
import Waiting

/// Responses with several JSON values.
@MainActor @Suite(.timeLimit(.test))
struct ResponseValuesTests {
    nonisolated private struct Event: Codable, Sendable, Equatable {
        var id: Int
        var firstName: String?
    }

    private func resource(_ server: LoopbackServer) -> Resource { Service(baseURL: server.url()).resource("/") }

    private func server(_ type: String, _ text: String) throws -> LoopbackServer {
        try LoopbackServer { try $0.respond(headers: ["Content-Type: \(type)"], text: text) }
    }

    private func all<Value>(_ values: some AsyncSequence<Value, RequestError>) async -> (
        values: [Value], error: RequestError?
    ) {
        var result: [Value] = []
        do {
            for try await value in values { result.append(value) }
        } catch {
            return (result, error)
        }
        return (result, nil)
    }

    @Test(arguments: [
        ("application/x-ndjson", "{\"id\":1}\r\n\n{\"id\":2}"),
        ("application/json-seq", "\u{1E}{\"id\":1}\n\u{1E}{\"id\":2}\n"),
    ])
    func `Lines and text sequences are decoded`(_ type: String, _ text: String) async throws {
        let server = try server(type, text)
        let values = resource(server).jsonValues(as: Event.self)
        for _ in 0..<2 {
            let result = await all(values)
            #expect(result.values == [Event(id: 1), Event(id: 2)])
            #expect(result.error == nil)
        }
        #expect(server.requests.count == 2)
    }

    @Test func `A value is there before the next is sent`() async throws {
        let proceed = Gate()
        let server = try LoopbackServer { exchange in
            try exchange.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\na\r\n{\"id\": 1}\n\r\n")
            try exchange.wait(for: proceed)
            try exchange.send("9\r\n{\"id\": 2}\r\n0\r\n\r\n")
        }
        var received: [Int] = []
        for try await event in resource(server).jsonValues(as: Event.self) {
            received.append(event.id)
            proceed.open()
        }
        #expect(received == [1, 2])
    }

    @Test func `The decoder is that of the call, or that of the configuration`() async throws {
        let server = try server("application/x-ndjson", "{\"id\":1,\"first_name\":\"x\"}\n")
        let service = Service(baseURL: server.url())
        #expect(await all(service.resource("/").jsonValues(as: Event.self)).values == [Event(id: 1)])
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let named = [Event(id: 1, firstName: "x")]
        #expect(await all(service.resource("/").jsonValues(as: Event.self, decoder: decoder)).values == named)
        service.configure { $0.jsonDecoder.keyDecodingStrategy = .convertFromSnakeCase }
        #expect(await all(service.resource("/").jsonValues(as: Event.self)).values == named)
    }

    @Test func `An invalid value ends the sequence after the values before it, with the number of its line`()
        async throws
    {
        let server = try server("application/x-ndjson", "{\"id\":1}\n\n{\"id\":\"x\"}\n{\"id\":3}\n")
        let result = await all(resource(server).jsonValues(as: Event.self))
        #expect(result.values == [Event(id: 1)])
        let cause = try #require(result.error?.cause as? RequestError.Failure)
        #expect(cause.reason == "value 3")
        #expect(cause.underlyingError is DecodingError)
        #expect(result.error?.userMessage == UserMessages.current.cannotParseResponse)
        #expect(result.error?.requestURL == server.url())
        #expect("\(cause)".contains("value 3"))
        let skipping = await all(resource(server).bytes.jsonValues(as: Event.self, skippingInvalidValues: true))
        #expect(skipping.values == [Event(id: 1), Event(id: 3)])
        #expect(skipping.error == nil)
    }

    @Test func `After an error comes nil`() async throws {
        let server = try server("application/x-ndjson", "x\n1\n")
        var iterator = resource(server).jsonValues(as: Int.self).makeAsyncIterator()
        do {
            _ = try await iterator.next(isolation: #isolation)
            Issue.record("no error")
        } catch {
            #expect(try await iterator.next(isolation: #isolation) == nil)
        }
    }

    @Test(arguments: [
        ("\u{1E}1\n\u{1E}2", 2, "truncated"), ("{}", 0, "separator"), ("\u{1E}[1, 2, 3, 4]", 1, "8 bytes"),
    ])
    func `A text sequence that is truncated, too long or no sequence is an error`(
        _ text: String, _ number: Int, _ words: String
    ) async throws {
        let server = try server("application/json-seq", text)
        let result = await all(resource(server).bytes.jsonValues(as: Int.self, limit: 8))
        let cause = try #require(result.error?.cause as? RequestError.Failure)
        #expect(cause.reason.contains("value \(number)"))
        #expect("\(cause)".contains(words))
    }

    @Test func `A status of 400 or more is thrown, and so is a lost connection after what came`() async throws {
        let failing = try LoopbackServer { try $0.respond(404, text: "1\n") }
        #expect(await all(resource(failing).jsonValues(as: Int.self)).error?.httpStatusCode == 404)
        let broken = try LoopbackServer { exchange in
            try exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n1\n2")
            exchange.close()
        }
        let result = await all(resource(broken).jsonValues(as: Int.self))
        #expect(result.values == [1])
        #expect(result.error != nil)
    }

    /// Sends two values, and then waits until the client closes the connection.
    private func endless(_ gone: Gate) throws -> LoopbackServer {
        try LoopbackServer { exchange in
            try exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n1\n2\n3")
            exchange.waitForDisconnect()
            gone.open()
        }
    }

    @Test func `After a lost connection comes nil, and not the beginning of a value`() async throws {
        let server = try LoopbackServer { exchange in
            try exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n1\n2")
            exchange.close()
        }
        var iterator = resource(server).jsonValues(as: Int.self).makeAsyncIterator()
        await #expect(throws: RequestError.self) { while try await iterator.next(isolation: #isolation) != nil {} }
        #expect(try await iterator.next(isolation: #isolation) == nil)
    }

    @Test func `Cancelling the task ends the wait for a value, and closes the connection`() async throws {
        let (reached, gone) = (Gate(), Gate())
        let server = try endless(gone)
        let values = resource(server).jsonValues(as: Int.self)
        let task = Task {
            for try await value in values where value == 2 { reached.open() }
        }
        await reached.wait()
        task.cancel()
        let error = await #expect(throws: RequestError.self) { try await task.value }
        #expect(error?.cause is RequestError.Cause.RequestCancelled)
        await gone.wait()
    }

    @Test func `Leaving the loop closes the connection`() async throws {
        let gone = Gate()
        let server = try endless(gone)
        for try await value in resource(server).jsonValues(as: Int.self) where value == 1 { break }
        await gone.wait()
    }

    @Test(arguments: [
        ("application/x-ndjson", "\u{FEFF}1\n\"a\"\r\nnull\n[true]"),
        ("application/json-seq", "\u{FEFF}\u{1E}1\n\u{1E}\"a\"\u{1E}null\n\u{1E}[true]"),
    ])
    func `A value may be a fragment, and a byte order mark is ignored`(_ type: String, _ text: String) async throws {
        nonisolated enum Fragment: Decodable, Equatable {
            case number(Int), text(String), null, list([Bool])

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                if container.decodeNil() {
                    self = .null
                } else if let number = try? container.decode(Int.self) {
                    self = .number(number)
                } else if let text = try? container.decode(String.self) {
                    self = .text(text)
                } else {
                    self = .list(try container.decode([Bool].self))
                }
            }
        }
        let server = try server(type, text)
        let result = await all(resource(server).jsonValues(as: Fragment.self))
        #expect(result.values == [.number(1), .text("a"), .null, .list([true])])
        #expect(result.error == nil)
    }

    @Test func `Values that are ignored do not hide the values after them`() async throws {
        let long = String(repeating: "7", count: 100)
        let server = try server("application/json-seq", "{}\u{1E}1\n\u{1E}\(long)\n\u{1E}2\u{1E}x\n\u{1E}3\n\u{1E}4")
        let values = resource(server).bytes.jsonValues(as: Int.self, limit: 50, skippingInvalidValues: true)
        let result = await all(values)
        #expect(result.values == [1, 3])
        #expect(result.error == nil)
    }

    enum End: CaseIterable { case wipe, cancellation }
    enum Elements: CaseIterable { case lines, values, parts }

    private func forEach(_ elements: Elements, of resource: Resource, _ body: () -> Void) async throws {
        switch elements {
        case .lines: for try await _ in resource.lines { body() }
        case .values: for try await _ in resource.jsonValues(as: [Int].self) { body() }
        case .parts: for try await _ in resource.parts { body() }
        }
    }

    @Test(arguments: Elements.allCases, End.allCases)
    func `Elements that are not delivered yet are dropped at the end of a loop`(
        _ elements: Elements, by end: End
    ) async throws {
        let stub = StubbedResource()
        let type = elements == .parts ? "multipart/mixed; boundary=b" : "application/x-ndjson"
        stub.network.answer(.get, "/thing", with: .stream(headers: ["Content-Type": type]))
        var seen = 0
        let loop = Task {
            try await forEach(elements, of: stub.resource) {
                seen += 1
                guard seen == 1 else { return }
                switch end {
                case .wipe: stub.service.wipeResources(includingCaches: true)
                case .cancellation: withUnsafeCurrentTask { $0?.cancel() }
                }
            }
        }
        let unit = elements == .parts ? "--b\r\n\r\n[0]\r\n" : "[0]\n"
        try await stub.network.exchange(1).send(String(repeating: unit, count: 100))
        let error = await #expect(throws: RequestError.self) { try await loop.value }
        #expect(error?.isCancellation == true)
        #expect(seen == 1)
    }
}
