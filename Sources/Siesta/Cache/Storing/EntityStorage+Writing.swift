import Dispatch
import Foundation

extension EntityStorage {
    /// Stores an entity; from now on reads find it.
    ///
    /// One that must not be stored removes what is there: it is older than what the app has now.
    package func write(_ entity: Entity<Any>, forKey key: StoredEntityKey) {
        if options.heedsNoStore, entity.forbidsStoring { return remove(key) }
        enqueue { $0.write(entity, forKey: key) }
    }

    /// Changes the timestamp of what is stored, if anything is, and is what the server was asked about: that with
    /// `validator`, unless that is nil.
    func updateTimestamp(_ timestamp: TimeInterval, of validator: Validator? = nil, forKey key: StoredEntityKey) {
        let confirmation = PendingChanges.Confirmation(timestamp: timestamp, validator: validator, key: key)
        enqueue { $0.confirm(confirmation) }
    }

    /// Removes what is stored, if anything is; from now on no read finds it.
    package func remove(_ key: StoredEntityKey) {
        enqueue { $0.remove(key) }
    }

    /// Removes all entities of a principal; from now on no read finds any.
    func removeAll(of principal: String) {
        enqueue { $0.removePartition(EntityStoreKey.partition(of: principal)) }
    }

    /// Does something with the store between two batches, after the changes that were asked for before, and waits for
    /// it.
    ///
    /// - Parameter change: what is asked for together with that.
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

    /// Looks after a record when there is time.
    func sweepLater(_ key: EntityStoreKey, now: TimeInterval) {
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
        // What is dropped is released without the lock, since that may run any code; so below.
        _ = state.withLock { state in
            state.tasks.append(task)
            return change(&state.pending)
        }
        startWriting()
    }

    private func enqueue(_ change: (inout PendingChanges) -> PendingChanges.Dropped) {
        guard !options.isReadOnly else { return }
        _ = state.withLock { change(&$0.pending) }
        startWriting()
    }

    private func startWriting() {
        let starts = state.withLock { state in
            guard !state.isWriting else { return false }
            state.isWriting = true
            return true
        }
        if starts { Task.detached { await self.work() } }
    }

    private func work() async {
        while let (changes, tasks, _) = takeWork() {
            if !changes.isEmpty {
                await apply(changes)
                _ = state.withLock { exchange(&$0.inFlight, with: PendingChanges()) }
            }
            for task in tasks { await task() }
        }
    }

    /// The next changes and tasks, and the state that they replace.
    private func takeWork() -> (PendingChanges, [@Sendable () async -> Void], replaced: [PendingChanges])? {
        state.withLock { state in
            guard !state.pending.isEmpty || !state.tasks.isEmpty else {
                state.isWriting = false
                return nil
            }
            let pending = exchange(&state.pending, with: PendingChanges())
            let tasks = exchange(&state.tasks, with: [])
            // Not with every batch: on a disk that cannot be written, that would be work for each record each time.
            let retries = !tasks.isEmpty || state.unremoved.hasBulkRemovals
            let changes = retries ? state.unremoved.followed(by: pending) : pending
            return (changes, tasks, [pending, exchange(&state.inFlight, with: changes)])
        }
    }

    private func apply(_ pending: PendingChanges) async {
        var changes: [EntityStoreChange] = pending.removesAll ? [.removeAll] : []
        changes += pending.removedPartitions.map { .removePartition($0) }
        let entries = pending.entries
        let confirmed = await records(ofConfirmed: entries)
        var (bytes, failure): (Int, (any Error)?) = (0, nil)
        var outdated: Set<EntityStoreKey> = []
        for entry in entries {
            guard let change = change(for: entry, confirmed: confirmed) else { continue }
            changes.append(change)
            bytes += change.recordLength
            guard bytes > Self.batchLimit else { continue }
            failure = await failureToApply(changes, &outdated) ?? failure
            (changes, bytes) = ([], 0)
        }
        if !changes.isEmpty { failure = await failureToApply(changes, &outdated) ?? failure }
        _ = state.withLock { state in
            state.failure = state.failure ?? failure
            let removals = failure == nil ? PendingChanges() : pending.removals(and: outdated)
            let unremoved = state.unremoved.without(pending).followed(by: removals)
            if failure == nil { state.retryDelay = 1 }
            return (exchange(&state.unremoved, with: unremoved), exchange(&state.lastFailure, with: failure))
        }
        if failure != nil { retryRemovals() }
    }

    /// So many bytes of records are made before the store gets them: otherwise all that waits would be in memory twice.
    private static let batchLimit = 16 << 20

    /// - Parameter outdated: gets the keys of records that are older than what was to be written, and are still there.
    private func failureToApply(
        _ changes: [EntityStoreChange], _ outdated: inout Set<EntityStoreKey>
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

    /// Removes the records that failed writes were to replace, which the app knows to be outdated, and returns the keys
    /// of those that cannot be removed. Which writes failed, only the store knows.
    private func outdatedRecords(after changes: [EntityStoreChange]) async -> Set<EntityStoreKey> {
        var outdated: Set<EntityStoreKey> = []
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

    /// Tries again in a while to remove what could not be removed, and keeps the storage until then.
    private func retryRemovals() {
        let delay: TimeInterval? = state.withLock { state in
            guard !state.unremoved.isEmpty, !state.isRetryPlanned else { return nil }
            defer { state.retryDelay = min(state.retryDelay * 2, 60) }
            state.isRetryPlanned = true
            return state.retryDelay
        }
        guard let delay else { return }
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + delay) {
            let isNeeded = self.state.withLock { state in
                state.isRetryPlanned = false
                return !state.unremoved.isEmpty
            }
            if isNeeded { self.addTask {} }
        }
    }

    /// The records whose timestamps are to be changed.
    private func records(ofConfirmed entries: [PendingChanges.Entry]) async -> [EntityStoreKey: Data] {
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
        for entry: PendingChanges.Entry, confirmed: [EntityStoreKey: Data]
    ) -> EntityStoreChange? {
        let key = entry.key.storeKey
        switch entry.change {
        case .remove: return .remove(key)
        case .confirm(let confirmation):
            guard let old = confirmed[key], let new = record(old, confirmation, key) else { return nil }
            return .update(key, from: old, to: new)
        case .write(let entity):
            do {
                return .write(key, try form.record(of: entity.value, forKey: entry.key))
            } catch {  // What is there is older than what the app has now: nobody should see it again.
                state.withLock { $0.statistics.refusals += 1 }
                log("does not keep", PreparedText.url(entry.key.address) + ":", error)
                return .remove(key)
            }
        }
    }

    private func record(
        _ record: Data, _ confirmation: PendingChanges.Confirmation, _ key: EntityStoreKey
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

extension EntityStoreChange {
    fileprivate var recordLength: Int {
        switch self {
        case .write(_, let record): record.count
        case .update(_, _, let record): record?.count ?? 0
        case .remove, .removePartition, .removeAll: 0
        }
    }
}

extension Entity {
    /// Whether the server says that nobody may store this (RFC 9111 §5.2.2.5), or that no other request gets it (§4.1).
    fileprivate var forbidsStoring: Bool {
        header(forKey: "Cache-Control")?.lowercasedListMembers.contains("no-store") ?? false
            || SelectingHeaders.areUnknown(header(forKey: "Vary"))
    }
}
