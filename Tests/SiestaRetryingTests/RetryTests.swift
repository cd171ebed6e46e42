import Foundation
import Isolation
import Observation
import SiestaCore
import SiestaRetrying
import SiestaTesting
import TestDoubles
import TestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Requests that are sent again after a failure.
@MainActor @Suite(.timeLimit(.test))
struct RetryTests {
    private let trying = TryingService()
    private var resource: Resource { trying.resource }
    private var network: StubNetwork { trying.network }
    private var clock: TestClock { trying.clock }

    @Test func `A request that is sent again after a 304 keeps its steps, whatever the configuration is now`()
        async throws
    {
        network.answer(
            .get, "/thing", with: .text("one", headers: ["ETag": "\"1\""]), .held, .response(503), .text("two"))
        await resource.load().completion()
        let load = resource.load()
        let conditional = try await network.exchange(2)
        trying.service.configure { ($0.retry, $0.timeLimit) = (.none, 5) }
        resource.overrideLocalContent(with: "local")
        conditional.respond(with: .notModified)
        _ = try await network.exchange(3)
        try await clock.waitForTimers(1)
        clock.advance(by: 60)
        #expect(await load.completion().failure == nil)
        #expect(network.requests.count == 4)
    }

    @Test func `From outside, three attempts are one load`() async throws {
        network.answer(.get, "/thing", with: .response(503), .failure(.networkConnectionLost), .text("done"))
        let recorder = ObserverRecorder()
        resource.addObserver(recorder)
        var (completions, progress) = (0, [0.0])
        let load = resource.load().onCompletion { _ in completions += 1 }.onProgress { progress.append($0) }
        await trying.settle()
        #expect(trying.sentCount == 1)
        #expect(resource.isLoading)
        #expect(resource.latestError == nil)
        #expect(resource.retry?.reason == .status(503))
        #expect(resource.retry?.number == 1)
        #expect(resource.retry?.limit == 3)
        #expect(resource.retry?.date?.timeIntervalSinceReferenceDate == clock.wallTime + 0.5)
        #expect(resource.snapshot.retry?.attempt == 2)
        clock.advance(by: 0.49)
        #expect(trying.sentCount == 1)
        clock.advance(by: 0.01)
        #expect(trying.sentCount == 2)
        #expect(resource.retry == nil)
        await trying.settle()
        #expect(resource.retry?.reason == .connection)
        #expect(resource.retry?.number == 2)
        clock.advance(by: 1)
        let info = try await trying.completion(of: load)
        #expect(info.isNew)
        #expect(completions == 1)
        #expect(trying.sentCount == 3)
        #expect(info.metrics?.attempts == 3)
        #expect(progress == progress.sorted())
        #expect(resource.latestData != nil)
        #expect(resource.retry == nil)
        #expect(!resource.isLoading)
        #expect(recorder.events == [.observerAdded, .requested, .newData(.network)])
    }

    @Test func `After the last retry, the last error arrives`() async {
        network.answer(.get, "/thing", with: .response(503), .response(502), .response(500), .response(504))
        let load = resource.load()
        await trying.pass(4)
        #expect(load.isCompleted)
        #expect(resource.latestError?.httpStatusCode == 504)
        #expect(trying.sentCount == 4)
        #expect(resource.retry == nil)
        await trying.pass(60)
        #expect(trying.sentCount == 4)
    }

    @Test func `Without a policy nothing is sent again`() async throws {
        let plain = TryingService { _ in }
        plain.network.answer(.get, "/thing", with: .response(503))
        let info = try await plain.completion(of: plain.resource.load())
        await plain.pass(60)
        #expect(info.failure?.httpStatusCode == 503)
        #expect(plain.sentCount == 1)
        #expect(plain.clock.timers.isEmpty)
    }

