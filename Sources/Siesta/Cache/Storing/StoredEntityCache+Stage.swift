import Dispatch
import Foundation

/// As the cache of a stage it goes to its storage directly: that keeps the order, and does not wait.
extension StoredEntityCache: StageCache {
    var sharedStorage: EntityStorage? { storage }

    @MainActor func removeAll() {
        if let principal = currentPrincipal { storage.removeAll(of: principal) }
    }

    @MainActor func entry(for resource: Resource) -> (any CacheEntry)? {
        key(for: resource).map { StoredCacheEntry(storage: storage, key: $0, principal: principal, clock: .current) }
    }
}

private struct StoredCacheEntry: CacheEntry {
    let storage: EntityStorage
    let key: StoredEntityKey
    let principal: (@MainActor () -> String?)?
    let clock: SiestaClock

    var isCurrent: Bool { principal.map { $0() == key.principal } ?? true }

    func read(on lane: DispatchQueue, _ completion: @escaping @Sendable (UncheckedTransfer<Entity<Any>?>) -> Void) {
        storage.read(key, clock: clock, completion)
    }

    func write(_ entity: Entity<Any>, on lane: DispatchQueue) {
        storage.write(entity, forKey: key)
    }

    func updateTimestamp(_ timestamp: TimeInterval, of validator: Validator?, on lane: DispatchQueue) {
        storage.updateTimestamp(timestamp, of: validator, forKey: key)
    }

    func remove(on lane: DispatchQueue) {
        storage.remove(key)
    }
}
