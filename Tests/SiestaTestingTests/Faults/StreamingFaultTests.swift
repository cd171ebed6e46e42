import Foundation
import Isolation
import SiestaCore
import SiestaRecording
import SiestaTesting
import SiestaTransfers
import TestDoubles
import TestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The faults of responses that are read while they arrive.
@MainActor @Suite(.timeLimit(.test))
struct StreamingFaultTests {
    private let stub = StreamingStub()
    private let network: FaultyNetwork
    private let service: Service

    init() {
        network = FaultyNetwork(stub, seed: 1, rates: .none)
        service = Service(baseURL: "http://faults.test", networking: network)
        network.rates.delaySeconds = 0...0.01
        network.rates.timeoutSeconds = 0.01
    }

    private func read() async throws -> Int {
        var count = 0
        for try await piece in service.resource("/x").bytes { count += piece.count }
        return count
    }

    @Test func `A network that cannot stream cannot do so with faults`() async throws {
        let service = Service(baseURL: "http://faults.test", networking: FaultyNetwork(WholeNetwork(), seed: 1))
        await #expect(throws: (any Error).self) {
            for try await _ in service.resource("/x").bytes {}
        }
        let plain = FaultyNetwork(WholeNetwork(), seed: 1).siestaNetworkingProvider
        #expect(plain.transport.capabilities.isEmpty)
    }

    @Test func `Without faults, and with delays, a stream is whole`() async throws {
        #expect(try await read() == 1000)
        network.rates.delay = 1
        #expect(try await read() == 1000)
        network.isEnabled = false
        #expect(try await read() == 1000)
        #expect(stub.requestCount.withLock { $0 } == 3)
        #expect(network.log.count == 2)
    }

    @Test func `A lost request does not arrive`() async throws {
        network.rates.lostRequest = 1
        await #expect(throws: RequestError.self) { try await read() }
        #expect(stub.requestCount.withLock { $0 } == 0)
    }

    @Test func `A lost response ends the stream with an error`() async throws {
        network.rates.lostResponse = 1
        for _ in 0..<4 { await #expect(throws: RequestError.self) { try await read() } }
        #expect(stub.requestCount.withLock { $0 } == 4)
    }

    @Test func `A burst ends the stream with the status`() async throws {
        network.rates.burst = 1
        let error = await #expect(throws: RequestError.self) { try await read() }
        #expect((500...504).contains(error?.httpStatusCode ?? 0))
    }

    @Test func `A cut stream ends with an error, after a part of its bytes`() async throws {
        network.rates.cutBody = 1
        var count = 0
        await #expect(throws: RequestError.self) {
            for try await piece in service.resource("/x").bytes { count += piece.count }
        }
        #expect(count < 1000)
    }

    /// Returns the delays of five pieces of an event stream.
    private func delays(_ seed: UInt64) async throws -> [TimeInterval] {
        let (clock, stub) = (TestClock(), StubNetwork())
        let network = FaultyNetwork(stub, seed: seed, rates: .none)
        network.rates.delay = 1
        let service = clock.whileCurrent { Service(baseURL: "http://faults.test", networking: network) }
        stub.answer(.get, "/events", with: .stream())
        let reading = Task { for try await _ in service.resource("/events").bytes {} }
        // The request and the head of the response have delays of their own.
        try await clock.waitForTimers(1)
        clock.advance(by: 3)
        let stream = try await stub.exchange(1)
        try await clock.waitForTimers(1)
        clock.advance(by: 3)
        var delays: [TimeInterval] = []
        for _ in 0..<5 {
            stream.send("data: x\n\n")
            try await clock.waitForTimers(1)
            delays += clock.timers
            clock.advance(by: 3)
            try await stream.delivered()
        }
        stream.finish()
        try await reading.value
        return delays
    }

    @Test func `The pieces of an event stream are delayed by the seed`() async throws {
        let first = try await delays(1)
        #expect(first.count == 5)
        #expect(first.allSatisfy { $0 >= 0.05 && $0 <= 3 })
        #expect(try await delays(1) == first)
        #expect(try await delays(2) != first)
    }

    @Test func `An event stream is cut within its first 4096 bytes`() async throws {
        let stub = StubNetwork()
        let network = FaultyNetwork(stub, seed: 1, rates: .none)
        network.rates.cutBody = 1
        let service = Service(baseURL: "http://faults.test", networking: network)
        stub.answer(.get, "/events", with: .stream())
        for number in 1...4 {
            var count = 0
            let reading = Task {
                for try await piece in service.resource("/events").bytes { count += piece.count }
            }
            let stream = try await stub.exchange(number)
            for _ in 0..<50 { stream.send("data: " + String(repeating: "x", count: 92) + "\n\n") }
            let error = await #expect(throws: RequestError.self) { try await reading.value }
            #expect((error?.cause as? URLError)?.code == .networkConnectionLost)
            #expect(count < 4096)
        }
    }

    @Test func `An event stream can be refused`() async throws {
        let stub = StubNetwork()
        let network = FaultyNetwork(stub, seed: 1, rates: .none)
        network.rates.burst = 1
        let service = Service(baseURL: "http://faults.test", networking: network)
        stub.answer(.get, "/events", with: .stream())
        let error = await #expect(throws: RequestError.self) {
            for try await _ in service.resource("/events").bytes {}
        }
        #expect((500...504).contains(error?.httpStatusCode ?? 0))
        #expect(stub.requests.isEmpty)
    }

    @Test func `An upload is never sent twice`() async throws {
        network.rates.duplicate = 1
        let body = AsyncStream<Data> { continuation in
            continuation.yield(Data("abc".utf8))
            continuation.finish()
        }
        _ = await service.resource("/x").request(.put, body: .stream(body, contentType: "text/plain")).completion()
        #expect(stub.requestCount.withLock { $0 } == 1)
    }

    @Test func `A response that is cancelled during its delay ends at once`() async throws {
        let (clock, url) = (TestClock(), "http://faults.test/x")
        let entry = HARArchive.Entry(
            request: .init(url: url), response: .init(status: 200, body: .init(Data("x".utf8))))
        let network = FaultyNetwork(HARReplay(HARArchive(entries: [entry])), seed: 1, rates: .none)
        (network.rates.delay, network.rates.delaySeconds) = (1, 5...5)
        let transport = clock.whileCurrent { network.siestaNetworkingProvider.transport }
        var call = TransportCall(URLRequest(url: try #require(URL(string: url))))
        call.receiver = Ignored()
        let (ends, end) = AsyncStream.makeStream(of: URLError.Code?.self)
        let handle = transport.start(call) { end.yield(($0.error as? URLError)?.code) }
        try await clock.waitForTimers(1)
        clock.advance(by: 5)  // The request is sent.
        try await clock.waitForTimers(1)
        handle.cancel()
        for await code in ends {
            #expect(code == .cancelled)
            break
        }
    }
}

/// A network that streams 1,000 bytes in pieces of 100.
private final class StreamingStub: StreamingNetworkingProvider {
    let requestCount = Locked(0)

    func startRequest(
        _ request: URLRequest, completion: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking {
        startRequest(request, body: nil, receiver: nil, completion: completion)
    }

    func startRequest(
        _ request: URLRequest, body: (any StreamedBody)?, receiver: (any ResponseReceiver)?,
        completion: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking {
        requestCount.withLock { $0 += 1 }
        guard let url = request.url,
            let response = HTTPURLResponse(
                url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: ["Content-Length": "1000"])
        else { return Handle() }
        Task { @concurrent in
            do {
                try await receiver?.begin(response)
                for _ in 0..<10 { try await receiver?.receive(Data(count: 100)) }
                completion(response, nil, nil)
            } catch {
                completion(nil, nil, error)
            }
        }
        return Handle()
    }

    private struct Handle: RequestNetworking {
        func cancel() {}
        var transferMetrics: RequestTransferMetrics {
            RequestTransferMetrics(
                requestBytesSent: 0, requestBytesTotal: nil, responseBytesReceived: 0, responseBytesTotal: nil)
        }
    }
}

private struct Ignored: ResponseReceiver {
    func begin(_ response: HTTPURLResponse) async throws {}
    func receive(_ piece: Data) async throws {}
}