    @Test func `A POST is sent again only with an Idempotency-Key, and the key stays the same`() async throws {
        network.answer(.post, "/thing", with: .response(503))
        let plain = resource.request(.post, json: ["a": 1])
        await trying.pass(10)
        #expect(plain.isCompleted)
        #expect(trying.sentCount == 1)
        trying.service.configure { $0.sendsIdempotencyKeys = true }
        let keyed = resource.request(.post, json: ["a": 1])
        await trying.pass(10)
        let keys = network.requests.dropFirst().map { $0.value(forHTTPHeaderField: "Idempotency-Key") }
        #expect(keyed.isCompleted)
        #expect(keys.count == 4)
        #expect(Set(keys).count == 1)
        #expect(try #require(keys.first ?? nil).count == 38)
        let again = keyed.repeated().start()
        await trying.pass(10)
        let newKeys = network.requests.dropFirst(5).map { $0.value(forHTTPHeaderField: "Idempotency-Key") }
        #expect(again.isCompleted)
        #expect(Set(newKeys).count == 1)
        #expect(newKeys.first != keys.first)
    }

    @Test func `Keys are added to POST and PATCH only, and never replace one`() async {
        trying.service.configure { $0.sendsIdempotencyKeys = true }
        network.handler = { _ in .response(200) }
        for method in RequestMethod.allCases { await resource.request(method).completion() }
        await resource.request(.post) { $0.setValue("mine", forHTTPHeaderField: "idempotency-key") }.completion()
        let keyed = network.requests.filter { $0.value(forHTTPHeaderField: "Idempotency-Key") != nil }
        #expect(keyed.map(\.httpMethod) == ["POST", "PATCH", "POST"])
        #expect(keyed.last?.value(forHTTPHeaderField: "Idempotency-Key") == "mine")
    }

    @Test func `A blank Idempotency-Key counts as none`() async {
        network.handler = { _ in .response(503) }
        let blank = resource.request(.post) { $0.setValue("", forHTTPHeaderField: "Idempotency-Key") }
        await trying.pass(10)
        #expect(blank.isCompleted)
        #expect(trying.sentCount == 1)
        trying.service.configure { $0.sendsIdempotencyKeys = true }
        network.handler = { _ in .response(200) }
        await resource.request(.post) { $0.setValue("", forHTTPHeaderField: "Idempotency-Key") }.completion()
        #expect(network.requests.last?.value(forHTTPHeaderField: "Idempotency-Key")?.isEmpty == false)
    }

    @Test func `A stream as body is never sent again`() async {
        network.handler = { _ in .response(503) }
        let request = resource.request(.put) { $0.httpBodyStream = InputStream(data: Data("a".utf8)) }
        await trying.pass(10)
        #expect(request.isCompleted)
        #expect(trying.sentCount == 1)
    }

    @Test func `The server's Retry-After is a lower bound`() async {
        network.answer(.get, "/thing", with: .response(429, headers: ["Retry-After": "7"]), .text("done"))
        resource.load()
        await trying.pass(6.95)
        #expect(trying.sentCount == 1)
        #expect(resource.retry?.reason == .status(429))
        await trying.pass(0.1)
        #expect(trying.sentCount == 2)
        #expect(resource.latestData != nil)
    }

    @Test func `A date in Retry-After is compared with the server's Date`() async {
        let headers = ["Retry-After": "Sun, 06 Nov 1994 08:49:47 GMT", "Date": "Sun, 06 Nov 1994 08:49:37 GMT"]
        network.answer(.get, "/thing", with: .response(503, headers: headers), .text("done"))
        resource.load()
        await trying.pass(9.9)
        #expect(trying.sentCount == 1)
        await trying.pass(0.2)
        #expect(trying.sentCount == 2)
    }

    @Test(arguments: ["-1", "soon", "", "1e3", "Thu, 01 Jan 1970 00:00:00 GMT"])
    func `A malformed or past Retry-After changes nothing`(_ value: String) async {
        network.answer(.get, "/thing", with: .response(503, headers: ["Retry-After": value]), .text("done"))
        resource.load()
        await trying.pass(0.6)
        #expect(trying.sentCount == 2)
        #expect(resource.latestData != nil)
    }

