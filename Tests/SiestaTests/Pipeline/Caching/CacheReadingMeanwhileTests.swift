import CacheTorture
import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

/// Events during a read of the caches.
@MainActor @Suite(.timeLimit(.test))
struct CacheReadingMeanwhileTests {
    private let bench = CacheBench()
    private let cache: JournalCache
    private let releaseRead: @Sendable () -> Void

    init() {
        cache = bench.cache(at: .model)
        cache["/x"] = bench.entity("cached")
        releaseRead = cache.hold("read")
    }

    private func observedResourceWhoseCacheIsBeingRead() async -> Resource {
        let resource = bench.resource.addObserver(bench.recorder)
        await bench.journal.wait(for: "held read model")
        return resource
    }

    @Test func `A hit is ignored if data came from the network meanwhile`() async {
        let resource = await observedResourceWhoseCacheIsBeingRead()
        bench.network.answer(.get, "/x", with: .text("loaded"))
        await resource.load().completion()
        releaseRead()
        await bench.journal.wait(for: "write model")
        await mainQueueTurn()
        #expect(resource.text == "loaded")
        #expect(bench.recorder.events == [.observerAdded, .requested, .newData(.network)])
    }

    @Test func `A hit is ignored if data was put in place meanwhile`() async {
        let resource = await observedResourceWhoseCacheIsBeingRead()
        resource.overrideLocalContent(with: "local")
        releaseRead()
        await bench.journal.wait(for: "remove model")
        await mainQueueTurn()
        #expect(resource.text == "local")
        #expect(bench.recorder.events == [.observerAdded, .newData(.localOverride)])
    }

    @Test
    func `A hit that was being read when the resource was wiped is ignored, and the caches are read anew`() async {
        let resource = await observedResourceWhoseCacheIsBeingRead()
        resource.wipe()
        cache["/x"] = bench.entity("second")
        releaseRead()
        releaseRead()
        await bench.recorder.heard(.newData(.cache))
        #expect(resource.text == "second")
        #expect(bench.recorder.events == [.observerAdded, .newData(.wipe), .newData(.cache)])
    }

    @Test func `A hit is heard after a load that failed meanwhile, and ends the error`() async {
        let resource = await observedResourceWhoseCacheIsBeingRead()
        bench.network.answer(.get, "/x", with: .response(500))
        await resource.load().completion()
        #expect(resource.latestError != nil)
        releaseRead()
        await bench.recorder.heard(.newData(.cache))
        #expect(resource.text == "cached")
        #expect(resource.latestError == nil)
    }

    @Test func `A resource whose cache is being read is not loading`() async {
        let resource = await observedResourceWhoseCacheIsBeingRead()
        #expect(!resource.isLoading)
        #expect(!resource.isRequesting)
        #expect(resource.latestData == nil)
        #expect(resource.timestamp == 0)
        releaseRead()
    }

    @Test func `Nobody is told of a hit who stopped observing meanwhile`() async {
        let resource = await observedResourceWhoseCacheIsBeingRead()
        resource.removeObservers(ownedBy: bench.recorder)
        let successor = ObserverRecorder()
        resource.addObserver(successor)
        releaseRead()
        await successor.heard(.newData(.cache))
        #expect(bench.recorder.events == [.observerAdded])
        #expect(successor.events == [.observerAdded, .newData(.cache)])
    }

    @Test func `The read of one resource does not hold up those of others`() async {
        let resource = await observedResourceWhoseCacheIsBeingRead()
        let other = JournalCache("other", bench.journal)
        other["/y"] = bench.entity("of y")
        bench.service.configure("/y") { $0.pipeline[.model].cacheUsing(other) }
        let recorder = ObserverRecorder()
        bench.service.resource("/y").addObserver(recorder)
        await recorder.heard(.newData(.cache))
        #expect(bench.service.resource("/y").text == "of y")
        #expect(resource.latestData == nil)
        releaseRead()
    }

    @Test func `A resource that nobody uses any more is released once its cache is read`() async {
        weak var released: Resource?
        do {
            let resource = bench.resource
            _ = resource.latestData
            released = resource
        }
        await bench.journal.wait(for: "held read model")
        #expect(released != nil)
        releaseRead()
        bench.service.resource("/y").overrideLocalContent(with: "y")
        while released?.latestData == nil, released != nil, !Task.isCancelled { await mainQueueTurn() }
        bench.service.flushUnusedResources()
        await mainQueueTurn()
        #expect(released == nil)
    }
}
