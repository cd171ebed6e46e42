import CacheTorture
import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// `loadIfNeeded()` and `load()` of resources with caches.
@MainActor @Suite(.timeLimit(.test))
struct CacheAndLoadingTests {
    private let bench = CacheBench()
    private let cache: JournalCache

    init() {
        cache = bench.cache(at: .model)
        bench.network.answer(.get, "/x", with: .text("loaded"))
    }

    @Test
    func `loadIfNeeded waits for the cache, and does without the network if the cached data is fresh`() async throws {
        cache["/x"] = bench.entity("cached", age: 29)
        let resource = bench.resource.addObserver(bench.recorder)
        let request = try #require(resource.loadIfNeeded())
        #expect(resource.isLoading)
        let info = await request.completion()
        #expect(try info.response.get().text == "cached")
        #expect(info.isNew)
        #expect(resource.text == "cached")
        #expect(resource.timestamp == bench.clock.wallTime - 29)
        #expect(bench.network.requests.isEmpty)
        #expect(bench.recorder.events == [.observerAdded, .newData(.cache), .notModified])
    }

    @Test func `loadIfNeeded goes to the network if the cached data is stale`() async throws {
        cache["/x"] = bench.entity("cached", age: 31)
        let resource = bench.resource.addObserver(bench.recorder)
        let request = try #require(resource.loadIfNeeded())
        let info = await request.completion()
        #expect(try info.response.get().text == "loaded")
        #expect(info.isNew)
        #expect(resource.text == "loaded")
        #expect(bench.network.requests.count == 1)
        #expect(bench.recorder.events == [.observerAdded, .newData(.cache), .requested, .newData(.network)])
    }

    @Test func `loadIfNeeded goes to the network if the cache has nothing`() async throws {
        let request = try #require(bench.resource.loadIfNeeded())
        #expect(bench.network.requests.isEmpty)
        await request.completion()
        #expect(bench.resource.text == "loaded")
        #expect(bench.network.requests.count == 1)
    }

    @Test func `Whether cached data is fresh is decided by the configured expiration time`() async {
        bench.service.configure("/x") { $0.expirationTime = 100 }
        cache["/x"] = bench.entity("cached", age: 99)
        await bench.resource.loadIfNeeded()?.completion()
        #expect(bench.network.requests.isEmpty)
        bench.clock.advance(by: 2)
        await bench.resource.loadIfNeeded()?.completion()
        #expect(bench.network.requests.count == 1)
    }

    @Test func `loadIfNeeded returns the same request as long as it waits for the cache`() async throws {
        cache["/x"] = bench.entity("cached")
        let release = cache.hold("read")
        let first = try #require(bench.resource.loadIfNeeded())
        let second = try #require(bench.resource.loadIfNeeded())
        #expect(first === second)
        release()
        await first.completion()
        #expect(bench.resource.loadIfNeeded() == nil)
    }

    @Test func `Nothing is left in progress once cached data has made the resource up to date`() async {
        cache["/x"] = bench.entity("cached")
        await bench.resource.loadIfNeeded()?.completion()
        #expect(!bench.resource.isLoading)
        #expect(!bench.resource.isRequesting)
        #expect(bench.resource.loadRequests.isEmpty)
        #expect(bench.resource.allRequests.isEmpty)
        #expect(bench.resource.isUpToDate)
    }

    @Test
    func `Nothing is left in progress once the network has answered a load that had waited for the cache`() async {
        await bench.resource.loadIfNeeded()?.completion()
        #expect(bench.resource.loadRequests.isEmpty)
        #expect(bench.resource.allRequests.isEmpty)
    }

    @Test func `A load that waits for the cache can be cancelled, and then does not go to the network`() async throws {
        let release = cache.hold("read")
        let resource = bench.resource.addObserver(bench.recorder)
        let request = try #require(resource.loadIfNeeded())
        await bench.journal.wait(for: "held read model")
        request.cancel()
        #expect(!resource.isLoading)
        release()
        await bench.finishCacheWork(of: cache)
        #expect(bench.network.requests.isEmpty)
        #expect(bench.recorder.events == [.observerAdded, .requestCancelled, .newData(.localOverride)])
    }

    @Test func `A load that waited for the cache can be cancelled when it has gone to the network`() async throws {
        bench.network.answer(.get, "/x", with: .held)
        let request = try #require(bench.resource.loadIfNeeded())
        while bench.network.requests.isEmpty, !Task.isCancelled { await mainQueueTurn() }
        request.cancel()
        #expect(bench.network.lastExchange?.isCancelled == true)
        #expect(bench.resource.allRequests.isEmpty)
        #expect(!bench.resource.isLoading)
    }

    @Test func `A wipe cancels a load that waits for the cache`() async throws {
        let release = cache.hold("read")
        let request = try #require(bench.resource.loadIfNeeded())
        await bench.journal.wait(for: "held read model")
        bench.resource.wipe()
        #expect(await request.completion().response.isCancellation)
        release()
        release()
        await bench.finishCacheWork(of: cache)
        #expect(bench.network.requests.isEmpty)
    }

    @Test
    func `A local override that makes the resource up to date ends a load that waits for the cache`() async throws {
        let release = cache.hold("read")
        let request = try #require(bench.resource.loadIfNeeded())
        await bench.journal.wait(for: "held read model")
        bench.resource.overrideLocalContent(with: "local")
        let info = await request.completion()
        #expect(try info.response.get().text == "local")
        #expect(bench.network.requests.isEmpty)
        #expect(bench.resource.text == "local")
        release()
    }

    @Test func `load does not wait for the cache`() async {
        let release = cache.hold("read")
        let request = bench.resource.load()
        #expect(bench.network.requests.count == 1)
        await request.completion()
        #expect(bench.resource.text == "loaded")
        release()
    }

    @Test func `A load asks the server whether stale cached data is still right`() async {
        cache["/x"] = bench.entity("cached", age: 1000, headers: ["ETag": "tag"])
        bench.network.answer(.get, "/x", with: .notModified)
        let resource = bench.resource.addObserver(bench.recorder)
        await resource.loadIfNeeded()?.completion()
        #expect(bench.network.requests.last?.value(forHTTPHeaderField: "If-None-Match") == "tag")
        #expect(resource.text == "cached")
        #expect(resource.latestError == nil)
        #expect(resource.isUpToDate)
        #expect(bench.recorder.events == [.observerAdded, .newData(.cache), .requested, .notModified])
    }

    @Test func `A failed load keeps the cached data`() async {
        cache["/x"] = bench.entity("cached", age: 1000)
        bench.network.answer(.get, "/x", with: .failure(.timedOut))
        await bench.resource.loadIfNeeded()?.completion()
        #expect(bench.resource.text == "cached")
        #expect(bench.resource.latestError != nil)
    }

    @Test func `Repeating a load that waited for the cache asks the network if need be`() async throws {
        let request = try #require(bench.resource.loadIfNeeded())
        await request.completion()
        bench.clock.advance(by: 31)
        let again = request.repeated()
        #expect(again.state == .notStarted)
        await again.start().completion()
        #expect(bench.network.requests.count == 2)
    }
}
