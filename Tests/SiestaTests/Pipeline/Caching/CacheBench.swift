import CacheTorture
import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles

/// A service on a test clock, with one resource at `/x` and caches at any stages. One journal records all uses of the
/// caches.
@MainActor
struct CacheBench {
    let clock = TestClock()
    let network = StubNetwork()
    let journal = CacheJournal()
    let recorder = ObserverRecorder()
    let service: Service

    var resource: Resource { service.resource("/x") }

    init() {
        let network = network
        service = clock.whileCurrent { Service(baseURL: "http://cache.test", networking: network) }
    }

    /// Adds a cache with the name of the stage to this stage of all resources.
    @discardableResult
    func cache(at stage: PipelineStageKey) -> JournalCache {
        let cache = JournalCache(stage.description, journal)
        service.configure { $0.pipeline[stage].cacheUsing(cache) }
        return cache
    }

    /// Returns an entity of this age, in seconds.
    func entity(_ content: Any, age: TimeInterval = 0, headers: [String: String] = [:]) -> Entity<Any> {
        Entity<Any>(content: content, headers: headers, timestamp: clock.wallTime - age)
    }

    /// Adds a transformer to a stage of all resources, which appends "!" to text.
    func exclaim(at stage: PipelineStageKey) {
        service.configureTransformer("**", atStage: stage) { (entity: Entity<String>) in entity.content + "!" }
    }

    /// Waits until all operations of the caches of `/x` are complete and have arrived on the main thread.
    ///
    /// Relies on the order of operations: the removals of a resource come after all earlier operations.
    func finishCacheWork(of cache: JournalCache) async {
        let removals = journal.entries("remove \(cache.name)").count
        resource.overrideLocalContent(with: "end of test")
        await journal.wait(for: "remove \(cache.name)", count: removals + 1)
        await mainQueueTurn()
    }
}

extension ObserverRecorder {
    /// Waits until the observer has received `event`, now or before.
    func heard(_ event: ResourceEvent) async {
        guard !events.contains(event) else { return }
        let (stream, continuation) = AsyncStream.makeStream(of: ResourceEvent.self)
        onEvent = { continuation.yield($0) }
        for await told in stream where told == event { return }
    }
}
