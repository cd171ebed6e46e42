import Foundation
import SiestaCore
import SiestaTesting
import SiestaTransfers
import TestDoubles
import TestKit
import Testing
import Waiting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A network that responds as a test tells it, and only as a server could.
@MainActor @Suite(.timeLimit(.test))
struct StubNetworkTests {
    private let network = StubNetwork()
    private let service: Service

    init() {
        service = Service(baseURL: "https://api.test", networking: network)
    }

    private func refusal(_ method: RequestMethod, _ answer: StubAnswer) async -> StubNetwork.ImpossibleAnswer? {
        network.answer(method, "/thing", with: answer)
        return await service.resource("/thing").request(method).completion().failure?.cause
            as? StubNetwork.ImpossibleAnswer
    }

    @Test(arguments: [-1, 0, 1, 99, 100, 101, 199, 1000, 20_000])
    func `A status that no final response has is refused`(_ status: Int) async throws {
        let refusal = try #require(await refusal(.get, .response(status)))
        #expect(refusal.localizedDescription.contains("\(status)"))
        #expect(refusal.localizedDescription.contains("GET https://api.test/thing"))
    }

    @Test(
        arguments: [
            (.head, .text("x")), (.head, .json("{}", status: 404)), (.get, .text("x", status: 204)),
            (.post, .response(204, body: Data("x".utf8))), (.get, .text("x", status: 304)),
        ] as [(RequestMethod, StubAnswer)])
    func `A body where HTTP has none is refused`(_ method: RequestMethod, _ answer: StubAnswer) async throws {
        let refusal = try #require(await refusal(method, answer))
        #expect(refusal.localizedDescription.contains("has no body"))
    }

    @Test(arguments: [["X": "a\r\nb"], ["X": "a\u{0}"], ["": "a"], ["X Y": "a"], ["X:": "a"]])
    func `A header that cannot be sent is refused`(_ headers: [String: String]) async throws {
        #expect(try #require(await refusal(.get, .response(200, headers: headers))).reason.contains("header"))
    }

    @Test(
        arguments: [
            (.head, .response(200, headers: ["Content-Length": "5"])), (.get, .response(204)), (.get, .response(205)),
            (.get, .text("x", status: 404)), (.get, .response(599)), (.get, .response(999)), (.delete, .text("x")),
            (.get, .response(200, headers: ["X": "é\t"])),
        ] as [(RequestMethod, StubAnswer)])
    func `What a server can answer is answered`(_ method: RequestMethod, _ answer: StubAnswer) async {
        #expect(await refusal(method, answer) == nil)
    }

    @Test func `Answers of the handler, behind a gate and given by hand are refused, too`() async throws {
        network.handler = { $0.url?.lastPathComponent == "handled" ? .response(0) : nil }
        let handled = await service.resource("/handled").request(.get).completion().failure
        #expect(handled?.cause is StubNetwork.ImpossibleAnswer)
        network.answer(.get, "/held", with: .held)
        let held = service.resource("/held").request(.get)
        network.lastExchange?.respond(with: .response(99))
        #expect(await held.completion().failure?.cause is StubNetwork.ImpossibleAnswer)
        let gate = StubGate()
        network.answer(.get, "/gated", with: .text("x", status: 204).after(gate))
        let gated = service.resource("/gated").request(.get)
        gate.open()
        #expect(await gated.completion().failure?.cause is StubNetwork.ImpossibleAnswer)
    }

