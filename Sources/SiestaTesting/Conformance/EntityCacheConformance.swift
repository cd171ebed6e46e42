import Foundation
public import Siesta

/// The requirements on every ``Siesta/EntityCache``, as checks that you can run against your own cache.
///
///     let violations = await EntityCacheConformance.violations { MyCache(at: url) }
///     #expect(violations.isEmpty)
@MainActor
public enum EntityCacheConformance {
    /// Runs all checks on resources of `http://conformance.test`. This takes some seconds.
    ///
    /// - Parameters:
    ///   - outlivesInstances: true if a new instance must find the entities that another instance has written.
    ///   - settle: waits until all written entities are where the next instance will look for them.
    ///   - open: creates a cache for `Data`, at the same place each time.
    /// - Returns: the violated rules; empty if there are none.
    public static func violations<Cache: EntityCache>(
        outlivesInstances: Bool = true, settle: @escaping @Sendable (Cache) async throws -> Void = { _ in },
        of open: @escaping () throws -> Cache
    ) async -> [ConformanceViolation] {
        let report = ConformanceReport()
        await report.run("A cache can be made") {
            let bench = CacheUser(cache: try open())
            await CacheChecks(report: report, user: bench).run()
            await PipelineChecks(report: report, settle: settle, open: open).run(outlivesInstances: outlivesInstances)
        }
        return report.violations
    }
}

/// Calls a cache as the library does: for keys on the main actor, for everything else on the cache's queue.
@MainActor
struct CacheUser<Cache: EntityCache> {
    let cache: Cache
    private let service = Service(baseURL: "http://conformance.test", networking: StubNetwork())

    init(cache: Cache) {
        self.cache = cache
    }

    private func work<Result>(
        _ path: String, _ work: @escaping @Sendable (Cache, Cache.Key) -> Result
    ) async -> Result? {
        guard let key = cache.key(for: service.resource("/").relative(path)) else { return nil }
        let (transfer, cache) = (UncheckedTransfer(key), cache)
        return await withCheckedContinuation { (continuation: CheckedContinuation<UncheckedTransfer<Result>, Never>) in
            cache.workQueue.async { continuation.resume(returning: UncheckedTransfer(work(cache, transfer.value))) }
        }.value
    }

    func read(_ path: String) async -> Entity<Any>? {
        await work(path) { UncheckedTransfer($0.readEntity(forKey: $1)) }?.value
    }

    func write(_ entity: Entity<Any>, _ path: String) async {
        let entity = UncheckedTransfer(entity)
        await work(path) { $0.writeEntity(entity.value, forKey: $1) }
    }

    func updateTimestamp(_ timestamp: TimeInterval, _ path: String) async {
        await work(path) { $0.updateEntityTimestamp(timestamp, forKey: $1) }
    }

    func remove(_ path: String) async {
        await work(path) { $0.removeEntity(forKey: $1) }
    }
}
