import Foundation
import SiestaCore
import SiestaRetrying
import SiestaTesting
import TestDoubles
import TestKit
import Testing
import Waiting

@testable import SiestaLive

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@MainActor
@Suite(.timeLimit(.minutes(1)))
struct EventStreamTests {
    let stub = StubbedResource()

    /// Collects the events of a stream in a task.
    @MainActor
    final class Reader {
        var events: [ServerEvent] = []
        var openings: [EventStream.Opening] = []
        var outcome: Result<Void, RequestError>?
        private var task: Task<Void, Never>?

        init(_ stream: EventStream) {
            var stream = stream
            let (openings, continuation) = AsyncStream.makeStream(of: EventStream.Opening.self)
            stream = stream.onOpen { continuation.yield($0) }
            Task { [weak self] in for await opening in openings { self?.openings.append(opening) } }
            task = Task { [weak self] in
                do throws(RequestError) {
                    for try await event in stream { self?.events.append(event) }
                    self?.outcome = .success(())
                } catch {
                    self?.outcome = .failure(error)
                }
            }
        }

        var data: [String] { events.map(\.data) }

        func cancel() { task?.cancel() }

        deinit { task?.cancel() }
    }

    /// The service retries failed requests.
    @Test func `A stream that has opened does not continue with the response to a retry`() async throws {
        let trying = TryingService()
        trying.network.answer(
            .get, "/thing", with: .stream(), .text("data: no event\n\n", contentType: "text/html"))
        let reader = Reader(trying.resource.eventStream)
        let stream = try await trying.network.exchange(1)
        try await Poll.until { !reader.openings.isEmpty }
        stream.fail(.networkConnectionLost)
        try await Poll.until {
            trying.clock.advance(by: 0.5)
            return reader.outcome != nil
        }
        #expect(reader.data.isEmpty)
        let outcome = try #require(reader.outcome)
        let error = #expect(throws: RequestError.self) { try outcome.get() }
        #expect(error?.code == .notEventStream)
    }

    private func reader(_ change: (inout EventStream.Options) -> Void = { _ in }) -> Reader {
        var options = EventStream.Options()
        change(&options)
        return Reader(
            stub.resource.eventStream(
                after: options.lastEventID, reconnects: options.reconnects, silenceLimit: options.silenceLimit,
                eventLimit: options.eventLimit))
    }

    /// Runs the timer of the next connection.
    private func reconnect() async throws {
        try await stub.clock.waitForTimers(1)
        stub.clock.advance(by: 30)
    }

    @Test func `Events arrive, and the request asks for them`() async throws {
        stub.network.answer(.get, "/thing", with: .stream())
        let reader = reader()
        let exchange = try await stub.network.exchange(1)
        exchange.send("data: a\n\nevent: x\nid: 1\ndata: b\n\n")
        try await Poll.until { reader.events.count == 2 }
        #expect(reader.events == [.init(data: "a"), .init(type: "x", data: "b", id: "1")])
        #expect(exchange.request.value(forHTTPHeaderField: "Accept") == "text/event-stream")
        #expect(exchange.request.value(forHTTPHeaderField: "Cache-Control") == "no-store")
        #expect(exchange.request.value(forHTTPHeaderField: "Last-Event-ID") == nil)
        #expect(stub.resource.latestData == nil)
    }

    @Test func `A new connection asks for the events after the last identifier`() async throws {
        stub.network.answer(.get, "/thing", with: .stream())
        let reader = reader()
        let first = try await stub.network.exchange(1)
        first.send("id: 7\ndata: a\n\nid: 8\n\ndata: cut")
        try await Poll.until { reader.events.count == 1 }
        first.fail(.networkConnectionLost)
        try await reconnect()
        let second = try await stub.network.exchange(2)
        #expect(second.request.value(forHTTPHeaderField: "Last-Event-ID") == "8")
        second.send("data: off\n\n")
        try await Poll.until { reader.events.count == 2 }
        #expect(reader.data == ["a", "off"])
        #expect(reader.events.last?.id == "8")
        try await Poll.until { reader.openings.count == 2 }
        #expect(reader.openings.map(\.lastEventID) == ["", "8"])
    }

    @Test(arguments: ["a\u{1}b", String(repeating: "x", count: 5000), " a", "a ", "\ta", "a\t", " "])
    func `An identifier that cannot be sent is not sent`(_ id: String) async throws {
        stub.network.answer(.get, "/thing", with: .stream())
        let reader = reader()
        let first = try await stub.network.exchange(1)
        first.send("id: \(id)\ndata: a\n\n")
        try await Poll.until { reader.events.count == 1 }
        first.finish()
        try await reconnect()
        let second = try await stub.network.exchange(2)
        #expect(second.request.value(forHTTPHeaderField: "Last-Event-ID") == nil)
        try await Poll.until { reader.openings.count == 2 }
        #expect(reader.openings.map(\.lastEventID) == ["", ""])
    }