    @Test func `Answers that no request has got are named`() async throws {
        #expect(network.unusedAnswers.isEmpty)
        network.answer(.get, "/a", with: .response(500), .text("second"))
        network.answer(.post, "/b", with: .failure(.timedOut))
        #expect(network.unusedAnswers.map { $0.prefix { $0 != ":" } } == ["GET /a", "GET /a", "POST /b"])
        _ = await service.resource("/a").request(.get).completion()
        #expect(network.unusedAnswers.first == "GET /a: 200, 6 bytes")
        #expect(network.unusedAnswers.map { $0.prefix { $0 != " " } } == ["GET", "POST"])
        for _ in 0..<2 { _ = await service.resource("/a").request(.get).completion() }
        _ = await service.resource("/b").request(.post).completion()
        #expect(network.unusedAnswers.isEmpty)
        network.answer(.get, "/a", with: .text("replaced"))
        network.answer(.get, "/a", with: .text("newest"))
        _ = await service.resource("/a").request(.get).completion()
        #expect(network.unusedAnswers == ["GET /a: 200, 8 bytes"])
    }

    @Test func `A path is compared with that of a URL, whatever its query ends with`() async {
        network.answer(.get, "/a", with: .text("a"))
        network.answer(.get, "/b", with: .text("b"))
        network.answer(.get, "/a?page=2", with: .text("second page"))
        func text(_ path: String) async -> String? {
            let resource = service.resource(absoluteURL: "https://api.test\(path)")
            await resource.load().completion()
            return resource.text
        }
        #expect(await text("/b?topic=/a") == "b")
        #expect(await text("/a?page=1") == "a")
        #expect(await text("/a?page=2") == "second page")
    }

    // MARK: Streams

    @Test func `A stream brings pieces when the test sends them, and ends when the test says so`() async throws {
        network.answer(.get, "/stream", with: .stream())
        var lines: [String] = []
        let reading = Task { for try await line in service.resource("/stream").lines { lines.append(line) } }
        let stream = try await network.exchange(1)
        stream.send("one\ntw")
        stream.send("o\n")
        try await stream.delivered()
        #expect(stream.isStreaming)
        #expect(!stream.isCompleted)
        stream.finish()
        try await reading.value
        #expect(lines == ["one", "two"])
        #expect(stream.isCompleted)
    }

    @Test func `A stream that is broken brings what was sent before, and then the error`() async throws {
        network.answer(.get, "/stream", with: .stream())
        var size = 0
        let reading = Task { for try await piece in service.resource("/stream").bytes { size += piece.count } }
        let stream = try await network.exchange(1)
        stream.send("abc")
        stream.fail(.networkConnectionLost)
        let error = await #expect(throws: RequestError.self) { try await reading.value }
        #expect((error?.cause as? URLError)?.code == .networkConnectionLost)
        #expect(size == 3)
    }

    @Test func `A client that has gone keeps no test waiting`() async throws {
        network.answer(.get, "/stream", with: .stream())
        let reading = Task { for try await _ in service.resource("/stream").bytes { break } }
        let stream = try await network.exchange(1)
        stream.send("a")
        try await reading.value
        stream.send("b")
        try await Poll.until { stream.isCancelled }
        stream.send("c")
        try await stream.delivered()
    }

