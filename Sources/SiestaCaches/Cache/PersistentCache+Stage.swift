import Foundation
public import SiestaCore

extension PipelineStage {
    /// Stores this stage's output in `cache` after successful responses, and reads the cache for resources that have no
    /// data yet.
    public mutating func cacheUsing(_ cache: PersistentCache) {
        self.cache = cache
    }
}

/// As the cache of a stage, this cache calls its storage directly, because the storage keeps the order and does not
/// wait.
extension PersistentCache: StageCache {
    package var name: String { "PersistentCache" }

    package var sharedStorage: (any SharedStorage)? { storage }
    package var storesOnlySuccesses: Bool { true }
    package var storesErrors: Bool { true }

    @MainActor package func lacksPrincipal(for resource: Resource) -> Bool { currentPrincipal(for: resource) == nil }

    @MainActor package func entry(
        for resource: Resource, requestHeaders: @MainActor () -> [String: String]
    ) -> (any CacheEntry)? {
        key(for: resource, requestHeaders: requestHeaders).map {
            StoredCacheEntry(
                storage: storage, key: $0, principal: principal ?? resource.sessionPrincipal, clock: .current)
        }
    }

    /// Returns the current principal of the cache or of the resource's session. It is empty if there is neither a
    /// partition nor a session, and nil if there is no principal now.
    @MainActor private func currentPrincipal(for resource: Resource) -> String? {
        guard let principal = principal ?? resource.sessionPrincipal else { return "" }
        return principal()
    }

    /// Returns the key of the resource's URL and the current principal; nil if the cache is partitioned and there is
    /// no principal.
    @MainActor package func key(for resource: Resource) -> CacheKey? {
        key(for: resource) { resource.headersOfLoad }
    }

    @MainActor private func key(
        for resource: Resource, requestHeaders: @MainActor () -> [String: String]
    ) -> CacheKey? {
        guard let principal = currentPrincipal(for: resource) else { return nil }
        return CacheKey(
            principal: principal, address: resource.address, coding: coding, requestHeaders: requestHeaders())
    }
}

private struct StoredCacheEntry: CacheEntry {
    let storage: CacheStorage
    let key: CacheKey
    let principal: (@MainActor () -> String?)?
    let clock: SiestaClock

    var isCurrent: Bool { principal.map { .named($0()) == key.owner } ?? true }

    func read(on lane: WorkLane, _ completion: @escaping @Sendable (UncheckedSendable<Entity<Any>?>) -> Void) {
        storage.read(key, clock: clock, mayTakeLong: true, completion)
    }

    func isPlace(
        of resource: Resource, for hit: CacheHit?, requestHeaders: @MainActor () -> [String: String]
    ) -> Bool {
        guard isCurrent else { return false }
        guard let vary = hit?.vary else { return true }
        return key.variant(namedBy: vary) == key.variant(namedBy: vary, in: requestHeaders())
    }

    /// Stores the entity with the server's `Vary` and `Cache-Control`, even if transformers have removed these headers.
    func write(_ output: CacheableOutput, on lane: WorkLane) {
        var entity = output.entity
        for name in ["Vary", "Cache-Control"] {
            guard let value = output.responseHeader(name), entity.header(forKey: name) == nil else { continue }
            entity.headers[name] = value
        }
        storage.write(entity, forKey: key)
    }

    func confirm(_ confirmation: CacheConfirmation, on lane: WorkLane) {
        storage.updateTimestamp(
            confirmation.timestamp, confirmation.headers, confirmation.cachingInfo, of: confirmation.validator,
            forKey: key)
    }

    func remove(on lane: WorkLane) {
        storage.remove(key)
    }
}
