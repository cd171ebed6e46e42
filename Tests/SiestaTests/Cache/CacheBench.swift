import Foundation
import Siesta
import SiestaTesting

/// A service on a clock of its own, with one resource at `/x`, and caches at any stages, whose uses one journal
/// records.
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

    /// Puts a cache with the stage's name at a stage of all resources.
    @discardableResult
    func cache(at stage: PipelineStageKey) -> JournalCache {
        let cache = JournalCache(stage.description, journal)
        service.configure { $0.pipeline[stage].cacheUsing(cache) }
        return cache
    }

    /// An entity that is as many seconds old.
    func entity(_ content: Any, age: TimeInterval = 0, headers: [String: String] = [:]) -> Entity<Any> {
        Entity<Any>(content: content, headers: headers, timestamp: clock.wallTime - age)
    }

    /// Appends "!" to text, at a stage of all resources.
    func exclaim(at stage: PipelineStageKey) {
        service.configureTransformer("**", atStage: stage) { (entity: Entity<String>) in entity.content + "!" }
    }

    /// Waits until everything that was asked of the caches of `/x` is done and has arrived on the main thread.
    ///
    /// Uses that a resource's removals come after all that was asked for before them.
    func finishCacheWork(of cache: JournalCache) async {
        let removals = journal.entries("remove \(cache.name)").count
        resource.overrideLocalContent(with: "end of test")
        await journal.wait(for: "remove \(cache.name)", count: removals + 1)
        await mainQueueTurn()
    }
}

extension ObserverRecorder {
    /// Waits until `event` has been told, now or before.
    func heard(_ event: ResourceEvent) async {
        guard !events.contains(event) else { return }
        let (stream, continuation) = AsyncStream.makeStream(of: ResourceEvent.self)
        onEvent = { continuation.yield($0) }
        for await told in stream where told == event { return }
    }
}
