import Dispatch
import Foundation
import Isolation
package import Siesta

extension CacheStorage {
    /// Schedules an entity to be written. Later reads find it at once.
    ///
    /// If the entity must not be stored, removes the stored entity, because it is older than the app's current data.
    package func write(_ entity: Entity<Any>, forKey key: CacheKey) {
        if options.respectsNoStore, entity.forbidsStoring { return remove(key) }
        enqueue { $0.write(entity, forKey: key) }
    }

    /// Schedules a new timestamp and new headers for the stored entity. If `validator` is not nil, changes only an entity
    /// with this validator, because the server has confirmed only this entity.
    ///
    /// If the server forbids storing now, removes the stored entity.
    ///
    /// - Parameter headers: the new headers, with names in lower case. An empty value removes a header. The other headers
    ///   stay.
    func updateTimestamp(
        _ timestamp: TimeInterval, _ headers: [String: String] = [:], of validator: Validator? = nil,
        forKey key: CacheKey
    ) {
        if options.respectsNoStore, headers["cache-control"]?.forbidsStoring == true { return remove(key) }
        let confirmation = PendingChanges.Confirmation(
            timestamp: timestamp, headers: CacheRecord.kept(headers), validator: validator, key: key)
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

    /// Runs `work` on the store between two batches, after all changes that were requested before, and waits for its
    /// end.
    ///
    /// - Parameter change: a change of the pending changes. It is made in the same step in which `work` is scheduled.
    func performing<Result: Sendable>(
        after change: (inout PendingChanges) -> PendingChanges.Dropped = { _ in .nothing },
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
                try await sweep([key], now: now)
            } catch {
                noteFailure("cannot be swept", error)
            }
        }
    }

    private func addTask(
        after change: (inout PendingChanges) -> PendingChanges.Dropped = { _ in .nothing },
        _ task: @escaping @Sendable () async -> Void
    ) {
        // Dropped entries are released outside the lock, because their release may run any code. The same holds below.
        _ = state.withLock { state in
            state.writes.add(task)
            return state.writes.change(change)
        }
        startWriting()
    }

    private func enqueue(_ change: (inout PendingChanges) -> PendingChanges.Dropped) {
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

    private func apply(_ pending: PendingChanges) async {
        let entries = pending.entries
        let confirmed = await records(ofConfirmed: entries)
        var batch = RecordBatch(removals: pending)
        var failure: (any Error)?
        var outdated: Set<RecordKey> = []
        for entry in entries {
            guard let change = change(for: entry, confirmed: confirmed) else { continue }
            batch.append(change)
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
    /// Returns the keys of the records that cannot be removed. Only the store knows which writes failed.
    private func outdatedRecords(after changes: [RecordChange]) async -> Set<RecordKey> {
        var outdated: Set<RecordKey> = []
        for case .write(let key, let record) in changes {
            do {
                let present = try await store.read([key])[key]
                guard let present, present != record else { continue }
                try await store.apply([.remove(key)])
            } catch {
                outdated.insert(key)
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

    /// Reads the records whose timestamps will change.
    private func records(ofConfirmed entries: [PendingChanges.Entry]) async -> [RecordKey: Data] {
        let keys = entries.filter { if case .confirm = $0.change { true } else { false } }.map(\.key.storeKey)
        guard !keys.isEmpty else { return [:] }
        do {
            return try await store.read(keys)
        } catch {
            noteFailure("cannot be read", error)
            return [:]
        }
    }

    private func change(
        for entry: PendingChanges.Entry, confirmed: [RecordKey: Data]
    ) -> RecordChange? {
        let key = entry.key.storeKey
        switch entry.change {
        case .remove: return .remove(key)
        case .confirm(let confirmation):
            guard let old = confirmed[key], let new = record(old, confirmation, key) else { return nil }
            return .update(key, from: old, to: new)
        case .write(let entity):
            do {
                return .write(key, try form.record(of: entity.value, forKey: entry.key))
            } catch {  // The stored entity is older than the app's current data. Reads must not find it.
                state.withLock { $0.statistics.refusals += 1 }
                log("does not keep", PreparedText.url(entry.key.address) + ":", error)
                return .remove(key)
            }
        }
    }

    private func record(
        _ record: Data, _ confirmation: PendingChanges.Confirmation, _ key: RecordKey
    ) -> Data? {
        switch form.finding(in: record, under: key) {
        case .foreign, .useless: return nil
        case .entity(var entity), .migrated(var entity):
            guard confirmation.applies(to: entity) else { return nil }
            entity.take(confirmation)
            return try? form.record(of: entity)
        }
    }
}

extension Entity {
    /// True if the server forbids storing the entity (RFC 9111 §5.2.2.5), or its `Vary` matches no other request
    /// (§4.1).
    fileprivate var forbidsStoring: Bool {
        header(forKey: "Cache-Control")?.forbidsStoring ?? false
            || SelectingHeaders.areUnknown(header(forKey: "Vary"))
    }
}

extension String {
    /// True if this value of `Cache-Control` forbids storing.
    fileprivate var forbidsStoring: Bool { lowercasedListMembers.contains("no-store") }
}
