import Foundation
import HTTPRules
import SiestaCore

/// The operations that were requested and that the store has not made yet: at most one change for each record, in the
/// order of their last request, and removals of many records. Pure.
///
/// A write of a variant is recorded in a place of the variant (``CacheKey/places(namedBy:)``). The storage may make it in
/// another place, because only the store knows which variants the places have.
///
/// Removals of whole partitions and origins come first, because they drop the changes that were requested before them.
struct PendingOperations: Sendable {
    enum Change: Sendable {
        case write(UncheckedSendable<Entity<Any>>)
        /// A write that has no effect if a success of any variant is stored.
        case fill(UncheckedSendable<Entity<Any>>)
        case confirm(Confirmations)
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
        /// The caching info of the confirmation; nil if freshness does not follow HTTP.
        var cachingInfo: CachingInfo?
        let key: CacheKey

        func applies(to entity: Entity<Any>, storedUnder other: CacheKey) -> Bool {
            (validator == nil || validator == entity.validator) && !(entity.content is ErrorBody)
                && key.selects(entity, storedUnder: other)
        }

        func applies(to entity: CacheRecord) -> Bool {
            (validator == nil || validator == entity.validator) && !entity.isError && key.isKey(of: entity)
        }

        /// Returns this confirmation with the headers of an earlier confirmation of the same entity.
        func completed(by earlier: Confirmation?) -> Confirmation {
            guard let earlier, !earlier.headers.isEmpty, earlier.newValidator == validator else { return self }
            return Confirmation(
                timestamp: timestamp, headers: earlier.headers.merging(headers) { $1 }, validator: earlier.validator,
                cachingInfo: cachingInfo, key: key)
        }

        /// The validator of the entity after the confirmation.
        private var newValidator: Validator? {
            guard headers["etag"] != nil || headers["last-modified"] != nil else { return validator }
            return Validator { headers[$0] ?? validator?.value(ofField: $0) }
        }

        /// True if the `Vary` of the entity changes. Then the request that was confirmed decides which requests
        /// select the entity, because the server has named the headers for that request only.
        var changesVary: Bool { headers["vary"] != nil }

        /// Changes the headers of an entity.
        func update(_ stored: inout [String: String]) {
            for (name, value) in headers { stored[name] = value.isEmpty ? nil : value }
        }
    }

    /// The confirmations of the variants that one place may have, in the order of their requests. Only the store knows which
    /// of them the place has.
    struct Confirmations: Sendable {
        static let none = Confirmations(list: [])

        private(set) var list: [Confirmation]

        var isEmpty: Bool { list.isEmpty }

        /// Returns these confirmations after earlier ones. There is at most one for equal requests.
        func after(_ earlier: Confirmations) -> Confirmations {
            guard !earlier.isEmpty else { return self }
            var all = earlier
            for confirmation in list {
                let same = all.list.firstIndex { $0.key.hasRequestHeaders(of: confirmation.key) }
                all.list.append(confirmation.completed(by: same.map { all.list.remove(at: $0) }))
            }
            return all
        }
    }

    struct Entry: Sendable {
        fileprivate(set) var key: CacheKey
        fileprivate(set) var change: Change
        fileprivate var position: Int
        /// True for a write whose place was to be cleared. The write may be made in another place.
        fileprivate(set) var clearsPlace = false
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
        case unknown(Confirmations)
    }

    private var entriesByKey: [RecordKey: Entry] = [:]
    /// True if a write of a variant in its own place may be pending.
    private(set) var hasVariants = false
    private var nextPosition = 0
    private(set) var removesAll = false
    private(set) var removedPartitions: Set<UInt128> = []
    /// The origins whose records are to be removed.
    private(set) var removedOrigins: Set<URLOrigin> = []

    var isEmpty: Bool { entriesByKey.isEmpty && !hasBulkRemovals }

    /// The changes of single records, in the order of their last request.
    var entries: [Entry] { entriesByKey.values.sorted { $0.position < $1.position } }

    @discardableResult
    mutating func write(_ entity: Entity<Any>, forKey key: CacheKey) -> Dropped {
        put(.write(UncheckedSendable(entity)), place(of: entity, key))
    }

    /// Returns the place for the pending write of a variant: the place of an earlier write of the same variant, or else a
    /// place without a pending write.
    private func place(of entity: Entity<Any>, _ key: CacheKey) -> CacheKey {
        let places = key.places(namedBy: entity.header(forKey: "Vary"))
        let writes = places.map { writtenEntity(in: $0) }
        let same = zip(places, writes).first { _, write in
            write.map { key.selects($0.entity, storedUnder: $0.entry.key) } ?? false
        }
        return same?.0 ?? zip(places, writes).first { $1 == nil }?.0 ?? places.first ?? key
    }

