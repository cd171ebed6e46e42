import Foundation
import HTTPRules
import Isolation
import SiestaCore

extension CacheStorage: SharedStorage {
    /// Entities in memory end with the storage. Entities on a disk do not.
    package var outlivesInstance: Bool { !(store is MemoryRecordStore) }
}

extension CacheStorage {
    /// Returns the storage at a place. Creates it if this process has no storage at this place.
    ///
    /// Configuration closures run any number of times. Therefore the creation of a cache in such a closure must not
    /// open its place again. Storages with different encryption keys are never shared, because a cache could write
    /// records unencrypted, or with another cache's key.
    package static func shared(
        at place: String, options: EntityCacheOptions, store: () -> any RecordStore
    ) -> CacheStorage {
        // Two names that look the same can be those of two folders, perhaps of two users.
        let place = ExactText(place + (options.sealing.map { ", sealed with \($0.keyIdentifier)" } ?? ""))
        if let existing = storages.withLock({ $0[place]?.storage }) {
            if !existing.options.agrees(with: options) {
                existing.log("is already in use with other options. Use the same options everywhere.")
            }
            return existing
        }
        let new = CacheStorage(store(), options: options)
        // The storages are kept alive until the lock is free. The app may release a storage at the same time, and the
        // release may run any code.
        let (storage, _) = storages.withLock { storages in
            if let existing = storages[place]?.storage { return (existing, [CacheStorage]()) }
            let present = storages.compactMapValues(\.storage)
            storages = storages.filter { present[$0.key] != nil }
            storages[place] = Weak(storage: new)
            return (new, Array(present.values))
        }
        return storage
    }

    private struct Weak: Sendable {
        weak let storage: CacheStorage?
    }

    private static let storages = Locked<[ExactText: Weak]>([:])
}
