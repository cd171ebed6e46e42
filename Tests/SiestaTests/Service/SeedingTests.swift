import Foundation
import Isolation
import Observation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing
import Waiting

/// Seeds, which are stored as data of their age, and placeholders, which are stored nowhere.
@MainActor @Suite(.timeLimit(.test))
struct SeedingTests {
    private let stub = StubbedResource()
    private let cache = InMemoryCache()
    private let recorder = ObserverRecorder()
    private var resource: Resource { stub.resource }
    private var typed: TypedResource<String> { resource.typed() }
    private var now: TimeInterval { stub.clock.wallTime }
    private var stored: Entity<Any>? { cache.entities[resource.url.absoluteString] }

    private func useCache(_ stage: PipelineStageKey = .cleanup) {
        let cache = cache
        stub.service.configure { $0.pipeline[stage].cacheUsing(cache) }
    }

    // MARK: Seeds

    @Test(arguments: [10.0, 60])
    func `A seed is data of its age`(_ age: Double) {
        resource.addObserver(recorder)
        stub.service.seed("seed", for: typed, timestamp: now - age)
        #expect(typed.content == "seed")
        #expect(resource.timestamp == now - age)
        #expect(resource.snapshot.source == .cache)
        #expect(!resource.snapshot.isPlaceholder)
        #expect(resource.isUpToDate == (age < 30))
        #expect(recorder.events == [.observerAdded, .newData(.cache)])
    }

    @Test(arguments: [-5.0, 0, 5])
    func `A seed replaces older data, and no newer data`(_ difference: Double) {
        typed.content = "data"
        stub.service.seed("seed", for: typed, timestamp: now + difference)
        #expect(typed.content == (difference > 0 ? "seed" : "data"))
    }

    @Test func `A seed is stored in the cache of the result, and of no earlier stage`() async throws {
        useCache()
        stub.service.seed("seed", for: typed, timestamp: now - 10)
        #expect((try? await resource.get(.cached))?.content as? String == "seed")
        try await Poll.until { stored?.content as? String == "seed" }
        #expect(stored?.timestamp == now - 10)
        cache.entities = [:]
        stub.service.configure { $0.pipeline.removeAllCaches() }
        useCache(.decoding)
        stub.service.seed("newer", for: typed)
        #expect(typed.content == "newer")
        resource.wipe(includingCaches: true)
        try await Poll.until { cache.operations.contains(.remove(resource.url.absoluteString)) }
        #expect(cache.operations.count { $0 == .write(resource.url.absoluteString) } == 1)
    }

    @Test func `If freshness follows HTTP, a seed from before a write is stale, and is not stored`() async throws {
        useCache()
        stub.service.configure { $0.freshness = .http }
        stub.network.answer(.put, "/thing", with: .response(204))
        await resource.request(.put).completion()
        stub.clock.advance(by: 1)
        stub.service.seed("old", for: typed, timestamp: now - 2)
        try await Poll.until { typed.content == "old" }
        #expect(!resource.isUpToDate)
        stub.service.seed("new", for: typed)
        #expect(resource.isUpToDate)
        try await Poll.until { stored?.content as? String == "new" }
        #expect(cache.operations.count { $0 == .write(resource.url.absoluteString) } == 1)
    }

    @Test(arguments: ["de", "en"])
    func `A seed that varies is not stored for other request headers than those when it was pushed`(language: String)
        async
    {
        var present = "de"
        let endRead = cache.holdReads()
        useCache()
        stub.service.configure { $0.headers["Accept-Language"] = present }
        stub.service.seed(
            Entity<Any>(content: "Hallo", headers: ["Vary": "Accept-Language"], timestamp: now), for: resource)
        present = language
        stub.service.invalidateConfiguration()
        endRead()
        #expect((try? await typed.get(.cached)) == (language == "de" ? "Hallo" : nil))
    }

    @Test(arguments: [5.0, 20])
    func `A seed waits for the read of the cache, and replaces only older data in it`(_ age: Double) async throws {
        cache.entities[resource.url.absoluteString] = Entity(
            content: "cached", headers: ["Content-Type": "text/plain"], timestamp: now - 10)
        let endRead = cache.holdReads()
        useCache()
        stub.service.seed("seed", for: typed, timestamp: now - age)
        #expect(typed.content == nil)
        endRead()
        #expect((try? await typed.get(.cached)) == (age < 10 ? "seed" : "cached"))
        try await Poll.until { stored?.content as? String == (age < 10 ? "seed" : "cached") }
    }