    @Test(arguments: ["99999999999", "61", "Fri, 31 Dec 9999 23:59:59 GMT"])
    func `No one waits longer than the limit, and no load begins before that time`(_ value: String) async throws {
        network.answer(.get, "/thing", with: .response(503, headers: ["Retry-After": value]), .text("done"))
        resource.load()
        await trying.settle()
        let wait = try #require(resource.latestError?.retryAfter)
        #expect(wait == (value == "61" ? 61 : 86_400))
        #expect(!resource.isLoading)
        clock.advance(by: wait - 1)
        #expect(resource.loadIfNeeded() == nil)
        #expect(resource.isUpToDate)
        clock.advance(by: 2)
        #expect(resource.loadIfNeeded() != nil)
        await trying.settle()
        #expect(resource.latestData != nil)
        #expect(resource.latestError == nil)
    }

    @Test func `An app that asks for a load anyway gets it`() async {
        network.answer(.get, "/thing", with: .response(503, headers: ["Retry-After": "3600"]), .text("done"))
        resource.load()
        await trying.settle()
        #expect(resource.loadIfNeeded() == nil)
        resource.invalidate()
        #expect(resource.loadIfNeeded() != nil)
        await trying.settle()
        #expect(resource.latestData != nil)
    }

    @Test func `A cancellation ends the wait at once`() async {
        network.handler = { _ in .response(503) }
        let load = resource.load()
        await trying.settle()
        #expect(resource.retry != nil)
        load.cancel()
        #expect(load.isCompleted)
        #expect(resource.retry == nil)
        #expect(!resource.isLoading)
        await trying.pass(30)
        #expect(trying.sentCount == 1)
    }

    @Test func `A cancellation by an observer that is told of the wait has the same effect`() async {
        network.handler = { _ in .response(503) }
        let canceller = Canceller()
        resource.addObserver(canceller)
        let load = resource.load()
        await trying.pass(30)
        #expect(load.isCompleted)
        #expect(trying.sentCount == 1)
        #expect(resource.retry == nil)
        #expect(canceller.retries.map { $0?.number } == [1, nil])
    }

    @Test func `A wipe ends the wait`() async {
        network.handler = { _ in .response(503) }
        let load = resource.load()
        await trying.settle()
        trying.service.wipeResources(includingCaches: true)
        await trying.pass(30)
        #expect(load.isCompleted)
        #expect(trying.sentCount == 1)
        #expect(resource.retry == nil)
    }

    @Test func `A chain and a decorator see one request`() async {
        network.answer(.get, "/thing", with: .response(503), .response(503), .text("done"))
        var seen: [Int?] = []
        trying.service.configure {
            $0.decorateRequests { _, request in
                request.chained { info in
                    seen.append(info.failure?.httpStatusCode)
                    return .useThisResponse
                }
            }
        }
        let load = resource.load()
        await trying.pass(3)
        #expect(load.isCompleted)
        #expect(seen == [nil])
        #expect(trying.sentCount == 3)
    }

    @Test func `The policy's closure decides, with the number of the attempt and the error`() async {
        var seen: [Int] = []
        let box = Box<(RetryPolicy.FailedAttempt) -> RetryPolicy.Decision?> { attempt in
            seen.append(attempt.number)
            return attempt.error.httpStatusCode == 404 && attempt.number < 3 ? .retry(after: 2) : nil
        }
        trying.service.configure { $0.retry.decide = { box.value($0) } }
        network.handler = { _ in .response(404) }
        let load = resource.load()
        await trying.pass(3.9)
        #expect(trying.sentCount == 2)
        #expect(resource.retry?.reason == .status(404))
        await trying.pass(0.2)
        #expect(load.isCompleted)
        #expect(seen == [1, 2, 3])
    }

    @Test func `A 304 after a retry confirms the data`() async throws {
        network.answer(
            .get, "/thing", with: .text("one", headers: ["ETag": "\"1\""]), .response(503), .notModified)
        await resource.load().completion()
        let load = resource.load()
        await trying.pass(1)
        let info = try await trying.completion(of: load)
        #expect(!info.isNew)
        #expect(trying.sentCount == 3)
        #expect(resource.latestError == nil)
        #expect(network.requests.last?.value(forHTTPHeaderField: "If-None-Match") == "\"1\"")
    }

