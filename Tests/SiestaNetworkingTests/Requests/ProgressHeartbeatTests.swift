import Foundation
import Isolation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

/// The times and values of progress reports.
@MainActor @Suite(.timeLimit(.test))
struct ProgressHeartbeatTests {
    private let clock = TestClock()

    @Test func `Progress is reported once in each interval in which it has changed`() {
        let (operation, log) = start(interval: 1)
        operation.progress = 0.1
        clock.advance(by: 0.9)
        #expect(log.progress == [])
        clock.advance(by: 0.1)
        #expect(log.progress == [0.1])
        operation.progress = 0.2
        clock.advance(by: 1)
        clock.advance(by: 5)
        operation.progress = 0.3
        clock.advance(by: 1)
        #expect(log.progress == [0.1, 0.2, 0.3])
    }

    @Test(arguments: RequestOutcome.allCases)
    func `The final report is 1 and comes before completion hooks, whatever the outcome`(_ outcome: RequestOutcome)
        async
    {
        let operation = ManualOperation()
        let request = clock.whileCurrent { Resource.prepareRequest(using: operation).start() }
        var calls: [String] = []
        request.onCompletion { _ in calls.append("completion") }
        request.onProgress { calls.append("\($0)") }
        operation.progress = 0.5
        clock.advance(by: 1)
        switch outcome {
        case .success: operation.complete(with: .text("done"))
        case .failure:
            operation.complete(
                with: ResponseInfo(
                    response: .failure(RequestError(userMessage: "", cause: CocoaError(.fileNoSuchFile)))))
        case .cancellation: request.cancel()
        }
        #expect(calls == ["0.5", "1.0", "completion"])
        clock.advance(by: 10)
        await mainQueueTurn()
        #expect(calls.count == 3)
    }

    enum RequestOutcome: CaseIterable {
        case success, failure, cancellation
    }

    @Test func `A hook attached after completion is told 1, once`() async {
        let request = Resource.hardWiredRequest(returning: ResponseInfo.text("").response)
        var progress: [Double] = []
        request.onProgress { progress.append($0) }
        await mainQueueTurn()
        #expect(progress == [1])
    }

    @Test func `Progress never goes back, exceeds 1 or is not a number, whatever the work says`() {
        let (operation, log) = start(interval: 1)
        for value in [0.4, 0.2, -.infinity, .nan, 0.5, -1, .infinity, 0.6, 7, 0.1] {
            operation.progress = value
            clock.advance(by: 1)
        }
        #expect(log.progress == [0.4, 0.5, 0.6, 1])
        #expect(log.request?.progress == 1)
    }

    @Test func `The property is 0 before the start, the estimate in flight, and 1 at the end`() {
        let operation = ManualOperation()
        operation.progress = 0.7
        let request = Resource.prepareRequest(using: operation)
        #expect(request.progress == 0)
        request.start()
        #expect(request.progress == 0.7)
        operation.progress = 0.6
        #expect(request.progress == 0.7)
        request.cancel()
        #expect(request.progress == 1)
    }

    @Test func `Hooks attached before the start and in flight get the same reports`() {
        let operation = ManualOperation()
        let request = clock.whileCurrent { Resource.prepareRequest(using: operation) }
        let (early, late) = (ProgressLog(), ProgressLog())
        early.follow(request)
        request.start()
        late.follow(request)
        operation.progress = 0.5
        clock.advance(by: 1)
        #expect(early.progress == [0.5])
        #expect(late.progress == [0.5])
    }

    @Test(arguments: [0, -1, .nan, .infinity])
    func `An interval that makes no sense neither starves nor floods the main thread`(_ interval: Double) {
        let (operation, log) = start(interval: interval)
        operation.progress = 0.5
        clock.advance(by: 0.01)
        operation.complete(with: .text("done"))
        #expect(log.progress.last == 1)
        #expect(log.progress.count <= 2)
    }

