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
        async throws
    {
        await stub.load(.text("old"))
        stub.clock.advance(by: age)
        _ = try await resource.get(.ifOlder(than: limit))
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
        for age in [60.0, 0, 60] {
            await #expect(throws: RequestError.self) { _ = try await resource.get(.ifOlder(than: age)) }
            stub.clock.advance(by: 0.4)
        }
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
        let others = [5.0, 20].map { age in Task { try await typed.get(.ifOlder(than: age)) } }
        await mainQueueTurn()
        endRead()
        #expect(await first?.completion().text == "network")
        for other in others { #expect(try await other.value == "network") }
        #expect(stub.network.requests.count == 1)
    }

    @Test func `Who joins a load that accepts old data makes it as strict as the configuration`() async throws {
        let endRead = cache.holdReads()
        useCache("cached", age: 1000)
        stub.network.answer(.get, "/thing", with: .text("network"))
        let first = Task { try await typed.get(.ifOlder(than: 3600)) }
        await mainQueueTurn()
        let load = resource.loadIfNeeded()
        let other = Task { try await typed.get() }
        await mainQueueTurn()
        endRead()
        #expect(await load?.completion().text == "network")
        for task in [first, other] { #expect(try await task.value == "network") }
        #expect(stub.network.requests.count == 1)
    }

    @Test func `Who joins a load by HTTP with an age accepts what is fresh for each caller`() async throws {
        let endRead = cache.holdReads()
        stub.service.configure { $0.pipeline[.rawData].cacheUsing(cache) }
        cache.entities[resource.url.absoluteString] = Entity(
            content: Data("cached".utf8), headers: ["Content-Type": "text/plain", "Cache-Control": "max-age=600"],
            timestamp: stub.clock.wallTime - 100)
        let first = Task { try await typed.get(.ifOlder(than: 3600)) }
        await mainQueueTurn()
        stub.service.configure { $0.freshness = .http }
        let load = resource.loadIfNeeded()
        endRead()
        #expect(await load?.completion().text == "cached")
        #expect(try await first.value == "cached")
        #expect(stub.network.requests.isEmpty)
    }

    @Test func `Who joins with an age that is not a number accepts no data from the cache`() async throws {
        let endRead = cache.holdReads()
        useCache("cached", age: 10)
        stub.network.answer(.get, "/thing", with: .text("network"))
        let load = resource.loadIfNeeded()
        let other = Task { try await typed.get(.ifOlder(than: .nan)) }
        await mainQueueTurn()
        endRead()
        #expect(await load?.completion().text == "network")
        #expect(try await other.value == "network")
    }

    @Test func `A repeated load has the same limit`() async throws {
        let endRead = cache.holdReads()
        useCache("cached", age: 10)
        stub.network.answer(.get, "/thing", with: .text("network"))
        let other = Task { try await typed.get(.ifOlder(than: 5)) }
        await mainQueueTurn()
        let load = try #require(resource.loadRequests.first)
        endRead()
        await load.completion()
        #expect(try await other.value == "network")
        stub.clock.advance(by: 10)
        #expect(resource.isUpToDate)
        await load.repeated().start().completion()
        #expect(stub.network.requests.count == 2)
    }

    @Test func `A cancelled task starts no load`() async {
        let task = Task { () -> String? in
            do { try await Cancellation.wait() } catch {}
            for policy in [FetchPolicy.ifStale, .ifOlder(than: 0), .always, .directives()] {
                if let text = try? await typed.get(policy) { return text }
            }
            return nil
        }
        task.cancel()
        #expect(await task.value == nil)
        await mainQueueTurn()
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
        let task = Task { try? await other.typed(as: String.self).get(.cached) }
        await mainQueueTurn()
        endRead()
        #expect(await task.value == "other")
        #expect((try? await other.typed(as: Int.self).get(.cached)) == nil)
        other.overrideLocalContent(with: "memory")
        #expect((try? await other.typed(as: String.self).get(.cached)) == "memory")
        #expect(stub.network.requests.isEmpty)
    }

    // MARK: Beside running loads

    @Test func `Stale data waits for the running load, and a policy that always asks does not`() async throws {
        stub.network.answer(.get, "/thing", with: .held)
        let first = resource.load()
        let joined = Task { try await typed.get() }
        await mainQueueTurn()
        #expect(stub.network.requests.count == 1)
        let other = Task { try await typed.get(.always) }
        await mainQueueTurn()
        #expect(stub.network.requests.count == 2)
        try stub.exchange(0).respond(with: .text("one"))
        #expect(try await joined.value == "one")
        try stub.exchange(1).respond(with: .text("two"))
        #expect(try await other.value == "two")
        #expect(first.isCompleted)
    }

    @Test func `A cancelled caller does not cancel the load that others have joined`() async throws {
        stub.network.answer(.get, "/thing", with: .held)
        let (first, second) = (Task { try await typed.get() }, Task { try await typed.get() })
        await mainQueueTurn()
        await mainQueueTurn()
        first.cancel()
        await #expect(throws: RequestError.self) { try await first.value }
        #expect(stub.network.requests.count == 1)
        try stub.exchange(0).respond(with: .text("one"))
        #expect(try await second.value == "one")
    }

    @Test func `Without data, the caches alone are an error that does not become the resource's error`() async {
        let error = await #expect(throws: RequestError.self) { try await typed.get(.cached) }
        #expect(error?.code == .notStored)
        #expect(resource.latestError == nil)
    }

    @Test func `A load that asks the network after a later load has ended shows its data`() async throws {
        let endRead = cache.holdReads()
        useCache("cached", age: 10)
        var count = 0
        stub.network.handler = { _ in
            count += 1
            return .text("\(count)")
        }
        let waiting = resource.loadIfNeeded()
        let asking = Task { try await typed.get(.ifOlder(than: -1)) }
        await mainQueueTurn()
        await resource.load().completion()
        endRead()
        await waiting?.completion()
        #expect(try await asking.value == "2")
        #expect(resource.latestData?.content as? String == "2")
    }
}