    private func writtenEntity(in place: CacheKey) -> (entry: Entry, entity: Entity<Any>)? {
        guard let entry = entriesByKey[place.storeKey], case .write(let entity) = entry.change else { return nil }
        return (entry, entity.value)
    }

    /// Writes an entity unless a success is stored or will be stored.
    @discardableResult
    mutating func fill(_ entity: Entity<Any>, forKey key: CacheKey) -> Dropped {
        switch answer(forKey: key) {
        case .nothing: return hasSuccess(for: key) ? .nothing : put(.write(UncheckedSendable(entity)), key)
        case .unknown(let confirmations):
            // A confirmation belongs to a stored success.
            guard confirmations.isEmpty, !hasSuccess(for: key) else { return .nothing }
            return put(.fill(UncheckedSendable(entity)), key)
        case .entity(let other, _):
            return other.content is ErrorBody ? put(.write(UncheckedSendable(entity)), key) : .nothing
        }
    }

    /// Returns true if the write of a success in a place for variants is pending.
    private func hasSuccess(for key: CacheKey) -> Bool {
        writes(for: key).contains { !($0.entity.content is ErrorBody) }
    }

    /// Removes all variants.
    @discardableResult
    mutating func remove(_ key: CacheKey) -> Dropped {
        Dropped(entries: (0...CacheRecord.slotCount).flatMap { put(.remove, key.at(slot: $0)).entries })
    }

    @discardableResult
    mutating func confirm(_ confirmation: Confirmation) -> Dropped {
        let key = confirmation.key
        if let (entry, entity) = newestWrite(for: key) {
            var (entity, place) = (entity, entry.key)
            entity.take(confirmation, storedUnder: &place)
            // The content does not change. The old key may be the last reference to a coding of the app.
            entriesByKey[place.storeKey]?.change = .write(UncheckedSendable(entity))
            entriesByKey[place.storeKey]?.key = place
            return Dropped(entries: [entry])
        }
        switch answer(forKey: key) {
        case .nothing: return .nothing
        case .unknown(let earlier): return put(.confirm(Confirmations(list: [confirmation]).after(earlier)), key)
        case .entity(let other, _):
            // Another variant will be in the first place. The store knows which of the other places has this one.
            for place in key.places(namedBy: other.header(forKey: "Vary")) {
                guard case .unknown(let earlier) = answer(forKey: place) else { continue }
                put(.confirm(Confirmations(list: [confirmation]).after(earlier)), place)
            }
            return .nothing
        }
    }

    /// Returns the newest pending write of the variant that a request of `key` selects, in any place.
    func newestWrite(for key: CacheKey) -> (entry: Entry, entity: Entity<Any>)? {
        writes(for: key).filter { key.selects($0.entity, storedUnder: $0.entry.key) }
            .max { $0.entry.position < $1.entry.position }
    }

    /// The `Vary` of the newest pending response of the key's URL; nil if it has none, or if no write in a place for
    /// variants is pending. The storage may write the newest response in the first place. Therefore reads must not find
    /// another `Vary` there.
    func newestVary(for key: CacheKey) -> String? {
        guard hasVariants else { return nil }
        return writes(for: key).max { $0.entry.position < $1.entry.position }?.entity.header(forKey: "Vary")
    }

    /// Returns the pending writes in all places of the key's URL.
    private func writes(for key: CacheKey) -> [(entry: Entry, entity: Entity<Any>)] {
        let slots = hasVariants ? 0...CacheRecord.slotCount : 0...0
        return slots.compactMap { writtenEntity(in: key.at(slot: $0)) }
    }

