import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing
import Waiting

/// The ways to ask for data: by age, from caches only, and beside running loads.
@MainActor @Suite(.timeLimit(.test))
struct AskingTests {
    private let stub = StubbedResource()
    private let cache = InMemoryCache()
    private var resource: Resource { stub.resource }
    private var typed: TypedResource<String> { resource.typed() }

    private func useCache(_ text: String? = nil, age: TimeInterval = 0) {
        if let text {
            cache.entities[resource.url.absoluteString] = Entity(
                content: text, headers: ["Content-Type": "text/plain"], timestamp: stub.clock.wallTime - age)
        }
        let cache = cache
        stub.service.configure { $0.pipeline[.cleanup].cacheUsing(cache) }
    }

    // MARK: By age

    @Test(arguments: [
        (5.0, 10.0, false), (15, 10, true), (10, 10, false), (15, 60, false), (50, 60, false), (0, -1, true),
    ])
    func `The age of the data decides, and not the expiration time`(_ age: Double, _ limit: Double, _ isLoad: Bool)
        async
    {
        await stub.load(.text("old"))
        stub.clock.advance(by: age)
        #expect((resource.loadIfNeeded(maxAge: limit) != nil) == isLoad)
        #expect(stub.network.requests.count == (isLoad ? 2 : 1))
    }

    @Test func `Fresh data of a maximum age`() async throws {
        await stub.load(.text("old"))
        stub.clock.advance(by: 5)
        #expect(try await typed.get(.ifOlder(than: 5)) == "old")
        stub.network.answer(.get, "/thing", with: .text("new"))
        #expect(try await typed.get(.ifOlder(than: 4)) == "new")
        #expect(try await resource.get(.ifOlder(than: 60)).content as? String == "new")
        #expect(stub.network.requests.count == 2)
        #expect(typed.loadIfNeeded(maxAge: .nan) != nil)
    }

    @Test(arguments: [-1, .nan], [FreshnessRule.fixed, .http])
    func `No data is new enough for an age that is negative or not a number`(_ limit: Double, _ rule: FreshnessRule)
        async throws
    {
        stub.service.configure { $0.freshness = rule }
        await stub.load(.text("old", headers: ["Cache-Control": "max-age=60"]))
        stub.network.answer(.get, "/thing", with: .text("new"))
        #expect(try await typed.get(.ifOlder(than: limit)) == "new")
    }

    @Test func `After an invalidation and after a failure, the usual rules apply`() async {
        await stub.load(.text("old"))
        resource.invalidate()
        stub.network.answer(.get, "/thing", with: .response(500))
        let load = resource.loadIfNeeded(maxAge: 60)
        #expect(load != nil)
        await load?.completion()
        #expect(resource.loadIfNeeded(maxAge: 0) == nil)
        stub.clock.advance(by: 0.5)
        #expect(resource.loadIfNeeded(maxAge: 0) == nil)
        await #expect(throws: RequestError.self) { _ = try await resource.get(.ifOlder(than: 60)) }
        #expect(stub.network.requests.count == 2)
    }

    @Test(arguments: [5.0, 20])
    func `Data from the cache must not be older than the limit`(_ limit: Double) async throws {
        useCache("cached", age: 10)
        stub.network.answer(.get, "/thing", with: .text("network"))
        #expect(try await typed.get(.ifOlder(than: limit)) == (limit == 5 ? "network" : "cached"))
    }

    @Test func `Who joins a load that waits for the cache makes it stricter`() async throws {
        let endRead = cache.holdReads()
        useCache("cached", age: 10)
        stub.network.answer(.get, "/thing", with: .text("network"))
        let first = resource.loadIfNeeded()
        let second = resource.loadIfNeeded(maxAge: 5)
        #expect(first === second)
        resource.loadIfNeeded(maxAge: 20)
        endRead()
        #expect(await first?.completion().text == "network")
    }

    @Test func `Who joins with an age that is not a number accepts no data from the cache`() async throws {
        let endRead = cache.holdReads()
        useCache("cached", age: 10)
        stub.network.answer(.get, "/thing", with: .text("network"))
        let load = resource.loadIfNeeded()
        resource.loadIfNeeded(maxAge: .nan)
        endRead()
        #expect(await load?.completion().text == "network")
    }

