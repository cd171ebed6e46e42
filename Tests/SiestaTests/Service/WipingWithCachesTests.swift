import CacheTorture
import Foundation
import Isolation

import SiestaTesting
import TestDoubles
import TestKit
import Testing
import Waiting

@testable import SiestaCaches
@testable import SiestaCore
@testable import SiestaNetworking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// `wipeResources(includingCaches: true)`: nothing that was requested before is shown or stored afterwards.
@MainActor @Suite(.timeLimit(.test))
struct WipingWithCachesTests {
    /// The user who is logged in.
    @MainActor
    private final class Session: Sendable {
        var user = "ada"
    }

    private let clock = TestClock()
    private let network = StubNetwork()
    private let store = RecordingStore()
    private let cache: PersistentCache
    private let service: Service

    init() {
        let network = network
        let cache = PersistentCache(store)
        self.cache = cache
        service = clock.whileCurrent { Service(baseURL: "http://cache.test", networking: network) }
        service.configure { $0.pipeline[.rawData].cacheUsing(cache) }
    }

    private var resource: Resource { service.resource("/x") }

    private var stored: Int {
        get async throws {
            try await cache.storage.flush()
            return try await store.allKeys().count
        }
    }

    private func wipe() {
        clock.advance(by: 1)
        service.wipeResources(includingCaches: true)
    }

    // MARK: Requests in no list

    @Test func `A repeated request that is running is cancelled, and its response is not stored`() async throws {
        network.answer(.get, "/x", with: .text("first"), .held)
        let original = resource.load()
        await original.completion()
        let repeated = original.repeated().start()
        wipe()
        #expect(repeated.state == .completed)
        #expect(await repeated.completion().response.isCancellation)
        #expect(network.lastExchange?.isCancelled == true)
        #expect(try await stored == 0)
        #expect(service.context.repeatedRequests.own.isEmpty)
    }

    @Test func `A repeated request whose response is in the pipeline is not stored`() async throws {
        network.answer(.get, "/x", with: .text("first"), .held)
        let original = resource.load()
        await original.completion()
        let repeated = original.repeated().start()
        network.lastExchange?.respond(with: .text("second"))
        wipe()
        #expect(await repeated.completion().response.isCancellation)
        await mainQueueTurn()
        #expect(try await stored == 0)
        #expect(resource.latestData == nil)
    }

    @Test func `A request that was made and not started is not sent after the wipe`() async throws {
        network.answer(.get, "/x", with: .text("first"), .text("second"), .text("third"))
        let original = resource.request(.get)
        await original.completion()
        let repeated = original.repeated()
        wipe()
        #expect(await repeated.start().completion().response.isCancellation)
        #expect(network.requests.count == 1)
        #expect(try await stored == 0)
        #expect(await original.repeated().start().completion().text == "second")
        #expect(try await stored == 1)
    }

    @Test func `A completed repetition is in no list any more`() async {
        network.answer(.get, "/x", with: .text("x"))
        let repeated = resource.load().repeated()
        await repeated.start().completion()
        #expect(service.context.repeatedRequests.own.isEmpty)
        let other = repeated.repeated().start()
        other.cancel()
        #expect(service.context.repeatedRequests.own.isEmpty)
    }

    @Test func `A request that completed before the wipe is not shown by a resource that takes it for a load`() async {
        network.answer(.get, "/x", with: .text("Ada's"))
        let request = resource.request(.get)
        await request.completion()
        let custom = Resource.hardWiredRequest(returning: .success(Entity<Any>(content: "Ada's", contentType: "x")))
        wipe()
        for old in [request, request.chained { _ in .useThisResponse }, custom] {
            resource.load(using: old)
            await old.completion()
            #expect(resource.latestData == nil)
            #expect(resource.latestError == nil)
            #expect(!resource.isLoading)
        }
        let passing = Resource.hardWiredRequest(returning: .success(Entity<Any>(content: "new", contentType: "x")))
            .chained { _ in .passTo(request) }
        await resource.load(using: passing).completion()
        #expect(resource.latestData == nil)
        resource.load(using: Resource.hardWiredRequest(returning: .success(Entity(content: "new", contentType: "x"))))
        await mainQueueTurn()
        #expect(resource.text == "new")
    }

    @Test func `A custom request that was made before the wipe and started later is not shown`() async {
        var handler: (any RequestCompletionHandler)?
        let request = Resource.prepareRequest(using: Manual { handler = $0 })
        wipe()
        resource.load(using: request)
        handler?.broadcastResponse(ResponseInfo(response: .success(Entity<Any>(content: "Ada's", contentType: "x"))))
        #expect(resource.latestData == nil)
        #expect(request.state == .completed)
    }

