import Foundation
import Observation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

/// Loads that first wait for a read of a persistent cache.
@MainActor @Suite(.timeLimit(.test))
struct LoadAfterCacheTests {
    private let stub = StubbedResource()
    private let cache = InMemoryCache()
    private let recorder = ObserverRecorder()
    private let endRead: @Sendable () -> Void
    private var resource: Resource { stub.resource }

    init() {
        endRead = cache.holdReads()
        let cache = cache
        stub.service.configure { $0.pipeline[.cleanup].cacheUsing(cache) }
        stub.network.answer(.get, "/thing", with: .text("network"))
    }

    @Test func `Data from the cache that is fresh enough: no request, and the load ends with that data`() async {
        store("cached", age: 10)
        resource.addObserver(recorder)
        let load = resource.loadIfNeeded()
        #expect(load != nil)
        #expect(resource.isLoading)
        endRead()
        let info = await load?.completion()
        #expect(info?.text == "cached")
        #expect(stub.network.requests.isEmpty)
        #expect(resource.text == "cached")
        #expect(resource.timestamp == stub.clock.wallTime - 10)
        #expect(recorder.events == [.observerAdded, .newData(.cache), .notModified])
        #expect(!resource.isLoading)
    }

    @Test func `Fresh data from the cache is new for the hooks of the load`() async {
        store("cached", age: 10)
        var calls: [String] = []
        let load = resource.loadIfNeeded()
        load?.onNewData { calls.append("new data: \($0.text)") }.onNotModified { calls.append("not modified") }
            .onSuccess { calls.append("success: \($0.text)") }
        endRead()
        #expect(await load?.completion().isNew == true)
        #expect(calls == ["new data: cached", "success: cached"])
    }

    @Test func `Fresh data from the cache is new for another resource that is loaded with the same request`()
        async throws
    {
        store("cached", age: 10)
        let (other, recorder) = (stub.service.resource("/other"), ObserverRecorder())
        stub.service.configure("/other") { $0.pipeline.removeAllCaches() }
        other.addObserver(recorder)
        let load = try #require(resource.loadIfNeeded())
        other.load(using: load)
        endRead()
        await load.completion()
        #expect(other.text == "cached")
        #expect(recorder.events == [.observerAdded, .requested, .newData(.network)])
        #expect(resource.snapshot.source == .cache)
    }

    @Test func `A response to a load that began before a write is not stored if freshness follows HTTP`() async throws {
        stub.service.configure { $0.freshness = .http }
        stub.network.answer(.get, "/thing", with: .held)
        stub.network.answer(.put, "/thing", with: .response(204))
        let load = try #require(resource.loadIfNeeded())
        endRead()
        while stub.network.requests.isEmpty { await mainQueueTurn() }
        await resource.request(.put, text: "new").completion()
        try stub.exchange(0).respond(with: .text("old", headers: ["Cache-Control": "max-age=60"]))
        await load.completion()
        #expect(resource.text == "old")
        #expect(resource.isStale)
        while !stub.service.unfinishedWork(includingTimers: false).isEmpty { await mainQueueTurn() }
        #expect(cache.entities.isEmpty)
    }

    @Test func `A repeated load that began before a write is not stored if freshness follows HTTP`() async throws {
        stub.service.configure {
            $0.freshness = .http
            $0.repeatRefusedRequests()
        }
        stub.network.answer(.get, "/thing", with: .response(401), .held)
        stub.network.answer(.put, "/thing", with: .response(204))
        let load = resource.load()
        endRead()
        let repetition = try await stub.network.exchange(2)
        stub.clock.advance(by: 1)
        await resource.request(.put, text: "new").completion()
        stub.clock.advance(by: 1)
        repetition.respond(with: .text("old", headers: ["Cache-Control": "max-age=60"]))
        await load.completion()
        #expect(resource.isStale)
        while !stub.service.unfinishedWork(includingTimers: false).isEmpty { await mainQueueTurn() }
        #expect(cache.entities.isEmpty)
    }

