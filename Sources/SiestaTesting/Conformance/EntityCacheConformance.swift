import Foundation
package import SiestaCaches
public import SiestaCore

/// A test suite that checks whether a cache meets the requirements of `EntityCache`. Run it on a cache that you
/// implement:
///
///     let violations = await EntityCacheConformance.violations { MyCache(at: url) }
///     #expect(violations.isEmpty)
@MainActor
public enum EntityCacheConformance {
    /// Runs all checks, and returns the violated rules. The checks use resources with URLs below
    /// `http://conformance.test`, and take a few seconds.
    ///
    /// - Parameters:
    ///   - outlivesInstances: True if a new instance must find the entities that another instance has written. The
    ///     default is true.
    ///   - settle: A closure that waits until another instance can find all written entities.
    ///   - open: A closure that creates a cache for `Data`, always in the same location.
    /// - Returns: The violated rules; empty if no rule is violated.
    public static func violations<Cache: EntityCache>(
        outlivesInstances: Bool = true, settle: @escaping @Sendable (Cache) async throws -> Void = { _ in },
        of open: @escaping () throws -> Cache
    ) async -> [ConformanceViolation] {
        await violations(outlivesInstances: outlivesInstances) { CacheUser(cache: try open(), settle: settle) }
    }

    /// Runs all checks on a cache of the library.
    package static func violations(of open: @escaping () throws -> PersistentCache) async -> [ConformanceViolation] {
        await violations(outlivesInstances: true) { CacheUser(cache: try open()) }
    }

    private static func violations(
        outlivesInstances: Bool, of open: @escaping () throws -> CacheUser
    ) async -> [ConformanceViolation] {
        let report = ConformanceReport()
        await report.run("A cache can be made") {
            await CacheChecks(report: report, user: try open()).run()
            await PipelineChecks(report: report, open: open).run(outlivesInstances: outlivesInstances)
        }
        return report.violations
    }
}

/// The operations of a cache on the resources of `http://conformance.test`, called as the library calls them.
@MainActor
struct CacheUser {
    let read: (_ path: String) async -> Entity<Any>?
    let write: (_ entity: Entity<Any>, _ path: String) async -> Void
    let updateTimestamp: (_ timestamp: TimeInterval, _ path: String) async -> Void
    let remove: (_ path: String) async -> Void
    /// Makes the cache that of a pipeline stage.
    let attach: (inout PipelineStage) -> Void
    /// Waits until all written entities are where the next instance will look for them.
    let settle: () async throws -> Void

    /// Calls a cache for keys on the main actor, and for everything else on the cache's queue.
    init<Cache: EntityCache>(cache: Cache, settle: @escaping @Sendable (Cache) async throws -> Void) {
        let service = Service(baseURL: "http://conformance.test", networking: StubNetwork())
        func work<Result>(
            _ path: String, _ work: @escaping @Sendable (Cache, Cache.Key) -> Result
        ) async -> Result? {
            guard let key = cache.key(for: service.resource("/").relative(path)) else { return nil }
            return await withCheckedContinuation {
                (continuation: CheckedContinuation<UncheckedSendable<Result>, Never>) in
                cache.workQueue.async { continuation.resume(returning: UncheckedSendable(work(cache, key))) }
            }.value
        }
        read = { path in await work(path) { UncheckedSendable($0.readEntity(forKey: $1)) }?.value }
        write = { entity, path in
            let entity = UncheckedSendable(entity)
            await work(path) { $0.writeEntity(entity.value, forKey: $1) }
        }
        updateTimestamp = { timestamp, path in
            await work(path) { $0.updateEntityTimestamp(timestamp, forKey: $1) }
        }
        remove = { path in await work(path) { $0.removeEntity(forKey: $1) } }
        attach = { $0.cacheUsing(cache) }
        self.settle = { try await settle(cache) }
    }

    init(cache: PersistentCache) {
        let service = Service(baseURL: "http://conformance.test", networking: StubNetwork())
        func resource(_ path: String) -> Resource { service.resource("/").relative(path) }
        read = { await cache.entity(for: resource($0)) }
        write = { cache.write($0, for: resource($1)) }
        updateTimestamp = { cache.updateTimestamp($0, for: resource($1)) }
        remove = { cache.remove(for: resource($0)) }
        attach = { $0.cacheUsing(cache) }
        settle = { try await cache.storage.flush() }
    }
}