    @Test func `204 ends the stream`() async throws {
        stub.network.answer(.get, "/thing", with: .stream(), .response(204))
        let reader = reader()
        try await stub.network.exchange(1).finish()
        try await reconnect()
        try await Poll.until { reader.outcome != nil }
        #expect((try? reader.outcome?.get()) != nil)
        #expect(stub.clock.timers.isEmpty)
    }

    @Test func `Other content is an error`() async throws {
        stub.network.answer(.get, "/thing", with: .json("{}"))
        let reader = reader()
        try await Poll.until { reader.outcome != nil }
        let error = reader.outcome?.error
        #expect(error?.code == .notEventStream)
        #expect("\(error as Any)".contains("application/json"))
    }

    @Test(arguments: ["text/event-stream", "TEXT/EVENT-STREAM; charset=utf-8", "text/event-stream;x=y"])
    func `The content type may have parameters`(_ type: String) async throws {
        stub.network.answer(.get, "/thing", with: .stream(headers: ["Content-Type": type]))
        let reader = reader()
        try await stub.network.exchange(1).send("data: a\n\n")
        try await Poll.until { reader.events.count == 1 }
    }

    @Test(arguments: [400, 401, 403, 404, 410, 501])
    func `An error of the request ends the stream`(_ status: Int) async throws {
        stub.network.answer(.get, "/thing", with: .response(status))
        let reader = reader()
        try await Poll.until { reader.outcome != nil }
        #expect(reader.outcome?.error?.httpStatusCode == status)
    }

    @Test(arguments: [408, 425, 429, 500, 502, 503, 504])
    func `After an error of the server, the stream tries again`(_ status: Int) async throws {
        stub.network.answer(.get, "/thing", with: .response(status), .stream())
        let reader = reader()
        try await reconnect()
        try await stub.network.exchange(2).send("data: a\n\n")
        try await Poll.until { reader.events.count == 1 }
        #expect(reader.outcome == nil)
    }

    @Test func `A lost connection is one in whatever form the network reports it`() async throws {
        let lost = NSError(domain: NSURLErrorDomain, code: URLError.Code.networkConnectionLost.rawValue)
        stub.network.answer(.get, "/thing", with: .failure(lost), .stream())
        let reader = reader()
        try await reconnect()
        try await stub.network.exchange(2).send("data: a\n\n")
        try await Poll.until { reader.events.count == 1 }
    }

    @Test func `If the network cancels a connection, the stream tries again after a delay`() async throws {
        stub.network.answer(.get, "/thing", with: .failure(.cancelled), .stream())
        let reader = reader()
        try await stub.clock.waitForTimers(1)
        #expect(stub.network.requests.count == 1)
        stub.clock.advance(by: 1)
        try await stub.network.exchange(2).send("data: a\n\n")
        try await Poll.until { reader.events.count == 1 }
    }

    @Test func `A time limit and a circuit breaker delay a connection, and do not end the stream`() async throws {
        stub.service.configure {
            $0.timeLimit = 20
            $0.pacing.failureLimit = 1
            $0.pacing.failurePause = 40
        }
        stub.network.answer(.get, "/thing", with: .held, .failure(.cannotConnectToHost), .stream())
        let reader = reader()
        _ = try await stub.network.exchange(1)
        stub.clock.advance(by: 20)
        try await Poll.until {
            stub.clock.advance(by: 1)
            return stub.network.exchanges.last?.isStreaming ?? false
        }
        try await stub.network.exchange(3).send("data: a\n\n")
        try await Poll.until { reader.events.count == 1 }
    }

    @Test func `A stream that has begun has no time limit, and takes no place of a load`() async throws {
        stub.service.configure {
            $0.timeLimit = 20
            $0.pacing = Pacing(concurrentRequests: 1)
        }
        stub.network.answer(.get, "/thing", with: .stream(), .text("loaded"))
        let reader = reader()
        let exchange = try await stub.network.exchange(1)
        exchange.send("data: a\n\n")
        try await Poll.until { reader.events.count == 1 }
        await stub.resource.load().completion()
        #expect(stub.resource.text == "loaded")
        stub.clock.advance(by: 100)
        exchange.send("data: b\n\n")
        try await Poll.until { reader.events.count == 2 }
        #expect(stub.network.requests.count == 2)
    }