    @Test func `The network is asked after the cache, and observers hear of it then`() async {
        resource.addObserver(recorder)
        let load = resource.loadIfNeeded()
        await mainQueueTurn()
        #expect(recorder.events == [.observerAdded])
        var requestCounts: [Int] = []
        recorder.onEvent = { if $0 == .requested { requestCounts.append(stub.network.requests.count) } }
        endRead()
        await load?.completion()
        #expect(requestCounts == [1])
        #expect(recorder.events == [.observerAdded, .requested, .newData(.network)])
    }

    @Test func `A load that waits is in the states at once, although there is no event`() async {
        store("cached", age: 10)
        let states = ResourceStates(resource: resource).makeAsyncIterator()
        #expect(await states.next()?.isLoading == false)
        let load = resource.loadIfNeeded()
        endRead()
        let waiting = await states.next()
        #expect(waiting?.isLoading == true)
        #expect(waiting?.data == nil)
        await load?.completion()
    }

    @Test func `A repeated load that waited sends no event, because it is not a load`() async {
        let load = resource.loadIfNeeded()
        endRead()
        await load?.completion()
        resource.addObserver(recorder)
        stub.clock.advance(by: 31)
        await load?.repeated().start().completion()
        #expect(stub.network.requests.count == 2)
        #expect(recorder.events == [.observerAdded])
    }

    @Test func `An observer that cancels the load when the network is asked ends it`() async throws {
        stub.network.answer(.get, "/thing", with: .held)
        resource.addObserver(recorder)
        let load = resource.loadIfNeeded()
        recorder.onEvent = { if $0 == .requested { load?.cancel() } }
        endRead()
        #expect(await load?.completion().response.isCancellation == true)
        #expect(try stub.exchange(0).isCancelled)
        #expect(recorder.events == [.observerAdded, .requested, .requestCancelled])
        #expect(!resource.isLoading)
    }

    @Test func `A decorator that wipes the resource ends the load, and the request that it returns`() async throws {
        stub.service.configure {
            $0.decorateRequests { resource, request in
                resource.wipe()
                return request
            }
        }
        stub.network.answer(.get, "/thing", with: .held)
        resource.addObserver(recorder)
        let load = resource.loadIfNeeded()
        endRead()
        #expect(await load?.completion().response.isCancellation == true)
        #expect(recorder.events == [.observerAdded, .requestCancelled, .newData(.wipe)])
        #expect(resource.allRequests.isEmpty)
        #expect(try stub.exchange(0).isCancelled)
        #expect(!resource.isLoading)
        endRead()  // The wipe has begun another read.
    }