    @Test func `Requests of one service report in their own intervals, and their ends do not disturb the others`() {
        let service = stubbedService(intervals: ["/fast": 1, "/slow": 3, "/other": 1])
        let (fast, slow, other) = (ProgressLog(), ProgressLog(), ProgressLog())
        fast.follow(service.resource("/fast").request(.get))
        slow.follow(service.resource("/slow").request(.get))
        other.follow(service.resource("/other").request(.get))
        clock.advance(by: 2)
        #expect([fast, slow, other].map(\.progress.count) == [2, 0, 2])
        fast.request?.cancel()
        clock.advance(by: 1)
        #expect([fast, slow, other].map(\.progress.count) == [3, 1, 3])
        other.request?.cancel()
        slow.request?.cancel()
        clock.advance(by: 100)
        #expect([fast, slow, other].map(\.progress.count) == [3, 2, 4])
    }

    @Test func `A request that starts later, with a shorter interval, does not wait for the others`() {
        let service = stubbedService(intervals: ["/slow": 10, "/fast": 1])
        let (slow, fast) = (ProgressLog(), ProgressLog())
        slow.follow(service.resource("/slow").request(.get))
        clock.advance(by: 1)
        fast.follow(service.resource("/fast").request(.get))
        clock.advance(by: 1)
        #expect(fast.progress.count == 1)
        #expect(slow.progress.isEmpty)
        clock.advance(by: 8)
        #expect(slow.progress.count == 1)
        #expect(fast.progress.count == 9)
        for log in [slow, fast] { log.request?.cancel() }
    }

    @Test func `Observers are told the progress of loads every progressReportingInterval, and 1 at the end`() throws {
        let stub = StubbedResource()
        let recorder = ObserverRecorder()
        stub.service.configure { $0.progressReportingInterval = 2 }
        stub.network.answer(.get, "/thing", with: .held)
        stub.resource.addObserver(recorder)
        let load = stub.resource.load()
        let exchange = try stub.exchange(0)
        stub.clock.advance(by: 1.9)
        #expect(recorder.progress.isEmpty)
        exchange.transferMetrics = RequestTransferMetrics(
            requestBytesSent: 0, requestBytesTotal: nil, responseBytesReceived: 50, responseBytesTotal: 100)
        stub.clock.advance(by: 0.1)
        #expect(recorder.progress.count == 1)
        #expect((0.2...0.9).contains(recorder.progress[0]))
        load.cancel()
        #expect(recorder.progress.count == 2)
        #expect(recorder.progress.last == 1)
    }

    @Test func `Observers are not told the progress of requests that are not loads`() {
        let stub = StubbedResource()
        let recorder = ObserverRecorder()
        stub.network.answer(.post, "/thing", with: .held)
        stub.resource.addObserver(recorder)
        let request = stub.resource.request(.post)
        stub.clock.advance(by: 1)
        request.cancel()
        #expect(recorder.progress.isEmpty)
    }

    @Test func `The default interval is 0.05 seconds`() {
        let stub = StubbedResource()
        stub.network.answer(.get, "/thing", with: .held)
        let log = ProgressLog()
        log.follow(stub.resource.request(.get))
        stub.clock.advance(by: 0.501)
        #expect(log.progress.count == 10)
        log.request?.cancel()
    }

    /// The actions of the app on a request whose interval is being read.
    enum Meddling: CaseIterable {
        case cancels, attachesHook
    }

    @Test func `A request that ends, or is added, while its interval is asked for is not asked for ever after`() {
        for meddling in Meddling.allCases {
            let operation = MeddlingOperation()
            let request = clock.whileCurrent { Resource.prepareRequest(using: operation) }
            operation.onFirstInterval = {
                switch meddling {
                case .cancels: request.cancel()
                case .attachesHook: request.onProgress { _ in }
                }
            }
            request.onProgress { _ in }
            request.start()
            clock.advance(by: 1)
            request.cancel()
            let count = operation.intervalCount
            #expect(count > 0)
            clock.advance(by: 10)
            #expect(operation.intervalCount == count, "\(meddling)")
        }
    }

