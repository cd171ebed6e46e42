import Foundation

extension EntityStorage {
    /// Returns the storage at a place, and creates it if this process has none there.
    ///
    /// Configuration closures run any number of times, so a cache that they name must not open its place anew each
    /// time. Storages that do not use the same encryption key are never shared. Otherwise a cache could write records
    /// unencrypted, or with another cache's key.
    package static func shared(
        at place: String, options: EntityCacheOptions, store: () -> any EntityStore
    ) -> EntityStorage {
        let place = place + (options.sealing.map { ", sealed with \($0.keyIdentifier)" } ?? "")
        if let existing = storages.withLock({ $0[place]?.storage }) {
            if !existing.options.agrees(with: options) {
                existing.log("is in use already, so that other options are ignored: name the same ones each time")
            }
            return existing
        }
        let new = EntityStorage(store(), options: options)
        // The storages are kept alive until the lock is free: the app may release one meanwhile, and its deinitializer
        // may run any code.
        let (storage, _) = storages.withLock { storages in
            if let existing = storages[place]?.storage { return (existing, [EntityStorage]()) }
            let present = storages.compactMapValues(\.storage)
            storages = storages.filter { present[$0.key] != nil }
            storages[place] = Weak(storage: new)
            return (new, Array(present.values))
        }
        return storage
    }

    private struct Weak: Sendable {
        weak let storage: EntityStorage?
    }

    private static let storages = Locked<[String: Weak]>([:])
}