    @Test(arguments: [true, false])
    func `A seed does not come back after a wipe`(_ includesCaches: Bool) async {
        let endRead = cache.holdReads()
        useCache()
        stub.service.seed("seed", for: typed)
        resource.wipe(includingCaches: includesCaches)
        endRead()
        endRead()
        #expect((try? await typed.get(.cached)) == nil)
    }

    @Test func `The response to a load that began after a seed replaces it, in the cache, too`() async throws {
        useCache()
        _ = (try? await resource.get(.cached))
        stub.service.seed("seed", for: typed)
        #expect(typed.content == "seed")
        await stub.load(.text("network"))
        #expect(typed.content == "network")
        try await Poll.until { stored?.content as? String == "network" }
    }

    @Test func `After a wipe, an earlier seed does not replace the data of the next user`() async {
        let endRead = cache.holdReads()
        useCache()
        stub.service.seed("seed", for: typed, timestamp: now + 10)
        stub.service.wipeResources(includingCaches: true)
        typed.content = "of the next user"
        endRead()
        endRead()
        _ = (try? await typed.get(.cached))
        for _ in 0..<10 { await mainQueueTurn() }
        #expect(typed.content == "of the next user")
    }

    @Test func `A resource without a usable URL or body takes no seed`() {
        let baseless = Service()
        for resource in [
            baseless.resource("/a"), stub.service.resource("/a", loadedBy: .post, body: .json(["date": Date()])),
        ] {
            stub.service.seed("seed", for: resource.typed(as: String.self))
            #expect(resource.latestData == nil)
        }
    }

    // MARK: Placeholders

    @Test func `A placeholder is shown and marked, and is not data`() async {
        useCache()
        typed.placeholder = "…"
        #expect(typed.snapshot.content == "…")
        #expect(typed.snapshot.isPlaceholder)
        #expect(resource.snapshot.data?.content as? String == "…")
        #expect(resource.snapshot.source == nil)
        #expect(resource.latestData == nil)
        #expect(typed.content == nil)
        #expect(resource.timestamp == 0)
        #expect(!resource.isUpToDate)
        #expect(typed.placeholder == "…")
        #expect((try? await resource.get(.cached)) == nil)
        #expect(cache.entities.isEmpty)
        await stub.load(.text("data"))
        #expect(typed.snapshot.content == "data")
        #expect(!typed.snapshot.isPlaceholder)
        #expect(typed.placeholder == nil)
    }

    @Test func `A wipe removes the placeholder`() {
        typed.placeholder = "of one user"
        let changes = Locked(0)
        withObservationTracking {
            _ = typed.placeholder
        } onChange: {
            changes.withLock { $0 += 1 }
        }
        resource.wipe()
        #expect(changes.withLock { $0 } == 1)
        #expect(typed.snapshot.content == nil)
        #expect(typed.placeholder == nil)
    }

    @Test func `Loops and Observation see a new placeholder`() async throws {
        var states = typed.states.makeAsyncIterator()
        #expect(try await states.next()?.content == nil)
        let changes = Locked(0)
        withObservationTracking {
            _ = typed.placeholder
        } onChange: {
            changes.withLock { $0 += 1 }
        }
        typed.placeholder = "…"
        #expect(changes.withLock { $0 } == 1)
        #expect(try await states.next()?.isPlaceholder == true)
    }

    @Test func `A placeholder goes with its resource`() {
        weak var content: Owner?
        do {
            let owner = Owner()
            content = owner
            stub.service.resource("/other").placeholder = Entity(content: owner, headers: [:])
        }
        stub.service.flushUnusedResources()
        #expect(stub.service.resource("/other").placeholder == nil)
        for number in 0..<100 { stub.service.resource("/\(number)").placeholder = Entity(content: 1, headers: [:]) }
        #expect(content == nil)
    }

    @Test func `A hook that seeds older data before the load ends does not replace its response`() async {
        stub.network.answer(.get, "/thing", with: .text("response"))
        let request = resource.request(.get)
        request.onSuccess { [self] _ in stub.service.seed("old", for: typed, timestamp: now - 60) }
        await resource.load(using: request).completion()
        #expect(typed.content == "response")
    }
}