    private func start(interval: TimeInterval) -> (ManualOperation, ProgressLog) {
        let operation = ManualOperation()
        operation.progressReportingInterval = interval
        let log = ProgressLog()
        log.follow(clock.whileCurrent { Resource.prepareRequest(using: operation).start() })
        return (operation, log)
    }

    private func stubbedService(intervals: [String: TimeInterval]) -> Service {
        let network = StubNetwork()
        network.handler = { _ in .held }
        let service = clock.whileCurrent { Service(baseURL: "https://api.test", networking: network) }
        for (path, interval) in intervals { service.configure(path) { $0.progressReportingInterval = interval } }
        return service
    }

    @Test(arguments: [false, true])
    func `The interval also applies to decorated loads, and to loads that wait for a cache`(
        hasCache: Bool
    ) async throws {
        let (stub, recorder, cache) = (StubbedResource(), ObserverRecorder(), InMemoryCache())
        stub.service.configure {
            $0.progressReportingInterval = 2
            if hasCache {
                $0.pipeline[.cleanup].cacheUsing(cache)
            } else {
                $0.decorateRequests { _, request in request.chained { _ in .useThisResponse } }
            }
        }
        stub.network.answer(.get, "/thing", with: .held)
        stub.resource.addObserver(recorder)
        let load = try #require(stub.resource.loadIfNeeded())
        while stub.network.requests.isEmpty { await mainQueueTurn() }
        let exchange = try stub.exchange(0)
        exchange.transferMetrics = RequestTransferMetrics(
            requestBytesSent: 0, requestBytesTotal: nil, responseBytesReceived: 50, responseBytesTotal: 100)
        stub.clock.advance(by: 1.9)
        #expect(recorder.progress.isEmpty)
        stub.clock.advance(by: 0.1)
        #expect(recorder.progress.count == 1)
        load.cancel()
    }

    @Test func `A timer that is a little early does not end the reports`() throws {
        let (time, timers) = (Locked(100.0), Locked<[(delay: Double, action: @MainActor () -> Void)]>([]))
        let clock = SiestaClock(
            wallTime: { 0 }, monotonicTime: { time.withLock { $0 } },
            schedule: { delay, action in timers.withLock { $0.append((delay, action)) } })
        let operation = ManualOperation()
        let request = SiestaClock.$current.withValue(clock) { Resource.prepareRequest(using: operation).start() }
        var progress: [Double] = []
        request.onProgress { progress.append($0) }
        for value in [0.1, 0.2] {
            operation.progress = value
            let timer = try #require(timers.withLock { $0.isEmpty ? nil : $0.removeFirst() })
            time.withLock { $0 += timer.delay - 0.002 }
            timer.action()
        }
        #expect(progress == [0.1, 0.2])
        request.cancel()
    }
}

/// The work of a request, which performs an action when its interval is read.
@MainActor
private final class MeddlingOperation: RequestDelegate {
    var onFirstInterval: (() -> Void)?
    private(set) var intervalCount = 0

    var progressReportingInterval: TimeInterval {
        intervalCount += 1
        onFirstInterval.take()?()
        return 1
    }

    func startUnderlyingOperation(passingResponseTo completionHandler: any RequestCompletionHandler) {}
    func cancelUnderlyingOperation() {}
    func repeated() -> any RequestDelegate { self }
    func computeProgress() -> Double { 0 }
    var requestDescription: String { "meddling operation" }
}

/// The progress that a request has reported.
@MainActor
private final class ProgressLog {
    private(set) var progress: [Double] = []
    private(set) var request: (any Request)?

    func follow(_ request: any Request) {
        self.request = request
        request.onProgress { self.progress.append($0) }
    }
}
