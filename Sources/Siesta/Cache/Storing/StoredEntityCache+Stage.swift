import Foundation

/// As the cache of a stage, it calls its storage directly: the storage keeps the order and does not wait.
extension StoredEntityCache: StageCache {
    var sharedStorage: EntityStorage? { storage }
    var keepsWhatSucceeds: Bool { true }

    @MainActor var lacksPrincipal: Bool { currentPrincipal == nil }

    @MainActor func entry(
        for resource: Resource, requestHeaders: @MainActor () -> [String: String]
    ) -> (any CacheEntry)? {
        key(for: resource, requestHeaders: requestHeaders).map {
            StoredCacheEntry(storage: storage, key: $0, principal: principal, clock: .current)
        }
    }
}

private struct StoredCacheEntry: CacheEntry {
    let storage: EntityStorage
    let key: StoredEntityKey
    let principal: (@MainActor () -> String?)?
    let clock: SiestaClock

    var isCurrent: Bool { principal.map { $0() == key.principal } ?? true }

    func read(on lane: WorkLane, _ completion: @escaping @Sendable (UncheckedTransfer<Entity<Any>?>) -> Void) {
        storage.read(key, clock: clock, mayTakeLong: true, completion)
    }

    func isPlace(
        of resource: Resource, for hit: CacheLane.Hit?, requestHeaders: @MainActor () -> [String: String]
    ) -> Bool {
        guard isCurrent else { return false }
        guard let vary = hit?.vary else { return true }
        return key.variant(namedBy: vary) == key.variant(namedBy: vary, in: requestHeaders())
    }

    /// Stores the entity with the server's `Vary` and `Cache-Control`, even if transformers have removed these headers.
    func write(_ output: ResponseProcessing.CacheableOutput, on lane: WorkLane) {
        var entity = output.entity
        for name in ["Vary", "Cache-Control"] {
            guard let value = output.response[name], entity.header(forKey: name) == nil else { continue }
            entity.headers[name] = value
        }
        storage.write(entity, forKey: key)
    }

    func updateTimestamp(_ timestamp: TimeInterval, of validator: Validator?, on lane: WorkLane) {
        storage.updateTimestamp(timestamp, of: validator, forKey: key)
    }

    func remove(on lane: WorkLane) {
        storage.remove(key)
    }
}
