/// A storage as one or several caches of a service use it: for everybody, or for a principal.
@MainActor
struct StorageInUse {
    private weak var weakStorage: EntityStorage?
    /// Nil for a storage whose entities go with it; what others have put on a disk outlives them.
    private let keptStorage: EntityStorage?
    private let principal: (() -> String?)?

    /// Nil for a cache of the app.
    init?(_ cache: any StageCache) {
        guard let storage = cache.sharedStorage else { return nil }
        weakStorage = storage
        keptStorage = storage.store is MemoryEntityStore ? nil : storage
        principal = cache.principal
    }

    /// Nil if it is gone.
    var storage: EntityStorage? { weakStorage }

    /// Removes what the storage has for whom the caches are now.
    func removeAll() {
        guard let owner = principal == nil ? "" : principal?() else {
            let advice = "Wipe before the app forgets who is logged in, or call EntityStorage.remove(principal:)."
            return SiestaLog.log(.cache, ["A wipe removes nothing from a cache whose principal is nil.", advice])
        }
        storage?.removeAll(of: owner)
    }

    private func isUsedAlike(_ other: StorageInUse) -> Bool {
        storage === other.storage && (principal == nil) == (other.principal == nil)
    }

    /// The storages that are still there, those of caches with the same storage and use once.
    static func distinct(_ all: [StorageInUse]) -> [StorageInUse] {
        all.reduce(into: []) { result, next in
            guard next.storage != nil, !result.contains(where: next.isUsedAlike) else { return }
            result.append(next)
        }
    }
}

/// The storages that resources of a service have or had in their configurations, whatever the rules would make of it
/// now.
@MainActor
final class StorageRegister {
    private(set) var storages: [StorageInUse] = []

    /// Takes note of the caches of a configuration that a resource has.
    func note(_ processing: ResponseProcessing) {
        guard processing.hasCache else { return }
        let caches = processing.stages.compactMap(\.cache)
        // The newest first: its principal is asked.
        storages = StorageInUse.distinct(caches.compactMap { StorageInUse($0) } + storages)
    }
}