    @discardableResult
    mutating func removeAll() -> Dropped {
        let dropped = Dropped(entries: Array(entriesByKey.values))
        self = PendingOperations()
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

    @discardableResult
    mutating func removeOrigin(_ origin: URLOrigin) -> Dropped {
        let dropped = Dropped(
            entries: entriesByKey.values.filter { URLOrigin(text: $0.key.address) == origin })
        for entry in dropped.entries { entriesByKey[entry.key.storeKey] = nil }
        if !removesAll { removedOrigins.insert(origin) }
        return dropped
    }

    /// True if these changes remove all records, or those of a whole partition or origin.
    var hasBulkRemovals: Bool { removesAll || !removedPartitions.isEmpty || !removedOrigins.isEmpty }

    /// Returns true if all records of the key's partition or origin are removed before other changes.
    private func isInBulkRemoval(_ key: RecordKey, _ address: String) -> Bool {
        removesAll || removedPartitions.contains(key.partition)
            || !removedOrigins.isEmpty && removedOrigins.contains(URLOrigin(text: address))
    }

    /// Returns the removals among these changes. Changes of `outdated` records become removals, too.
    func removals(and outdated: Set<RecordKey>) -> PendingOperations {
        var removals = self
        removals.entriesByKey = entriesByKey.compactMapValues { entry in
            var entry = entry
            if outdated.contains(entry.key.storeKey) { entry.change = .remove }
            if case .remove = entry.change { return entry } else { return nil }
        }
        // The storage has made writes of variants in other places, or has removed older responses from these.
        for entry in entries where entry.key.slot != 0 && !outdated.isEmpty {
            for place in (0...CacheRecord.slotCount).map({ entry.key.at(slot: $0) })
            where outdated.contains(place.storeKey) { removals.put(.remove, place) }
        }
        return removals
    }

    /// Returns these changes without the changes of records that `later` writes or removes.
    func without(_ later: PendingOperations) -> PendingOperations {
        guard !isEmpty, !later.removesAll else { return PendingOperations() }
        var rest = self
        rest.removedPartitions.subtract(later.removedPartitions)
        rest.removedOrigins.subtract(later.removedOrigins)
        rest.entriesByKey = entriesByKey.filter { key, entry in
            if later.isInBulkRemoval(key, entry.key.address) { return false }
            switch later.entriesByKey[key]?.change {
            case .confirm, .fill, nil: return true
            case .write, .remove: return false
            }
        }
        return rest
    }

    func followed(by later: PendingOperations) -> PendingOperations {
        guard !isEmpty, !later.removesAll else { return later }
        var all = self
        for partition in later.removedPartitions { all.removePartition(partition) }
        for origin in later.removedOrigins { all.removeOrigin(origin) }
        for entry in later.entries {
            switch entry.change {
            // A confirmation does not restore an entity that was already removed.
            case .confirm(let confirmations): for confirmation in confirmations.list { all.confirm(confirmation) }
            case .fill(let entity): all.fill(entity.value, forKey: entry.key)
            case .write, .remove:
                all.put(entry.change, entry.key)
                if entry.clearsPlace { all.entriesByKey[entry.key.storeKey]?.clearsPlace = true }
            }
        }
        return all
    }

    /// Returns the answer for one place of a URL.
    func answer(forKey key: CacheKey) -> Answer {
        guard let entry = entriesByKey[key.storeKey] else {
            return isInBulkRemoval(key.storeKey, key.address) ? .nothing : .unknown(.none)
        }
        switch entry.change {
        case .write(let entity): return .entity(entity.value, storedUnder: entry.key)
        case .confirm(let confirmations): return .unknown(confirmations)
        case .fill: return .unknown(.none)
        case .remove: return .nothing
        }
    }

    @discardableResult
    private mutating func put(_ change: Change, _ key: CacheKey) -> Dropped {
        var entry = Entry(key: key, change: change, position: nextPosition)
        if key.slot != 0, case .write = change {
            hasVariants = true
            if let old = entriesByKey[key.storeKey] { entry.clearsPlace = old.clearsPlace || old.isRemoval }
        }
        let old = entriesByKey.updateValue(entry, forKey: key.storeKey)
        nextPosition += 1
        return Dropped(entries: old.map { [$0] } ?? [])
    }
}

extension PendingOperations.Entry {
    fileprivate var isRemoval: Bool { if case .remove = change { true } else { false } }
}

extension PendingOperations.Answer {
    /// Returns the answer of these changes. If it is unknown, returns the answer of the changes that were requested
    /// earlier.
    func orElse(_ earlier: @autoclosure () -> PendingOperations.Answer) -> PendingOperations.Answer {
        guard case .unknown(let confirmations) = self else { return self }
        switch earlier() {
        case .nothing: return .nothing
        case .unknown(let earlier): return .unknown(confirmations.after(earlier))
        case .entity(var entity, var key):
            for confirmation in confirmations.list { entity.take(confirmation, storedUnder: &key) }
            return .entity(entity, storedUnder: key)
        }
    }
}

extension Entity<Any> {
    fileprivate mutating func take(_ confirmation: PendingOperations.Confirmation, storedUnder key: inout CacheKey) {
        guard confirmation.applies(to: self, storedUnder: key) else { return }
        if confirmation.changesVary { key = confirmation.key.at(slot: key.slot) }
        timestamp = confirmation.timestamp
        setCachingInfo(confirmation.cachingInfo)
        if !confirmation.headers.isEmpty { confirmation.update(&headers) }
    }
}

extension CacheRecord {
    mutating func take(_ confirmation: PendingOperations.Confirmation) {
        guard confirmation.applies(to: self) else { return }
        timestamp = confirmation.timestamp
        if !confirmation.headers.isEmpty {
            confirmation.update(&headers)
            headers = Self.kept(headers)  // Only all headers together say which of them are not stored.
        }
        if confirmation.changesVary { variant = confirmation.key.variant(namedBy: headers["vary"]) }
        setCachingInfo(confirmation.cachingInfo)
    }
}
