import Dispatch
import Foundation
import Siesta

/// The operations of one or several caches, in order. A test can wait for an operation.
final class CacheJournal: Sendable {
    private struct State: Sendable {
        var entries: [String] = []
        var listeners: [AsyncStream<Void>.Continuation] = []

        func count(_ entry: String) -> Int { entries.count { $0 == entry } }
    }

    private let state = Locked(State())

    var entries: [String] { state.withLock { $0.entries } }

    /// Returns the entries that begin with `prefix`.
    func entries(_ prefix: String) -> [String] { entries.filter { $0.hasPrefix(prefix) } }

    func note(_ entry: String) {
        let listeners = state.withLock { state in
            state.entries.append(entry)
            return state.listeners
        }
        for listener in listeners { listener.yield() }
    }

    /// Waits until the journal contains `entry` `count` times, or the test is cancelled.
    func wait(for entry: String, count: Int = 1) async {
        let (changes, listener) = AsyncStream.makeStream(of: Void.self)
        state.withLock { $0.listeners.append(listener) }
        listener.yield()
        for await _ in changes where state.withLock({ $0.count(entry) }) >= count { return }
    }
}

/// A cache in memory that records `key`, `read`, `write`, `update` and `remove` in a journal, each with the name of the
/// cache.
///
/// It records reads and removals before it performs them, and the others afterwards.
final class JournalCache: EntityCache {
    private struct Contents: Sendable {
        var entities: [String: UncheckedTransfer<Entity<Any>>] = [:]
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
            let entity = newValue.map { UncheckedTransfer($0) }
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
