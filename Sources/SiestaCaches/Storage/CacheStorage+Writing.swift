import Dispatch
package import Foundation
package import HTTPRules
import Isolation
package import SiestaCore

extension CacheStorage {
    /// Schedules an entity to be written. Later reads find it at once.
    ///
    /// If the entity must not be stored, removes the stored entity, because it is older than the app's current data. The
    /// error of a server (5xx) does not replace a success, because the success may serve instead of the error (RFC 5861
    /// §4).
    package func write(_ entity: Entity<Any>, forKey key: CacheKey) {
        let isStorable = entity.cachingInfo?.lifetime.isStorable ?? true
        if !isStorable || options.respectsNoStore && entity.forbidsStoring { return remove(key) }
        if entity.content is ErrorBody, entity.statusCode ?? 0 >= 500 {
            enqueue { $0.fill(entity, forKey: key) }
        } else {
            enqueue { $0.write(entity, forKey: key) }
        }
    }

    /// Schedules a new timestamp, new headers and new caching info for the stored entity. If `validator` is not
    /// nil, changes only an entity with this validator, because the server has confirmed only this entity.
    ///
    /// If the server forbids storing now, or its new `Vary` matches no other request, removes the stored entity.
    ///
    /// - Parameter headers: the new headers, with names in lower case. An empty value removes a header. The other headers
    ///   stay.
    package func updateTimestamp(
        _ timestamp: TimeInterval, _ headers: [String: String] = [:], _ cachingInfo: CachingInfo? = nil,
        of validator: Validator? = nil, forKey key: CacheKey
    ) {
        let isStorable = cachingInfo?.lifetime.isStorable ?? true
        let forbidsStoring =
            cachingInfo == nil && CacheControl(headers["cache-control"]).noStore
            || SelectingHeaders.areUnknown(headers["vary"])
        if !isStorable || options.respectsNoStore && forbidsStoring {
            return remove(key)
        }
        let confirmation = PendingOperations.Confirmation(
            timestamp: timestamp, headers: CacheRecord.kept(headers), validator: validator, cachingInfo: cachingInfo,
            key: key)
        enqueue { $0.confirm(confirmation) }
    }

    /// Schedules the removal of the stored entity. Later reads do not find it.
    package func remove(_ key: CacheKey) {
        enqueue { $0.remove(key) }
    }

    /// Schedules the removal of all entities of a principal. Later reads do not find them.
    package func removeAll(of principal: String) {
        enqueue { $0.removePartition(RecordKey.partition(of: principal)) }
    }

    /// Schedules the removal of all entities whose URL has an origin. Later reads do not find them.
    package func removeAll(ofOrigin origin: URLOrigin) {
        enqueue { $0.removeOrigin(origin) }
    }

    /// Runs `work` on the store between two batches, after all changes that were requested before, and waits for its
    /// end.
    ///
    /// - Parameter change: a change of the pending changes. It is made in the same step in which `work` is scheduled.
    func performing<Result: Sendable>(
        after change: (inout PendingOperations) -> PendingOperations.Dropped = { _ in .nothing },
        _ work: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            addTask(after: change) {
                do {
                    continuation.resume(returning: try await work())
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }
    }

    /// Schedules a check of one record between two batches.
    func sweepLater(_ key: RecordKey, now: TimeInterval) {
        guard !options.isReadOnly else { return }
        addTask { [self] in
            do {
                if let failure = try await sweep([key], now: now) { throw failure }
            } catch {
                noteFailure("cannot be swept", error)
            }
        }
    }

    private func addTask(
        after change: (inout PendingOperations) -> PendingOperations.Dropped = { _ in .nothing },
        _ task: @escaping @Sendable () async -> Void
    ) {
        // Dropped entries are released outside the lock, because their release may run any code. The same applies below.
        _ = state.withLock { state in
            state.writes.add(task)
            return state.writes.change(change)
        }
        startWriting()
    }

    private func enqueue(_ change: (inout PendingOperations) -> PendingOperations.Dropped) {
        guard !options.isReadOnly else { return }
        _ = state.withLock { $0.writes.change(change) }
        startWriting()
    }

    private func startWriting() {
        if state.withLock({ $0.writes.start() }) { Task.detached { await self.work() } }
    }

    private func work() async {
        while let (turn, _) = state.withLock({ $0.writes.next() }) {
            if !turn.changes.isEmpty { await apply(turn.changes) }
            for task in turn.tasks { await task() }
        }
    }

    private func apply(_ pending: PendingOperations) async {
        let entries = pending.entries
        var failure = await failureToRemove(pending.removedOrigins)
        let stored = await storedRecords(for: entries)
        var places = VariantPlaces(pending)
        var batch = RecordBatch(removals: pending)
        var outdated: Set<RecordKey> = []
        for entry in entries {
            for change in changes(for: entry, &places, stored) { batch.append(change) }
            if batch.isFull { failure = await failureToApply(batch.take(), &outdated) ?? failure }
        }
        if !batch.changes.isEmpty { failure = await failureToApply(batch.changes, &outdated) ?? failure }
        _ = state.withLock { $0.writes.finish(failure: failure, outdated: outdated) }
        if failure != nil { retryRemovals() }
    }

    /// - Parameter outdated: receives the keys of records that are older than the failed writes and cannot be removed.
    private func failureToApply(
        _ changes: [RecordChange], _ outdated: inout Set<RecordKey>
    ) async -> (any Error)? {
        do {
            try await store.apply(changes)
            let writes = changes.count { if case .write = $0 { true } else { false } }
            state.withLock { $0.statistics.writes += writes }
            return nil
        } catch {
            noteFailure("cannot be written", error)
            outdated.formUnion(await outdatedRecords(after: changes))
            return error
        }
    }

    /// Removes the records that failed writes should have replaced, because they are older than the app's current data.
    /// Returns the keys of the records that cannot be removed, and those of removals, which may have failed. Only the store
    /// knows which changes failed.
    private func outdatedRecords(after changes: [RecordChange]) async -> Set<RecordKey> {
        var outdated: Set<RecordKey> = []
        for change in changes {
            switch change {
            case .update, .removePartition, .removeAll: break
            case .remove(let key): outdated.insert(key)
            case .write(let key, let record):
                do {
                    let present = try await store.read([key])[key]
                    guard let present, present != record else { continue }
                    try await store.apply([.remove(key)])
                } catch {
                    outdated.insert(key)
                }
            }
        }
        return outdated
    }

    /// Schedules another attempt to remove the records that could not be removed. Keeps the storage alive until then.
    private func retryRemovals() {
        guard let delay = state.withLock({ $0.writes.planRetry() }) else { return }
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + delay) {
            if self.state.withLock({ $0.writes.beginRetry() }) { self.addTask {} }
        }
    }