    @Test func `A repeated load that waits for the cache ends with the wipe`() async throws {
        network.answer(.get, "/x", with: .text("Ada's"))
        weak let first: Resource? = resource
        await first?.load().completion()
        try await cache.storage.flush()
        while first != nil {  // A task that has just ended may hold it a moment longer.
            service.flushUnusedResources()
            await mainQueueTurn()
        }
        cache.storage.holdReads()
        let resource = resource
        let load = try #require(resource.loadIfNeeded())
        let repeated = load.repeated().start()
        wipe()
        cache.storage.releaseReads()
        #expect(await repeated.completion().response.isCancellation)
        #expect(network.requests.count == 1)
        #expect(resource.latestData == nil)
    }

    @Test func `A plain wipe leaves repeated requests alone, as Siesta 1_5 did`() async throws {
        network.answer(.get, "/x", with: .text("first"), .held)
        let original = resource.load()
        await original.completion()
        let repeated = original.repeated().start()
        service.wipeResources()
        service.wipeResources { (_: Resource) in true }
        network.lastExchange?.respond(with: .text("second"))
        #expect(await repeated.completion().text == "second")
        #expect(try await stored == 1)
    }

    @Test func `A resource's own wipe that includes caches keeps out what was requested before`() async throws {
        network.answer(.get, "/x", with: .text("first"), .held, .held)
        let other = service.resource("/other/x")
        let original = resource.load()
        await original.completion()
        let repeated = original.repeated().start()
        let others = other.request(.get)
        resource.wipe(includingCaches: true)
        for exchange in network.exchanges { exchange.respond(with: .text("second")) }
        #expect(await repeated.completion().response.isCancellation)
        #expect(await others.completion().text == "second")
        #expect(try await stored == 1)
    }

    // MARK: Resources in no list

