/// The use of a storage by one or more caches of a service, with or without a principal.
@MainActor
package struct StorageInUse {
    private weak var weakStorage: (any SharedStorage)?
    /// Nil for a storage in memory, whose entities may end with it. Entities on a disk outlive their storage, so that
    /// one is kept.
    private let keptStorage: (any SharedStorage)?
    private let principal: (() -> String?)?

    /// Returns nil for a cache that the app implements.
    init?(_ cache: any StageCache) {
        guard let storage = cache.sharedStorage else { return nil }
        weakStorage = storage
        keptStorage = storage.outlivesInstance ? storage : nil
        principal = cache.principal
    }

    /// The storage, or nil if it was released.
    package var storage: (any SharedStorage)? { weakStorage }

    /// Removes the entities of the caches' current principal. If the caches are not partitioned, removes all entities of
    /// no principal, and of the principal of the service's session.
    func removeAll(ofSession sessionPrincipal: String?) {
        guard let owner = principal == nil ? "" : principal?() else {
            let advice = "Wipe before the app forgets who is logged in, or call CacheStorage.remove(principal:)."
            return SiestaLog.log(.cache, ["A wipe removes nothing from a cache whose principal is nil.", advice])
        }
        storage?.removeAll(of: owner)
        if principal == nil, let sessionPrincipal { storage?.removeAll(of: sessionPrincipal) }
    }

    private func isEquivalent(to other: StorageInUse) -> Bool {
        storage === other.storage && (principal == nil) == (other.principal == nil)
    }

    /// Returns the storages that still exist. Caches with the same storage and the same kind of use count as one.
    static func distinct(_ all: [StorageInUse]) -> [StorageInUse] {
        all.reduce(into: []) { result, next in
            guard next.storage != nil, !result.contains(where: next.isEquivalent(to:)) else { return }
            result.append(next)
        }
    }
}

/// The storages of all configurations that resources of a service use or used before, including configurations that the
/// current rules no longer produce.
@MainActor
final class StorageRegister {
    private(set) var storages: [StorageInUse] = []
    /// True if the freshness of any resource follows HTTP now, or did before.
    var followsHTTP = false

    /// Registers the caches in a resource's configuration.
    func note(_ processing: ResponseProcessing) {
        guard processing.hasCache else { return }
        let caches = processing.stages.compactMap(\.cache)
        // The newest storage comes first, so that its principal closure is used.
        storages = StorageInUse.distinct(caches.compactMap { StorageInUse($0) } + storages)
    }
}
