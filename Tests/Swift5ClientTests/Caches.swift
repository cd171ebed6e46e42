import Foundation
import Siesta

// Persistent caches as apps for Siesta 1.5 write them.

/// A class with unguarded state. Only the use of its queue makes it safe.
class MemoryCache: EntityCache {
    var entries: [String: Entity<Any>] = [:]
    var log: [String] = []
    var onWrite: (() -> Void)?
    let workQueue = DispatchQueue(label: "memory cache")

    func key(for resource: Resource) -> String? {
        return resource.url.path
    }

    func readEntity(forKey key: String) -> Entity<Any>? {
        log.append("read")
        return entries[key]
    }

    func writeEntity(_ entity: Entity<Any>, forKey key: String) {
        log.append("write")
        entries[key] = entity
        onWrite?()
    }

    func removeEntity(forKey key: String) {
        log.append("remove")
        entries[key] = nil
    }
}

/// A value with a key of its own, which contains the user's identity.
struct UserCache: EntityCache {
    struct Key {
        let user: String
        let url: String
    }

    let store: MemoryCache
    var userName: () -> String?
    var workQueue: DispatchQueue { return store.workQueue }

    func key(for resource: Resource) -> Key? {
        guard let user = userName() else { return nil }
        return Key(user: user, url: resource.url.absoluteString)
    }

    func readEntity(forKey key: Key) -> Entity<Any>? {
        return store.entries[key.user + key.url]
    }

    func writeEntity(_ entity: Entity<Any>, forKey key: Key) {
        store.writeEntity(entity, forKey: key.user + key.url)
    }

    func updateEntityTimestamp(_ timestamp: TimeInterval, forKey key: Key) {
        store.entries[key.user + key.url]?.timestamp = timestamp
    }

    func removeEntity(forKey key: Key) {
        store.entries.removeValue(forKey: key.user + key.url)
    }
}