    @Test func `A resource that has outlived its service is wiped by that of the resource`() async throws {
        network.answer(.get, "/x", with: .text("Ada's"))
        var service: Service? = clock.whileCurrent { Service(baseURL: "http://cache.test", networking: network) }
        let cache = cache
        service?.configure { $0.pipeline[.rawData].cacheUsing(cache) }
        let (first, second) = (try #require(service?.resource("/x")), try #require(service?.resource("/y/x")))
        for resource in [first, second] { await resource.load().completion() }
        service = nil
        clock.advance(by: 1)
        first.service.wipeResources(includingCaches: true)
        #expect(first.latestData == nil)
        #expect(second.latestData == nil)
        #expect(try await stored == 0)
        second.overrideLocalContent(with: "local")
        second.service.wipeResources(matching: "/y/x")
        #expect(second.latestData == nil)
    }

    @Test func `What an invalid resource was about to show is not shown`() async {
        network.answer(.get, "/x", with: .held)
        let invalid = service.resource(absoluteURL: "")
        let request = resource.request(.get).chained { _ in .useThisResponse }
        invalid.load(using: request)
        wipe()
        network.lastExchange?.respond(with: .text("Ada's"))
        await request.completion()
        #expect(invalid.latestData == nil)
    }

    @Test func `Observers of a resource that goes with its service hear that they have stopped`() async {
        let (recorder, owner, other) = (ObserverRecorder(), ObserverRecorder(), ObserverRecorder())
        weak var observed: Resource?
        var kept: Resource?
        do {
            let service = clock.whileCurrent { Service(baseURL: "http://cache.test", networking: StubNetwork()) }
            observed = service.resource("/observed").addObserver(recorder).addObserver(other, owner: owner)
            kept = service.resource("/kept").addObserver(recorder)
            for recorder in [recorder, other] { recorder.clear() }  // The recorded events hold the resource.
        }
        await mainQueueTurn()
        #expect(recorder.stoppedCount == 1)
        #expect(other.stoppedCount == 1)
        #expect(observed == nil)
        kept?.overrideLocalContent(with: "x")
        #expect(recorder.events.last == .newData(.localOverride))
    }

    // MARK: Caches in no list

    @Test func `A cache is listed and wiped that a rule adds to a pipeline in another order alone`() async throws {
        let (hidden, order) = (PersistentCache(RecordingStore()), PipelineStageKey(description: "own"))
        network.answer(.get, "/b", with: .text("Ada's"))
        service.configure("/a") { $0.pipeline.order = [] }
        service.configure("/b") {
            if !$0.pipeline.order.isEmpty { $0.pipeline[.parsing].cacheUsing(hidden.of(String.self)) }
        }
        #expect(service.caches.contains { $0 === hidden.storage })
        await service.resource("/b").load().completion()
        wipe()
        try await hidden.storage.flush()
        #expect(await hidden.storage.statistics().usage?.entries == 0)
        _ = order
    }

    @Test
    func `A cache is listed and wiped that no enumeration of rules finds, since a resource has it`() async throws {
        let hidden = PersistentCache(RecordingStore())
        network.answer(.get, "/b", with: .text("Ada's"))
        service.configure("/*") { $0.expirationTime = 77 }
        service.configure("/a") { $0.expirationTime = 0 }
        service.configure("/b") { if $0.expirationTime == 77 { $0.pipeline[.rawData].cacheUsing(hidden) } }
        await service.resource("/b").load().completion()
        #expect(service.caches.contains { $0 === hidden.storage })
        service.flushUnusedResources()
        wipe()
        try await hidden.storage.flush()
        #expect(await hidden.storage.statistics().usage?.entries == 0)
    }

    @Test func `A cache that resources had before the configuration changed is wiped as well`() async throws {
        let session = Session()
        let caches = ["ada": PersistentCache(RecordingStore()), "bob": PersistentCache(RecordingStore())]
        service.configure { configuration in
            if let cache = caches[session.user] { configuration.pipeline[.rawData].cacheUsing(cache) }
        }
        network.answer(.get, "/x", with: .text("Ada's"))
        await resource.load().completion()
        session.user = "bob"
        service.invalidateConfiguration()
        wipe()
        let storage = try #require(caches["ada"]?.storage)
        try await storage.flush()
        #expect(await storage.statistics().usage?.entries == 0)
    }

    @Test func `A cache in memory that nobody has any more is released`() async {
        weak var storage: CacheStorage?
        network.answer(.get, "/x", with: .text("x"))
        service.configure { $0.pipeline[.rawData].cacheUsing(PersistentCache(MemoryRecordStore())) }
        await resource.load().completion()
        do {
            let known = service.context.rules.register.storages
            storage = known.compactMap { $0.storage as? CacheStorage }.first { $0 !== cache.storage }
        }
        #expect(storage != nil)
        service.invalidateConfiguration()
        _ = resource.configuration
        service.flushUnusedResources()
        while storage != nil { await mainQueueTurn() }
        #expect(storage == nil)
    }

    // MARK: Caches of the app

    /// A cache that keeps its entities by user and path, on a queue that can be held up.
    private final class UsersCache: EntityCache {
        struct Key: Sendable {
            let user: String
            let path: String
            var text: String { user + path }
        }

        let session: Session
        let workQueue = DispatchQueue(label: "users' cache")
        /// The closure that is called when a write begins.
        let onWrite = Locked<(@Sendable () -> Void)?>(nil)
        private let entities = Locked<[String: UncheckedSendable<Entity<Any>>]>([:])

        init(_ session: Session) { self.session = session }

        var contents: [String: String] {
            entities.withLock { $0.mapValues { String(describing: $0.value.content) } }
        }

        func key(for resource: Resource) -> Key? { Key(user: session.user, path: resource.url.path) }
        func readEntity(forKey key: Key) -> Entity<Any>? { entities.withLock { $0[key.text] }?.value }

        func writeEntity(_ entity: Entity<Any>, forKey key: Key) {
            onWrite.withLock { $0 }?()
            let entity = UncheckedSendable(entity)
            entities.withLock { $0[key.text] = entity }
        }

        func removeEntity(forKey key: Key) { entities.withLock { $0[key.text] = nil } }

        /// Waits until the work of some resources is complete. Each piece of work begins when the previous one has
        /// ended.
        func settle() async {
            for _ in 0..<12 {
                await withCheckedContinuation { continuation in workQueue.async { continuation.resume() } }
                await mainQueueTurn()
            }
        }
    }

    private func usersCache() -> (UsersCache, Session) {
        let session = Session()
        let cache = UsersCache(session)
        service.configure {
            $0.pipeline[.rawData].doNotCache()
            $0.pipeline[.parsing].cacheUsing(cache)
        }
        return (cache, session)
    }

    @Test func `A slow hit of an app's cache is not shown under the key of another user, who gets their own`() async {
        let (cache, session) = usersCache()
        for user in ["ada", "bob"] {
            cache.writeEntity(
                Entity<Any>(content: user, headers: [:], timestamp: clock.wallTime),
                forKey: .init(user: user, path: "/x"))
        }
        cache.workQueue.suspend()
        let resource = resource
        #expect(resource.latestData == nil)
        session.user = "bob"
        cache.workQueue.resume()
        await resource.cacheIsRead()
        #expect(resource.text == "bob")
    }

    @Test
    func `A write that an app's cache has not begun does not come after the wipe, whoever the user is by then`() async {
        let (cache, session) = usersCache()
        network.answer(.get, "/x", with: .text("Ada's"))
        cache.workQueue.suspend()
        await resource.load().completion()
        session.user = "bob"
        service.flushUnusedResources()
        wipe()
        cache.workQueue.resume()
        await cache.settle()
        #expect(cache.contents == [:])
        session.user = "ada"
        await resource.cacheIsRead()
        #expect(resource.latestData == nil)
    }

    @Test func `A write that an app's cache has begun is undone after the wipe, whoever the user is by then`() async {
        let (cache, session) = usersCache()
        network.answer(.get, "/x", with: .text("Ada's"))
        let (begins, begin) = AsyncStream.makeStream(of: Void.self)
        let proceed = DispatchSemaphore(value: 0)
        cache.onWrite.withLock {
            $0 = {
                begin.yield()
                proceed.wait()
            }
        }
        await resource.load().completion()
        for await _ in begins { break }
        session.user = "bob"
        service.flushUnusedResources()
        wipe()
        proceed.signal()
        await cache.settle()
        #expect(cache.contents == [:])
    }

    @Test func `What an app's cache has of resources that are not in memory is not shown after the wipe`() async throws
    {
        let (cache, session) = usersCache()
        network.answer(.get, "/x", with: .text("Ada's"))
        await resource.load().completion()
        await cache.settle()
        #expect(cache.contents.count == 1)
        try await forgetResources()
        session.user = "bob"
        wipe()
        session.user = "ada"
        #expect(resource.latestData == nil)
        await resource.cacheIsRead()
        #expect(resource.latestData == nil)
        #expect(cache.contents == [:])
        await resource.load().completion()
        await cache.settle()
        try await forgetResources()
        #expect(resource.latestData == nil)
        await resource.cacheIsRead()
        #expect(resource.text == "Ada's")
    }

    /// Waits until no resource is in memory. The thread of the network may release a request after its completion.
    private func forgetResources() async throws {
        try await Poll.until {
            service.flushUnusedResources()
            return service.context.resources.isEmpty
        }
    }

    // MARK: During the wipe

    @Test func `What an app's cache has from before the wall clock was set back is not shown after the wipe`() async {
        let cache = InMemoryCache()
        service.configure("/y") { $0.pipeline[.model].cacheUsing(cache) }
        cache.entities["http://cache.test/y"] = clock.whileCurrent {
            var entity = Entity<Any>(content: "Ada's", contentType: "text/plain")
            entity.timestamp += 1000
            return entity
        }
        service.wipeResources(includingCaches: true)
        let resource = service.resource("/y")
        _ = resource.latestData
        await resource.cacheIsRead()
        #expect(resource.latestData == nil)
        #expect(cache.entities.isEmpty)
    }

    @Test func `A resource that is asked for while all are wiped does not find what caches had`() async throws {
        for path in ["/x", "/y/x"] {
            network.answer(.get, path, with: .text("Ada's"))
            await service.resource(path).load().completion()
        }
        try await cache.storage.flush()
        service.flushUnusedResources()
        var asked: Resource?
        let recorder = ObserverRecorder()
        network.answer(.get, "/x", with: .held)
        let load = resource.addObserver(recorder).load()
        recorder.onEvent = { [service] event in
            guard event == .requestCancelled else { return }
            asked = service.resource("/y/x")
            _ = asked?.latestData
        }
        wipe()
        _ = load
        await asked?.cacheIsRead()
        #expect(asked != nil)
        #expect(asked?.latestData == nil)
    }

    @Test func `Loads that somebody starts on hearing of the wipe bring data, which is stored`() async throws {
        network.answer(.get, "/x", with: .held, .text("Bob's"))
        let recorder = ObserverRecorder()
        let resource = resource
        resource.addObserver(recorder).load()
        var load: (any Request)?
        recorder.onEvent = { event in
            if event == .requestCancelled { load = resource.load() }
        }
        wipe()
        await load?.completion()
        #expect(resource.text == "Bob's")
        #expect(try await stored == 1)
    }

    @Test func `What an app's cache had before a wipe is not shown when a clock that was set back catches up`()
        async throws
    {
        let cache = InMemoryCache()
        service.configure("/y") { $0.pipeline[.model].cacheUsing(cache) }
        network.answer(.get, "/y", with: .text("Ada's"))
        await service.resource("/y").load().completion()
        try await Poll.until { !cache.entities.isEmpty }
        try await forgetResources()
        clock.advance(by: 1)
        clock.setWallTime(clock.wallTime - 1000)
        service.wipeResources(includingCaches: true)
        clock.advance(by: 1001)
        let resource = service.resource("/y")
        _ = resource.latestData
        await resource.cacheIsRead()
        #expect(resource.latestData == nil)
        #expect(cache.entities.isEmpty)
    }
}

/// A request whose work a test performs.
@MainActor
private struct Manual: RequestDelegate {
    let begin: (any RequestCompletionHandler) -> Void

    func startUnderlyingOperation(passingResponseTo completionHandler: any RequestCompletionHandler) {
        begin(completionHandler)
    }

    func cancelUnderlyingOperation() {}
    func repeated() -> any RequestDelegate { self }
}