    @Test func `A stream that ends by itself has a time limit`() async throws {
        stub.service.configure { $0.timeLimit = 20 }
        stub.network.answer(.post, "/thing", with: .stream())
        let reader = Reader(stub.resource.eventStream(.post))
        try await stub.network.exchange(1).send("data: a\n\n")
        try await Poll.until { reader.events.count == 1 }
        stub.clock.advance(by: 20)
        try await Poll.until { reader.outcome != nil }
        #expect(reader.outcome?.error?.code == .timeLimitExceeded)
    }

    @Test func `Retry-After delays the next connection`() async throws {
        stub.network.answer(.get, "/thing", with: .response(503, headers: ["Retry-After": "120"]), .stream())
        let reader = reader()
        try await stub.clock.waitForTimers(1)
        #expect(stub.clock.timers == [120])
        withExtendedLifetime(reader) {}
    }

    @Test func `A retry field delays the next connection`() async throws {
        stub.network.answer(.get, "/thing", with: .stream())
        let reader = reader()
        let exchange = try await stub.network.exchange(1)
        exchange.send("retry: 40000\ndata: a\n\n")
        try await Poll.until { reader.events.count == 1 }
        stub.clock.jitter = 0
        exchange.finish()
        try await stub.clock.waitForTimers(1)
        #expect(stub.clock.timers == [40])
    }

    @Test func `A silent connection is replaced, even if the transport does not end it`() async throws {
        stub.network.answer(.get, "/thing", with: .stream())
        let reader = reader { $0.silenceLimit = 60 }
        let first = try await stub.network.exchange(1)
        first.send("data: a\n\n")
        try await Poll.until { reader.events.count == 1 }
        stub.clock.advance(by: 59)
        first.send(": alive\n\n")
        try await first.delivered()
        stub.clock.advance(by: 59)
        #expect(!first.isCancelled)
        stub.clock.advance(by: 60)
        try await reconnect()
        let second = try await stub.network.exchange(2)
        second.send("data: b\n\n")
        try await Poll.until { reader.events.count == 2 }
        #expect(first.isCancelled)
    }

    @Test func `A cancellation is final, during a connection and during a wait`() async throws {
        stub.network.answer(.get, "/thing", with: .stream())
        let connected = reader()
        let exchange = try await stub.network.exchange(1)
        exchange.send("data: a\n\n")
        try await Poll.until { connected.events.count == 1 }
        connected.cancel()
        try await Poll.until { connected.outcome != nil && exchange.isCancelled }
        let waiting = reader()
        try await stub.network.exchange(2).finish()
        try await stub.clock.waitForTimers(1)
        waiting.cancel()
        try await Poll.until { waiting.outcome != nil }
        stub.clock.advance(by: 100)
        await mainQueueTurn()
        #expect(stub.network.requests.count == 2)
        #expect(waiting.outcome?.error?.isCancellation == true)
    }

    @Test func `Cancelling amid traffic ends the connection`() async throws {
        stub.network.answer(.get, "/thing", with: .stream())
        for number in 1...100 {
            let reader = reader()
            let exchange = try await stub.network.exchange(number)
            for count in 0..<20 { exchange.send("data: \(count)\n\n") }
            for _ in 0..<number % 8 { await mainQueueTurn() }
            reader.cancel()
            for count in 20..<40 { exchange.send("data: \(count)\n\n") }
            try await Poll.until { reader.outcome != nil && exchange.isCompleted }
            #expect(reader.outcome?.error?.isCancellation == true)
            #expect(reader.data == (0..<reader.data.count).map(String.init))
        }
    }

    @Test func `A stream that comes in small pieces is not silent`() async throws {
        stub.network.answer(.get, "/thing", with: .stream())
        let reader = reader { $0.silenceLimit = 60 }
        let exchange = try await stub.network.exchange(1)
        // A line end and a character are cut.
        for piece in [Data("id: 1\r".utf8), Data("\ndata: ".utf8) + [0xC3], Data([0xA9]) + Data("\r\n\r\n".utf8)] {
            exchange.send(piece)
            try await exchange.delivered()
            stub.clock.advance(by: 50)
        }
        try await Poll.until { reader.events.count == 1 }
        #expect(reader.events == [.init(data: "é", id: "1")])
        #expect(stub.network.requests.count == 1)
    }

    @Test func `While there is no network, there is no attempt`() async throws {
        let status = NetworkStatus()
        stub.service.networkStatus = status
        stub.network.answer(.get, "/thing", with: .stream())
        let reader = reader()
        let first = try await stub.network.exchange(1)
        status.isConnected = false
        first.fail(.networkConnectionLost)
        try await stub.clock.waitForTimers(1)
        stub.clock.advance(by: 100)
        for _ in 0..<5 { await mainQueueTurn() }
        #expect(stub.network.requests.count == 1)
        status.isConnected = true
        _ = try await stub.network.exchange(2)
        withExtendedLifetime(reader) {}
    }