    @Test func `A repeated load has the same limit`() async throws {
        let endRead = cache.holdReads()
        useCache("cached", age: 10)
        stub.network.answer(.get, "/thing", with: .text("network"))
        let load = try #require(resource.loadIfNeeded(maxAge: 5))
        endRead()
        await load.completion()
        stub.clock.advance(by: 10)
        #expect(resource.isUpToDate)
        await load.repeated().start().completion()
        #expect(stub.network.requests.count == 2)
    }

    @Test(arguments: [LoadOverlap.join, .replace, .parallel])
    func `A cancelled task starts no typed load`(_ overlap: LoadOverlap) async {
        let task = Task { try? await typed.load(overlap) }
        task.cancel()
        #expect(await task.value == nil)
        await mainQueueTurn()
        #expect(stub.network.requests.isEmpty)
    }

    @Test func `A cancelled task starts no load`() async {
        let task = Task { () -> String? in
            do { try await Cancellation.wait() } catch {}
            return try? await typed.get(.ifOlder(than: 0))
        }
        task.cancel()
        #expect(await task.value == nil)
        #expect(stub.network.requests.isEmpty)
    }

    // MARK: From caches only

    @Test func `Data from memory, then from the cache, never from the network`() async {
        #expect((try? await resource.get(.cached)) == nil)
        let endRead = cache.holdReads()
        useCache("cached", age: 1000)
        let other = stub.service.resource("/thing?").relative("?x")
        cache.entities[other.url.absoluteString] = Entity(
            content: "other", headers: ["Content-Type": "text/plain"], timestamp: stub.clock.wallTime - 1000)
        let task = Task { (try? await other.typed(as: String.self).get(.cached)) }
        await mainQueueTurn()
        endRead()
        #expect(await task.value == "other")
        #expect((try? await other.typed(as: Int.self).get(.cached)) == nil)
        other.overrideLocalContent(with: "memory")
        #expect((try? await other.typed(as: String.self).get(.cached)) == "memory")
        #expect(stub.network.requests.isEmpty)
    }

    // MARK: Beside running loads

    @Test func `Callers join the running load`() async throws {
        stub.network.answer(.get, "/thing", with: .held)
        let first = resource.load(.join)
        #expect(resource.load(.join) === first)
        let task = Task { try await typed.load(.join) }
        await mainQueueTurn()
        #expect(stub.network.requests.count == 1)
        try stub.exchange(0).respond(with: .text("one"))
        #expect(try await task.value == "one")
        #expect(resource.load(.join) !== first)
    }

    @Test func `A cancelled caller does not cancel the load that others have joined`() async throws {
        stub.network.answer(.get, "/thing", with: .held)
        let (first, second) = (Task { try await typed.load(.join) }, Task { try await typed.load(.join) })
        await mainQueueTurn()
        await mainQueueTurn()
        first.cancel()
        await #expect(throws: RequestError.self) { try await first.value }
        #expect(stub.network.requests.count == 1)
        try stub.exchange(0).respond(with: .text("one"))
        #expect(try await second.value == "one")
    }

    @Test func `A new load replaces the running ones`() async throws {
        stub.network.answer(.get, "/thing", with: .held)
        let recorder = ObserverRecorder()
        resource.addObserver(recorder)
        let (first, second) = (resource.load(), resource.load())
        let third = resource.load(.replace)
        #expect(first.isCompleted)
        #expect(second.isCompleted)
        #expect(!third.isCompleted)
        #expect(resource.loadRequests.count == 1)
        try stub.exchange(2).respond(with: .text("three"))
        #expect(await third.completion().text == "three")
        #expect(
            recorder.events == [
                .observerAdded, .requested, .requested, .requestCancelled, .requestCancelled, .requested,
                .newData(.network),
            ])
    }

    @Test func `Parallel loads run beside each other`() async throws {
        stub.network.answer(.get, "/thing", with: .held)
        #expect(resource.load(.parallel) !== resource.load(.parallel))
        #expect(resource.loadRequests.count == 2)
    }
}
