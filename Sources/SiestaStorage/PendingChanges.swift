import Foundation
import Siesta

/// The changes that were requested and that the store does not have yet. There is at most one change for each record.
/// The changes are in the order of their last request. Pure.
///
/// Removals of whole partitions come first, because they drop the changes that were requested before them.
struct PendingChanges: Sendable {
    enum Change: Sendable {
        case write(UncheckedSendable<Entity<Any>>)
        case confirm(Confirmation)
        case remove
    }

    /// The server's confirmation that a stored entity is current. It applies only to the entity about which the server
    /// was asked, and only if the request would receive that entity.
    struct Confirmation: Sendable {
        let timestamp: TimeInterval
        /// The headers that the server has sent with the confirmation and that differ from those of the entity. An empty
        /// value stands for a header that the entity has no longer.
        var headers: [String: String] = [:]
        /// The validator of the confirmed entity; nil confirms any stored entity.
        let validator: Validator?
        let key: CacheKey

        func applies(to entity: Entity<Any>, storedUnder other: CacheKey) -> Bool {
            (validator == nil || validator == entity.validator) && key.selects(entity, storedUnder: other)
        }

        func applies(to entity: CacheRecord) -> Bool {
            (validator == nil || validator == entity.validator) && key.isKey(of: entity)
        }

        /// Returns this confirmation with the headers of an earlier confirmation of the same entity.
        func completed(by earlier: Confirmation?) -> Confirmation {
            guard let earlier, !earlier.headers.isEmpty, earlier.newValidator == validator else { return self }
            return Confirmation(
                timestamp: timestamp, headers: earlier.headers.merging(headers) { $1 }, validator: earlier.validator,
                key: key)
        }

        /// The validator of the entity after the confirmation.
        private var newValidator: Validator? {
            guard headers["etag"] != nil || headers["last-modified"] != nil else { return validator }
            return Validator { headers[$0] ?? validator?.value(ofField: $0) }
        }

        /// Changes the headers of an entity.
        func update(_ stored: inout [String: String]) {
            for (name, value) in headers { stored[name] = value.isEmpty ? nil : value }
        }
    }

    struct Entry: Sendable {
        let key: CacheKey
        fileprivate(set) var change: Change
        fileprivate var position: Int
    }

    /// The entries that a change has dropped. Their content and codings belong to the app, and their release may run
    /// any code. A caller that holds a lock must release the entries outside the lock.
    struct Dropped: Sendable {
        static let nothing = Dropped(entries: [])

        fileprivate let entries: [Entry]
    }

    /// The answer to a read, as far as it is known without the store.
    enum Answer {
        case entity(Entity<Any>, storedUnder: CacheKey)
        case nothing
        /// Only the store knows the answer. The server may have confirmed the store's record since it was written.
        case unknown(Confirmation?)
    }

    private var entriesByKey: [RecordKey: Entry] = [:]
    private var nextPosition = 0
    private(set) var removesAll = false
    private(set) var removedPartitions: Set<UInt128> = []

    var isEmpty: Bool { entriesByKey.isEmpty && !removesAll && removedPartitions.isEmpty }

    /// The changes of single records, in the order of their last request.
    var entries: [Entry] { entriesByKey.values.sorted { $0.position < $1.position } }

    @discardableResult
    mutating func write(_ entity: Entity<Any>, forKey key: CacheKey) -> Dropped {
        put(.write(UncheckedSendable(entity)), key)
    }

    @discardableResult
    mutating func remove(_ key: CacheKey) -> Dropped {
        put(.remove, key)
    }

    @discardableResult
    mutating func confirm(_ confirmation: Confirmation) -> Dropped {
        let key = confirmation.key
        switch answer(forKey: key.storeKey) {
        case .nothing: return .nothing
        case .unknown(let earlier): return put(.confirm(confirmation.completed(by: earlier)), key)
        case .entity(var entity, let other):
            entity.take(confirmation, storedUnder: other)
            entriesByKey[key.storeKey]?.change = .write(UncheckedSendable(entity))  // The content does not change.
            return .nothing
        }
    }