    @Test func `In the background, there is no connection`() async throws {
        let activity = AppActivity()
        stub.service.appActivity = activity
        stub.network.answer(.get, "/thing", with: .stream())
        let reader = reader()
        let first = try await stub.network.exchange(1)
        first.send("id: 3\ndata: a\n\n")
        try await Poll.until { reader.events.count == 1 }
        activity.isActive = false
        try await Poll.until { first.isCancelled }
        for _ in 0..<5 { await mainQueueTurn() }
        #expect(stub.network.requests.count == 1)
        activity.isActive = true
        let second = try await stub.network.exchange(2)
        #expect(second.request.value(forHTTPHeaderField: "Last-Event-ID") == "3")
        #expect(reader.outcome == nil)
    }

    @Test func `In the background, a stream does not begin`() async throws {
        let activity = AppActivity()
        stub.service.appActivity = activity
        activity.isActive = false
        stub.network.answer(.get, "/thing", with: .stream())
        let reader = reader()
        let count = try await Poll.untilUnchanged { stub.network.requests.count }
        #expect(count == 0)
        activity.isActive = true
        try await stub.network.exchange(1).send("data: a\n\n")
        try await Poll.until { reader.events.count == 1 }
    }

    @Test func `A wipe ends a stream that waits in the background for its first connection`() async throws {
        let activity = AppActivity()
        stub.service.appActivity = activity
        activity.isActive = false
        stub.network.answer(.get, "/thing", with: .stream())
        let reader = reader()
        try await Poll.until { !stub.resource.waitsOfStreams.waits.isEmpty }
        stub.service.wipeResources(includingCaches: true)
        activity.isActive = true
        try await Poll.until { reader.outcome != nil || !stub.network.requests.isEmpty }
        #expect(stub.network.requests.isEmpty)
        #expect(reader.outcome?.error?.isCancellation == true)
    }

    @Test func `A wipe ends the stream`() async throws {
        stub.network.answer(.get, "/thing", with: .stream())
        let reader = reader()
        _ = try await stub.network.exchange(1)
        stub.service.wipeResources(includingCaches: true)
        try await Poll.until { reader.outcome != nil }
        #expect(reader.outcome?.error?.isCancellation == true)
    }

    @Test func `A wipe ends a stream that waits for its next connection`() async throws {
        stub.network.answer(.get, "/thing", with: .stream())
        let reader = reader()
        let first = try await stub.network.exchange(1)
        first.send("id: 7\ndata: a\n\n")
        try await Poll.until { reader.events.count == 1 }
        first.fail(.networkConnectionLost)
        try await stub.clock.waitForTimers(1)
        stub.service.wipeResources(includingCaches: true)
        try await reconnect()
        try await Poll.until { reader.outcome != nil }
        #expect(reader.outcome?.error?.isCancellation == true)
        #expect(stub.network.requests.count == 1)
    }

    @Test func `An event that is too long ends the stream`() async throws {
        stub.network.answer(.get, "/thing", with: .stream())
        let reader = reader { $0.eventLimit = 100 }
        try await stub.network.exchange(1).send("data: a\n\ndata: " + String(repeating: "x", count: 200))
        try await Poll.until { reader.outcome != nil }
        #expect(reader.data == ["a"])
        #expect(reader.outcome?.error?.code == .contentTooLong)
    }

    @Test func `A stream that is open does not keep the service busy`() async throws {
        stub.network.answer(.get, "/thing", with: .stream())
        let reader = reader()
        try await stub.network.exchange(1).send("data: a\n\n")
        try await Poll.until { reader.events.count == 1 }
        try await stub.service.settled(timeLimit: .seconds(5))
    }

    @Test func `Values end with their marker, and the connection with them`() async throws {
        struct Token: Decodable, Sendable, Equatable { var text: String }
        stub.network.answer(.post, "/thing", with: .stream())
        let answer = stub.resource.eventStream(.post).values(of: Token.self, endingWith: "[DONE]")
        let task = Task { () async throws -> [Token] in
            var tokens: [Token] = []
            for try await token in answer { tokens.append(token) }
            return tokens
        }
        let exchange = try await stub.network.exchange(1)
        exchange.send(
            "data: {\"text\":\"Hel\"}\n\ndata: {\"text\":\"lo\"}\n\ndata: [DONE]\n\ndata: {\"text\":\"!\"}\n\n")
        #expect(try await task.value == [Token(text: "Hel"), Token(text: "lo")])
        try await Poll.until { exchange.isCancelled }
    }