    @Test func `A cancelled task that ends the read does not cancel the load`() async throws {
        let load = try #require(resource.loadIfNeeded())
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            resource.overrideLocalData(with: entity("old", age: 31))
        }
        await task.value
        #expect(await load.completion().text == "network")
        #expect(resource.text == "network")
        endRead()
    }

    @Test func `Data from the cache that is too old is shown, and the network asked`() async {
        store("cached", age: 31)
        resource.addObserver(recorder)
        let load = resource.loadIfNeeded()
        endRead()
        await load?.completion()
        #expect(resource.text == "network")
        #expect(
            recorder.events == [.observerAdded, .newData(.cache), .requested, .newData(.network)])
        #expect(stub.network.requests.count == 1)
    }

    @Test func `Nothing in the cache: the network is asked, once the cache has said so`() async {
        let load = resource.loadIfNeeded()
        await mainQueueTurn()
        #expect(stub.network.requests.isEmpty)
        endRead()
        await load?.completion()
        #expect(resource.text == "network")
        #expect(stub.network.requests.count == 1)
    }

    @Test func `The load that waits is the one in progress: asking again returns it`() async {
        let load = resource.loadIfNeeded()
        #expect(resource.loadIfNeeded() === load)
        endRead()
        await load?.completion()
        #expect(stub.network.requests.count == 1)
    }

    @Test func `load() does not wait; what the cache brings later is ignored`() async {
        store("cached", age: 0)
        resource.addObserver(recorder)
        let load = resource.load()
        #expect(stub.network.requests.count == 1)
        await load.completion()
        endRead()
        await cacheTurn()
        #expect(resource.text == "network")
        #expect(!recorder.events.contains(.newData(.cache)))
    }

    @Test
    func `A waiting load can be cancelled, and then never asks the network; the cached data is shown all the same`()
        async
    {
        store("cached", age: 100)
        resource.addObserver(recorder)
        let load = resource.loadIfNeeded()
        load?.cancel()
        #expect(!resource.isLoading)
        let cached = Task.immediate { await recorder.next(.newData(.cache)) }
        endRead()
        await cached.value
        await mainQueueTurn()
        #expect(stub.network.requests.isEmpty)
        #expect(resource.text == "cached")
        #expect(recorder.events == [.observerAdded, .requestCancelled, .newData(.cache)])
    }

    @Test func `A load that is passed on to the network can be cancelled there`() async throws {
        let load = resource.loadIfNeeded()
        await withCheckedContinuation { continuation in
            stub.network.handler = { _ in
                continuation.resume()
                return .held
            }
            endRead()
        }
        load?.cancel()
        #expect(try stub.exchange(0).isCancelled)
        #expect(!resource.isRequesting)
    }

    @Test func `An override ends the waiting: it makes the resource up to date`() async {
        store("cached", age: 0)
        let load = resource.loadIfNeeded()
        resource.overrideLocalContent(with: "mine")
        await load?.completion()
        endRead()
        await cacheTurn()
        #expect(resource.text == "mine")
        #expect(stub.network.requests.isEmpty)
    }

    @Test(arguments: [FreshnessRule.fixed, .http], [FetchPolicy.ifStale, .ifOlder(than: 100), .cached])
    func `A wipe cancels who waits for the cache, and nobody is asked`(rule: FreshnessRule, policy: FetchPolicy)
        async
    {
        stub.service.configure { $0.freshness = rule }
        store("cached", age: 10)
        let resource = resource
        let task = Task { try await resource.typed(as: String.self).get(policy) }
        await mainQueueTurn()
        stub.service.wipeResources(includingCaches: true)
        for _ in 1...2 { endRead() }
        let error = await #expect(throws: RequestError.self) { try await task.value }
        #expect(error?.isCancellation == true)
        #expect(stub.network.requests.isEmpty)
    }

    private func store(_ text: String, age: TimeInterval) {
        cache.entities = [resource.url.absoluteString: entity(text, age: age)]
    }

    private func entity(_ text: String, age: TimeInterval) -> Entity<Any> {
        Entity(
            content: text, charset: nil, headers: ["Content-Type": "text/plain"], timestamp: stub.clock.wallTime - age)
    }

    /// Waits long enough for an unwanted event to happen: one turn of the cache's queue and one of the main queue.
    private func cacheTurn() async {
        await withCheckedContinuation { continuation in
            cache.workQueue.async { continuation.resume() }
        }
        await mainQueueTurn()
    }

    @Test func `Data of a load before an invalidation does not become fresh because a later load has failed`()
        async throws
    {
        stub.network.answer(.get, "/thing", with: .held, .failure(.timedOut), .text("new"))
        let outdated = resource.load()
        stub.service.invalidate(matching: resource)
        let waiting = try #require(resource.loadIfNeeded())
        #expect(waiting !== outdated)
        try stub.exchange(0).respond(with: .text("old"))
        await outdated.completion()
        await resource.load().completion()
        #expect(resource.text == "old")
        #expect(resource.latestError != nil)
        endRead()
        #expect(await waiting.completion().text == "new")
        #expect(resource.text == "new")
        #expect(stub.network.requests.count == 3)
    }

    @Test func `Code that is told of fresh data from the cache sends no request`() async {
        store("cached", age: 10)
        let resource = resource
        withObservationTracking {
            _ = resource.latestData
        } onChange: {
            MainActor.assumeIsolated { _ = resource.loadIfNeeded() }
        }
        endRead()
        await resource.cacheIsRead()
        #expect(resource.text == "cached")
        #expect(stub.network.requests.isEmpty)
    }
}
