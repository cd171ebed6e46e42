import Foundation

extension EntityStorage {
    /// The storage at a place, made if there is none in this process.
    ///
    /// Configuration closures run any number of times: a place named in one of them must not be opened anew each time.
    /// Those that do not encrypt with the same key are never the same, or what is to be secret might be written in the
    /// open, or for another's eyes.
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
        // Those that exist are held until the lock is free: the app may let go of one meanwhile.
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
