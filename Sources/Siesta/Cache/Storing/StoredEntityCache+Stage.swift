import Foundation

/// As the cache of a stage it goes to its storage directly: that keeps the order, and does not wait.
extension StoredEntityCache: StageCache {
    var sharedStorage: EntityStorage? { storage }
    var keepsWhatSucceeds: Bool { true }

    @MainActor func removeAll() {
        if let principal = currentPrincipal { storage.removeAll(of: principal) }
    }

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

    func write(_ entity: Entity<Any>, on lane: WorkLane) {
        storage.write(entity, forKey: key)
    }

    func updateTimestamp(_ timestamp: TimeInterval, of validator: Validator?, on lane: WorkLane) {
        storage.updateTimestamp(timestamp, of: validator, forKey: key)
    }

    func remove(on lane: WorkLane) {
        storage.remove(key)
    }
}
