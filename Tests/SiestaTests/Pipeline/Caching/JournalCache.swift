import CacheTorture
import Dispatch
import Foundation
import Isolation
import SiestaCore

/// A cache in memory that records `key`, `read`, `write`, `update` and `remove` in a journal, each with the name of the
/// cache.
///
/// It records reads and removals before it performs them, and the others afterwards.
final class JournalCache: EntityCache {
    private struct Contents: Sendable {
        var entities: [String: UncheckedSendable<Entity<Any>>] = [:]
        var held: [String: DispatchSemaphore] = [:]
    }

    let name: String
    let journal: CacheJournal
    let workQueue: DispatchQueue
    private let contents = Locked(Contents())

    init(
        _ name: String, _ journal: CacheJournal = CacheJournal(),
        workQueue: DispatchQueue = DispatchQueue(label: "journal cache", attributes: .concurrent)
    ) {
        self.name = name
        self.journal = journal
        self.workQueue = workQueue
    }

    subscript(key: String) -> Entity<Any>? {
        get { contents.withLock { $0.entities[key] }?.value }
        set {
            let entity = newValue.map { UncheckedSendable($0) }
            contents.withLock { $0.entities[key] = entity }
        }
    }

    /// Makes every `operation` (such as `read`) wait, after it was recorded as held. Each call of the returned closure
    /// lets one of them continue.
    func hold(_ operation: String) -> @Sendable () -> Void {
        let gate = DispatchSemaphore(value: 0)
        contents.withLock { $0.held[operation] = gate }
        return { gate.signal() }
    }

    private func waitIfHeld(_ operation: String) {
        guard let gate = contents.withLock({ $0.held[operation] }) else { return }
        journal.note("held \(operation) \(name)")
        gate.wait()
    }

    /// Returns the path; nil for a path that ends with "uncached", which this cache therefore does not store.
    @MainActor func key(for resource: Resource) -> String? {
        journal.note("key \(name)")
        return resource.url.path.hasSuffix("uncached") ? nil : resource.url.path
    }

    func readEntity(forKey key: String) -> Entity<Any>? {
        dispatchPrecondition(condition: .onQueue(workQueue))
        journal.note("read \(name)")
        waitIfHeld("read")
        return self[key]
    }

    func writeEntity(_ entity: Entity<Any>, forKey key: String) {
        dispatchPrecondition(condition: .onQueue(workQueue))
        waitIfHeld("write")
        self[key] = entity
        journal.note("write \(name)")
    }

    func updateEntityTimestamp(_ timestamp: TimeInterval, forKey key: String) {
        dispatchPrecondition(condition: .onQueue(workQueue))
        self[key]?.timestamp = timestamp
        journal.note("update \(name)")
    }

    func removeEntity(forKey key: String) {
        dispatchPrecondition(condition: .onQueue(workQueue))
        self[key] = nil
        journal.note("remove \(name)")
    }
}