    @discardableResult
    mutating func removeAll() -> Dropped {
        let dropped = Dropped(entries: Array(entriesByKey.values))
        self = PendingChanges()
        removesAll = true
        return dropped
    }

    @discardableResult
    mutating func removePartition(_ partition: UInt128) -> Dropped {
        let dropped = Dropped(entries: entriesByKey.values.filter { $0.key.storeKey.partition == partition })
        for entry in dropped.entries { entriesByKey[entry.key.storeKey] = nil }
        if !removesAll { removedPartitions.insert(partition) }
        return dropped
    }

    /// True if these changes remove all records, or a whole partition.
    var hasBulkRemovals: Bool { removesAll || !removedPartitions.isEmpty }

    /// Returns the removals among these changes. Changes of `outdated` records become removals, too.
    func removals(and outdated: Set<RecordKey>) -> PendingChanges {
        var removals = self
        removals.entriesByKey = entriesByKey.compactMapValues { entry in
            var entry = entry
            if outdated.contains(entry.key.storeKey) { entry.change = .remove }
            if case .remove = entry.change { return entry } else { return nil }
        }
        return removals
    }

    /// Returns these changes without the changes of records that `later` writes or removes.
    func without(_ later: PendingChanges) -> PendingChanges {
        guard !isEmpty, !later.removesAll else { return PendingChanges() }
        var rest = self
        rest.removedPartitions.subtract(later.removedPartitions)
        rest.entriesByKey = entriesByKey.filter { key, _ in
            if later.removedPartitions.contains(key.partition) { return false }
            if case .confirm? = later.entriesByKey[key]?.change { return true }
            return later.entriesByKey[key] == nil
        }
        return rest
    }

    func followed(by later: PendingChanges) -> PendingChanges {
        guard !isEmpty, !later.removesAll else { return later }
        var all = self
        for partition in later.removedPartitions { all.removePartition(partition) }
        for entry in later.entries {
            // A confirmation does not restore an entity that was already removed.
            if case .confirm(let confirmation) = entry.change {
                all.confirm(confirmation)
            } else {
                _ = all.put(entry.change, entry.key)
            }
        }
        return all
    }

    func answer(forKey key: RecordKey) -> Answer {
        guard let entry = entriesByKey[key] else {
            return removesAll || removedPartitions.contains(key.partition) ? .nothing : .unknown(nil)
        }
        switch entry.change {
        case .write(let entity): return .entity(entity.value, storedUnder: entry.key)
        case .confirm(let confirmation): return .unknown(confirmation)
        case .remove: return .nothing
        }
    }

    private mutating func put(_ change: Change, _ key: CacheKey) -> Dropped {
        let entry = Entry(key: key, change: change, position: nextPosition)
        let old = entriesByKey.updateValue(entry, forKey: key.storeKey)
        nextPosition += 1
        return Dropped(entries: old.map { [$0] } ?? [])
    }
}

extension PendingChanges.Answer {
    /// Returns the answer of these changes. If it is unknown, returns the answer of the changes that were requested
    /// earlier.
    func orElse(_ earlier: @autoclosure () -> PendingChanges.Answer) -> PendingChanges.Answer {
        guard case .unknown(let confirmation) = self else { return self }
        switch earlier() {
        case .nothing: return .nothing
        case .unknown(let earlier): return .unknown(confirmation?.completed(by: earlier) ?? earlier)
        case .entity(var entity, let key):
            if let confirmation { entity.take(confirmation, storedUnder: key) }
            return .entity(entity, storedUnder: key)
        }
    }
}

extension Entity<Any> {
    fileprivate mutating func take(_ confirmation: PendingChanges.Confirmation, storedUnder key: CacheKey) {
        guard confirmation.applies(to: self, storedUnder: key) else { return }
        timestamp = confirmation.timestamp
        if !confirmation.headers.isEmpty { confirmation.update(&headers) }
    }
}

extension CacheRecord {
    mutating func take(_ confirmation: PendingChanges.Confirmation) {
        guard confirmation.applies(to: self) else { return }
        timestamp = confirmation.timestamp
        confirmation.update(&headers)
    }
}