    @Test func `All services share the budget of an origin`() async {
        network.handler = { _ in .response(503) }
        let other = clock.whileCurrent { [network] in
            Service(baseURL: "https://api.test/v2/", standardTransformers: [], networking: network)
        }
        other.configure { $0.retry = .standard }
        for index in 0..<20 { (index % 2 == 0 ? other : trying.service).resource("/r\(index)").load() }
        await trying.pass(8)
        #expect(trying.sentCount == 20 + 10)
    }

    @Test func `The retries of several loads of one resource are 0.1 seconds apart`() async {
        network.handler = { _ in .response(503) }
        for _ in 0..<4 { resource.load() }
        await trying.settle()
        var times: [TimeInterval] = []
        let count = trying.sentCount
        for _ in 0..<400 {
            let before = trying.sentCount
            clock.advance(by: 0.01)
            for _ in before..<trying.sentCount { times.append(clock.clock.monotonicTime) }
            await trying.settle()
        }
        #expect(times.count == 10)
        #expect(trying.sentCount == count + 10)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 > 0.095 })
    }

    @Test func `Loops over states and observers learn of the wait`() async throws {
        network.answer(.get, "/thing", with: .response(503), .text("done"))
        let states = resource.states
        let loop = Task {
            var reasons: [Resource.Retry.Reason?] = []
            for await state in states {
                if state.retry?.reason != reasons.last ?? nil { reasons.append(state.retry?.reason) }
                if state.data != nil { break }
            }
            return reasons
        }
        let load = resource.load()
        for _ in 0..<100 where !load.isCompleted { await trying.pass(0.05) }
        try #require(load.isCompleted)
        #expect(await loop.value == [.status(503), nil])
    }

    @MainActor private final class Canceller: ResourceObserver {
        var retries: [Resource.Retry?] = []

        func resourceChanged(_ resource: Resource, event: ResourceEvent) {}

        func resourceRetryChanged(_ resource: Resource, retry: Resource.Retry?) {
            retries.append(retry)
            if retry != nil { resource.cancelAllLoads() }
        }
    }

    @Test func `A request that the closure cancels is not sent again`() async {
        let cancelled = Variable<(any Request)?>(nil)
        let trying = TryingService {
            $0.pacing.concurrentRequests = 1
            $0.retry.decide = { _ in
                cancelled.value?.cancel()
                return .retry(after: 1)
            }
        }
        trying.network.handler = { _ in .response(503) }
        cancelled.value = trying.resource.load()
        await trying.settle()
        #expect(cancelled.value?.isCompleted == true)
        #expect(trying.resource.retry == nil)
        await trying.pass(3)
        trying.service.resource("/other").load()
        #expect(trying.sentCount == 2)
    }

    @Test func `A wait that ends while Observation announces it is not shown`() async {
        network.answer(.get, "/thing", with: .response(503))
        let resource = resource
        let load = resource.load()
        let isTold = Locked(false)
        withObservationTracking {
            _ = resource.retry
        } onChange: {
            guard !isTold.withLock({ exchange(&$0, with: true) }) else { return }
            MainActor.assumeIsolated { for request in resource.allRequests { request.cancel() } }
        }
        await trying.settle()
        #expect(isTold.withLock { $0 })
        #expect(load.isCompleted)
        #expect(resource.retry == nil)
        #expect(resource.snapshot.retry == nil)
    }
}

extension Resource {
    fileprivate func cancelAllLoads() {
        for load in loadRequests { load.cancel() }
    }
}

/// A closure of the main actor that a `Sendable` closure calls.
@MainActor
private final class Box<Value> {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}

/// A variable of the main actor that a `Sendable` closure reads.
@MainActor
private final class Variable<Value> {
    var value: Value

    init(_ value: Value) {
        self.value = value
    }
}
