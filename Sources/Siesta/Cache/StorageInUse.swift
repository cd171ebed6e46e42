/// The use of a storage by one or several caches of a service: for everybody, or for a principal.
@MainActor
struct StorageInUse {
    private weak var weakStorage: EntityStorage?
    /// Nil for a storage in memory, whose entities may end with it. Entities on a disk outlive their storage, so that
    /// one is kept.
    private let keptStorage: EntityStorage?
    private let principal: (() -> String?)?

    /// Returns nil for a cache that the app implements.
    init?(_ cache: any StageCache) {
        guard let storage = cache.sharedStorage else { return nil }
        weakStorage = storage
        keptStorage = storage.store is MemoryEntityStore ? nil : storage
        principal = cache.principal
    }

    /// The storage, or nil if it was released.
    var storage: EntityStorage? { weakStorage }

    /// Removes the entities of the caches' current principal, or of everybody if the caches are not partitioned.
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

    /// Returns the storages that still exist. Caches with the same storage and the same kind of use count once.
    static func distinct(_ all: [StorageInUse]) -> [StorageInUse] {
        all.reduce(into: []) { result, next in
            guard next.storage != nil, !result.contains(where: next.isUsedAlike) else { return }
            result.append(next)
        }
    }
}

/// The storages of all configurations that resources of a service have or had, including those that the current rules
/// no longer produce.
@MainActor
final class StorageRegister {
    private(set) var storages: [StorageInUse] = []

    /// Notes the caches in a resource's configuration.
    func note(_ processing: ResponseProcessing) {
        guard processing.hasCache else { return }
        let caches = processing.stages.compactMap(\.cache)
        // The newest comes first, so that its principal closure is the one that is asked.
        storages = StorageInUse.distinct(caches.compactMap { StorageInUse($0) } + storages)
    }
}