    @Test func `A value that cannot be decoded is an error with its number`() async throws {
        stub.network.answer(.get, "/thing", with: .stream())
        let values = stub.resource.eventStream.values(of: Int.self)
        let task = Task { () async throws -> Int in
            var sum = 0
            for try await value in values { sum += value }
            return sum
        }
        try await stub.network.exchange(1).send("data: 1\n\ndata: x\n\n")
        let error = await #expect(throws: RequestError.self) { try await task.value }
        #expect((error?.cause as? RequestError.Failure)?.reason == "value 2")
    }

    @Test func `The stream of a POST request is not repeated`() async throws {
        stub.network.answer(.post, "/thing", with: .stream())
        let reader = Reader(stub.resource.eventStream(.post))
        let exchange = try await stub.network.exchange(1)
        exchange.send("data: a\n\n")
        try await Poll.until { reader.events.count == 1 }
        exchange.fail(.networkConnectionLost)
        try await Poll.until { reader.outcome != nil }
        #expect((reader.outcome?.error?.cause as? URLError)?.code == .networkConnectionLost)
    }

    @Test func `Two hundred connections leave nothing behind`() async throws {
        stub.network.answer(.get, "/thing", with: .stream())
        let reader = reader()
        for number in 1...200 {
            try await stub.network.exchange(number).finish()
            try await reconnect()
        }
        reader.cancel()
        try await Poll.until { reader.outcome != nil }
        #expect(stub.clock.timers.isEmpty)
        try await stub.service.settled()
    }

    @Test func `The stream of a POST request is sent once, also if the app was in the background`() async throws {
        let activity = AppActivity()
        stub.service.appActivity = activity
        stub.network.answer(.post, "/thing", with: .stream())
        let reader = Reader(stub.resource.eventStream(.post))
        let exchange = try await stub.network.exchange(1)
        exchange.send("data: a\n\n")
        try await Poll.until { reader.events.count == 1 }
        activity.isActive = false
        for _ in 0..<20 { await mainQueueTurn() }
        activity.isActive = true
        for _ in 0..<20 { await mainQueueTurn() }
        try #require(stub.network.requests.count == 1)
        exchange.send("data: b\n\n")
        exchange.finish()
        try await Poll.until { reader.outcome != nil }
        #expect(reader.data == ["a", "b"])
    }

    @Test func `Events with many combining marks are told apart in linear time`() {
        let values = EventValues<Int>(stream: stub.resource.eventStream, type: "token", end: "[DONE]", decoder: nil)
        let growth = Growth(of: 1_000) { count in
            let text = "a" + String(repeating: "\u{301}\u{323}", count: count)
            return ServerEvent(type: text, data: text)
        } _: { event in
            #expect(!values.includes(event))
            #expect(!values.isEnd(event))
        }
        #expect(growth.isBounded, "\(growth)")
    }

    @Test func `Data with a key of many combining marks is not decoded`() {
        let growth = Growth(of: 1_000) { count in
            ServerEvent(data: "{\"a\(String(repeating: "\u{301}\u{323}", count: count))\":1}")
        } _: { event in
            #expect(throws: DecodingError.self) { try event.decoded(as: [String: Int].self) }
        }
        #expect(growth.isBounded, "\(growth)")
    }

    @Test func `The error of a stream of a resource whose loads have a body names the URL alone`() async throws {
        stub.network.answer(.get, "/search", with: .response(200, headers: ["Content-Type": "text/html"]))
        let bodied = stub.service.resource("/search", loadedBy: .query, body: .json(["a": 1]))
        let reader = Reader(bodied.eventStream)
        try await Poll.until { reader.outcome != nil }
        guard case .failure(let error)? = reader.outcome else {
            Issue.record("The stream has not failed")
            return
        }
        #expect(error.requestURL == stub.service.resource("/search").url)
    }
}

extension Result {
    fileprivate var error: Failure? { if case .failure(let error) = self { error } else { nil } }
}

/// With the clock of the system.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct RealTimeEventStreamTests {
    @Test func `A stream needs no test clock`() async throws {
        let network = StubNetwork()
        let service = Service(baseURL: "https://api.test", networking: network)
        network.answer(.get, "/news", with: .stream(), .response(204))
        let news = service.resource("/news")
        let reading = Task {
            for try await event in news.eventStream { print(event.data) }
        }
        let stream = try await network.exchange(1, timeLimit: .seconds(5))
        stream.send("data: hello\n\n")
        stream.finish()
        try await reading.value
    }
}