    /// Reads the records that confirmations change, and those in the first places of variants that will be written.
    private func storedRecords(for entries: [PendingOperations.Entry]) async -> [RecordKey: Data] {
        let keys = entries.flatMap { entry in
            let confirmed = entry.confirmedKeys.map(\.storeKey)
            return confirmed.isEmpty ? VariantPlaces.neededKeys(for: entry) : confirmed
        }
        let first = await records(of: Set(keys))
        let others = entries.flatMap(\.confirmedKeys).flatMap { key in
            first[key.storeKey].map { placesOfVariant(besides: $0, for: key).map(\.storeKey) } ?? []
        }
        guard !others.isEmpty else { return first }
        return first.merging(await records(of: Set(others))) { first, _ in first }
    }

    private func records(of keys: Set<RecordKey>) async -> [RecordKey: Data] {
        guard !keys.isEmpty else { return [:] }
        do {
            return try await store.read(Array(keys))
        } catch {
            noteFailure("cannot be read", error)
            return [:]
        }
    }

    /// Returns the places for the variant of a request if the record in the first place has another variant.
    private func placesOfVariant(besides record: Data, for key: CacheKey) -> [CacheKey] {
        guard key.slot == 0, let first = usableRecord(record, key.storeKey), !key.isKey(of: first) else { return [] }
        return key.places(namedBy: first.headers["vary"])
    }

    func usableRecord(_ record: Data, _ key: RecordKey) -> CacheRecord? {
        switch form.finding(in: record, under: key) {
        case .foreign, .useless: nil
        case .entity(let entity), .migrated(let entity): entity
        }
    }

    private func changes(
        for entry: PendingOperations.Entry, _ places: inout VariantPlaces, _ stored: [RecordKey: Data]
    ) -> [RecordChange] {
        func usable(_ key: RecordKey) -> CacheRecord? { stored[key].flatMap { usableRecord($0, key) } }
        switch entry.change {
        case .remove: return [.remove(entry.key.storeKey)]
        case .confirm(let confirmations): return changes(by: confirmations, of: entry.key, stored)
        case .fill(let entity):
            return places.hasSuccess(entry.key, stored: usable) ? [] : [change(writing: entity.value, under: entry.key)]
        case .write(let entity):
            let (place, outdated) = places.place(of: entity.value, entry, stored: usable)
            return [change(writing: entity.value, under: place)] + outdated.map { .remove($0) }
        }
    }

    private func change(writing entity: Entity<Any>, under key: CacheKey) -> RecordChange {
        do {
            return .write(key.storeKey, try form.record(of: entity, forKey: key))
        } catch {  // The stored entity is older than the app's current data. Reads must not find it.
            state.withLock { $0.statistics.refusals += 1 }
            log("does not keep", PreparedText.url(key.address) + ":", error)
            return .remove(key.storeKey)
        }
    }

    /// Returns the changes of the records that the server has confirmed. Each is in the first place, or in a place of its
    /// variant.
    private func changes(
        by confirmations: PendingOperations.Confirmations, of key: CacheKey, _ stored: [RecordKey: Data]
    ) -> [RecordChange] {
        guard let first = stored[key.storeKey] else { return [] }
        var confirmed: [RecordKey: CacheRecord] = [:]
        for confirmation in confirmations.list {
            let key = confirmation.key.at(slot: key.slot)
            for place in ([key] + placesOfVariant(besides: first, for: key)).map(\.storeKey) {
                let present = confirmed[place] ?? stored[place].flatMap { usableRecord($0, place) }
                guard var record = present, confirmation.applies(to: record) else { continue }
                record.take(confirmation)
                confirmed[place] = record
                break
            }
        }
        return confirmed.compactMap { place, record in
            guard let old = stored[place], let new = try? form.record(of: record) else { return nil }
            return .update(place, from: old, to: new)
        }
    }
}

extension PendingOperations.Entry {
    /// The keys of the requests that the server has answered with a confirmation, in the place of this change. Empty if this
    /// change is not a confirmation.
    fileprivate var confirmedKeys: [CacheKey] {
        guard case .confirm(let confirmations) = change else { return [] }
        return confirmations.list.map { $0.key.at(slot: key.slot) }
    }
}

extension Entity {
    /// True if the server forbids storing the entity (RFC 9111 §5.2.2.5), or its `Vary` matches no other request
    /// (§4.1). The lifetime in the caching info already considers `no-store`, which `must-understand` can end (§5.2.2.3).
    fileprivate var forbidsStoring: Bool {
        cachingInfo == nil && CacheControl(header(forKey: "Cache-Control")).noStore
            || SelectingHeaders.areUnknown(header(forKey: "Vary"))
    }
}