    @Test func `A piece that nobody takes fails the wait`() async throws {
        network.answer(.get, "/stream", with: .stream())
        let (pauses, pause) = AsyncStream.makeStream(of: Void.self)
        let reading = Task {
            for try await _ in service.resource("/stream").bytes {
                for await _ in pauses {}  // ends when the test says so
            }
        }
        let stream = try await network.exchange(1)
        for text in ["a", "b", "c"] { stream.send(text) }
        let error = await #expect(throws: TimeLimitExceeded.self) {
            try await stream.delivered(timeLimit: .milliseconds(20))
        }
        #expect(error?.description == "Waited 0.02 seconds for the 3 pieces of a stream")
        pause.finish()
        stream.finish()
        try await reading.value
    }

    @Test func `A load receives a stream as a whole at its end`() async throws {
        network.answer(.get, "/thing", with: .stream(headers: ["Content-Type": "text/plain"]))
        let load = service.resource("/thing").load()
        let stream = try await network.exchange(1)
        stream.send("Hello, ")
        stream.send("world")
        try await stream.delivered()
        #expect(service.resource("/thing").isLoading)
        stream.finish()
        await load.completion()
        #expect(service.resource("/thing").text == "Hello, world")
    }

    @Test func `An unused stream is named as one`() {
        network.answer(.get, "/stream", with: .stream())
        #expect(network.unusedAnswers == ["GET /stream: 200, a stream"])
    }

    // MARK: Waiting for requests

    @Test func `exchange waits for the request with a number, and counts from 1`() async throws {
        network.answer(.get, "/a", with: .held)
        network.answer(.get, "/b", with: .held)
        let (a, b) = (service.resource("/a"), service.resource("/b"))
        var loads: [any Request] = []
        Task { loads = [a.load(), b.load()] }
        let second = try await network.exchange(2)
        #expect(second.request.url?.path == "/b")
        let first = try await network.exchange(1)
        #expect(first === network.exchanges[0])
        first.respond(with: .text("first"))
        second.respond(with: .text("second"))
        for load in loads { await load.completion() }
        #expect(a.text == "first")
        #expect(b.text == "second")
    }

    @Test func `A request that never comes fails the wait, and the error names the requests that came`() async throws {
        network.answer(.post, "/a", with: .held)
        let none = try await #require(throws: TimeLimitExceeded.self) {
            try await network.exchange(1, timeLimit: .milliseconds(20))
        }
        #expect(none.description == "Waited 0.02 seconds for request 1 of a StubNetwork: no request has arrived.")
        _ = service.resource("/a").withParam("token", "geheim").request(.post)
        _ = service.resource("/b").request(.get)
        let some = try await #require(throws: TimeLimitExceeded.self) {
            try await network.exchange(3, timeLimit: .milliseconds(20))
        }
        let arrived = "2 arrived: POST https://api.test/a?token=…, GET https://api.test/b"
        #expect(some.localizedDescription == "Waited 0.02 seconds for request 3 of a StubNetwork: \(arrived)")
    }

    @Test func `A cancelled task stops waiting for a request`() async {
        let waiting = Task { _ = try await network.exchange(1) }
        await mainQueueTurn()
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }

    @Test func `There is no request 0, and a wait for it ends the process with the reason`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try await StubNetwork().exchange(0)
        }
        let text = try String(decoding: #require(result).standardErrorContent, as: UTF8.self)
        #expect(text.contains("counts requests from 1"))
    }

    @Test func `Services with different clocks on one network are pointed out`() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            await MainActor.run {
                let (network, clock) = (StubNetwork(), TestClock())
                let services = [
                    clock.whileCurrent { Service(baseURL: "https://a.test", networking: network) },
                    Service(baseURL: "https://b.test", networking: network),
                ]
                clock.advance(by: Double(services.count))
            }
        }
        let text = try String(decoding: #require(result).standardErrorContent, as: UTF8.self)
        #expect(text.contains("inside clock.whileCurrent"))
    }

    @Test func `A receiver gets one response, and no empty piece`() async throws {
        network.answer(.get, "/file", with: .held)
        let received = Received()
        var call = TransportCall(URLRequest(url: try #require(URL(string: "https://api.test/file"))))
        call.receiver = received
        let (ends, end) = AsyncStream.makeStream(of: Never.self)
        _ = network.siestaNetworkingProvider.transport.start(call) { _ in end.finish() }
        let exchange = try await network.exchange(1)
        exchange.respond(with: .stream())
        exchange.send("")
        exchange.send("first")
        exchange.finish()
        exchange.respond(with: .text("second"))
        for await _ in ends {}
        #expect(await received.texts == ["head", "first"])
    }
}

/// A receiver that notes what it receives.
private actor Received: ResponseReceiver {
    private(set) var texts: [String] = []

    func begin(_ response: HTTPURLResponse) { texts.append("head") }

    func receive(_ piece: Data) { texts.append(String(decoding: piece, as: UTF8.self)) }
}
