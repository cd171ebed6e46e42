import Foundation

/// What was asked of a store and is not in it yet: at most one change of each record, in the order in which they were
/// last asked for. Pure.
///
/// Removals of whole partitions come first: what was asked for before them is dropped.
struct PendingChanges: Sendable {
    enum Change: Sendable {
        case write(UncheckedTransfer<Entity<Any>>)
        case updateTimestamp(TimeInterval)
        case remove
    }

    struct Entry: Sendable {
        let key: StoredEntityKey
        fileprivate(set) var change: Change
        fileprivate var position: Int
    }

    /// What a read may rely on without asking the store.
    enum Answer {
        case entity(Entity<Any>)
        case nothing
        /// Only the store knows, and the timestamp is another if there is one here.
        case unknown(TimeInterval?)
    }

    private var entriesByKey: [EntityStoreKey: Entry] = [:]
    private var nextPosition = 0
    private(set) var removesAll = false
    private(set) var removedPartitions: Set<UInt128> = []

    var isEmpty: Bool { entriesByKey.isEmpty && !removesAll && removedPartitions.isEmpty }

    /// The changes of single records, the one that was asked for last at the end.
    var entries: [Entry] { entriesByKey.values.sorted { $0.position < $1.position } }

    mutating func write(_ entity: Entity<Any>, forKey key: StoredEntityKey) {
        put(.write(UncheckedTransfer(entity)), key)
    }

    mutating func remove(_ key: StoredEntityKey) {
        put(.remove, key)
    }

    mutating func updateTimestamp(_ timestamp: TimeInterval, forKey key: StoredEntityKey) {
        switch answer(forKey: key.storeKey) {
        case .nothing: break
        case .unknown: put(.updateTimestamp(timestamp), key)
        case .entity(var entity):
            entity.timestamp = timestamp
            entriesByKey[key.storeKey]?.change = .write(UncheckedTransfer(entity))
        }
    }

    mutating func removeAll() {
        self = PendingChanges()
        removesAll = true
    }

    mutating func removePartition(_ partition: UInt128) {
        entriesByKey = entriesByKey.filter { $0.key.partition != partition }
        if !removesAll { removedPartitions.insert(partition) }
    }

    /// The removals among these changes.
    var removals: PendingChanges {
        var removals = self
        removals.entriesByKey = entriesByKey.filter { if case .remove = $0.value.change { true } else { false } }
        return removals
    }

    /// These changes, and others that were asked for afterwards.
    func followed(by later: PendingChanges) -> PendingChanges {
        guard !isEmpty, !later.removesAll else { return later }
        var all = self
        for partition in later.removedPartitions { all.removePartition(partition) }
        for entry in later.entries { all.put(entry.change, entry.key) }
        return all
    }

    func answer(forKey key: EntityStoreKey) -> Answer {
        switch entriesByKey[key]?.change {
        case .write(let entity): .entity(entity.value)
        case .updateTimestamp(let timestamp): .unknown(timestamp)
        case .remove: .nothing
        case nil: removesAll || removedPartitions.contains(key.partition) ? .nothing : .unknown(nil)
        }
    }

    private mutating func put(_ change: Change, _ key: StoredEntityKey) {
        entriesByKey[key.storeKey] = Entry(key: key, change: change, position: nextPosition)
        nextPosition += 1
    }
}

extension PendingChanges.Answer {
    /// What these changes say, and where they do not know, what was asked for before them.
    func orElse(_ earlier: @autoclosure () -> PendingChanges.Answer) -> PendingChanges.Answer {
        guard case .unknown(let timestamp) = self else { return self }
        switch earlier() {
        case .nothing: return .nothing
        case .unknown(let earlierTimestamp): return .unknown(timestamp ?? earlierTimestamp)
        case .entity(var entity):
            entity.timestamp = timestamp ?? entity.timestamp
            return .entity(entity)
        }
    }
}
