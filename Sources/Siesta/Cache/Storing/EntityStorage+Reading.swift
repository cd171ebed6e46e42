import Dispatch
import Foundation

extension EntityStorage {
    /// A read that waits for the store.
    struct Read: Sendable {
        let key: StoredEntityKey
        /// The confirmation that may have arrived since the store's record was written.
        let confirmation: PendingChanges.Confirmation?
        let clock: SiestaClock
        /// True if the completion runs on a thread of the system's pool, and not on the thread that serves all reads.
        let mayTakeLong: Bool
        let completion: @Sendable (UncheckedTransfer<Entity<Any>?>) -> Void
    }

    /// Reads an entity. `completion` is called once, on any thread; if the store need not be asked, before this
    /// function returns, unless `mayTakeLong` is true.
    ///
    /// - Parameter mayTakeLong: true if `completion` may take long, for example because it runs transformers. It then
    ///   runs on a thread of the system's pool, so a thread of that pool must not wait for it.
    package func read(
        _ key: StoredEntityKey, clock: SiestaClock = .current, mayTakeLong: Bool = false,
        _ completion: @escaping @Sendable (UncheckedTransfer<Entity<Any>?>) -> Void
    ) {
        let known: UncheckedTransfer<Entity<Any>?>? = state.withLock { state in
            let answer = state.answer(forKey: key.storeKey)
            guard case .unknown(let confirmation) = answer else { return UncheckedTransfer(answer.entity(for: key)) }
            state.reads.append(
                Read(
                    key: key, confirmation: confirmation, clock: clock, mayTakeLong: mayTakeLong, completion: completion
                ))
            return nil
        }
        guard let known else { return startReading() }
        let answer = UncheckedTransfer(counted(known.value, clock))
        guard mayTakeLong else { return completion(answer) }
        Self.pool.async { completion(answer) }
    }

    /// Reads an entity on the calling thread, which waits at most for the store, and for no task.
    func entity(forKey key: StoredEntityKey, clock: SiestaClock = .current) -> Entity<Any>? {
        let answer = state.withLock { $0.answer(forKey: key.storeKey) }
        guard case .unknown(let confirmation) = answer else { return counted(answer.entity(for: key), clock) }
        let read = Read(key: key, confirmation: confirmation, clock: clock, mayTakeLong: false) { _ in }
        let record = storedRecord(key.storeKey)
        let entity = record.flatMap { self.entity(of: $0, for: read) }
        count(isHit: entity != nil)
        return entity
    }

    private func storedRecord(_ key: EntityStoreKey) -> Data? {
        do {
            return try store.readSynchronously([key])[key]
        } catch {
            noteFailure("cannot be read", error)
            return nil
        }
    }

    /// Returns the entity, which is not in the store yet, or nil if it is too old; counts the hit or miss.
    private func counted(_ entity: Entity<Any>?, _ clock: SiestaClock) -> Entity<Any>? {
        let entity = entity.flatMap { isTooOld($0.timestamp, now: clock.wallTime) ? nil : $0 }
        count(isHit: entity != nil)
        return entity
    }

    /// Collects reads until ``releaseReads()``, so that the store gets them as one batch.
    func holdReads() {
        state.withLock { $0.readHolds += 1 }
    }

    func releaseReads() {
        state.withLock { $0.readHolds -= 1 }
        startReading()
    }

    func isTooOld(_ timestamp: TimeInterval, now: TimeInterval) -> Bool {
        options.ageLimit.map { abs(now - timestamp) > $0 } ?? false
    }

    private func startReading() {
        let starts = state.withLock { state in
            guard !state.isReading, state.readHolds == 0, !state.reads.isEmpty else { return false }
            state.isReading = true
            return true
        }
        if starts { Task.detached { await self.serveReads() } }
    }

    private func serveReads() async {
        while let reads = takeReads() {
            do {
                answer(reads, with: try await store.read(Array(Set(reads.map(\.key.storeKey)))))
            } catch {
                noteFailure("cannot be read", error)
                answer(reads, with: [:])
            }
        }
    }

    private func answer(_ reads: [Read], with records: [EntityStoreKey: Data]) {
        for read in reads where !read.mayTakeLong { answer(read, with: records[read.key.storeKey]) }
        let long = reads.filter(\.mayTakeLong)
        let length = 32  // Small enough that several threads decode, large enough that few wake up.
        for start in stride(from: 0, to: long.count, by: length) {
            let part = long[start..<min(start + length, long.count)]
            Self.pool.async {
                for read in part { self.answer(read, with: records[read.key.storeKey]) }
            }
        }
    }

    private static let pool = DispatchQueue.global(qos: .userInitiated)

    private func takeReads() -> [Read]? {
        state.withLock { state in
            guard state.readHolds == 0, !state.reads.isEmpty else {
                state.isReading = false
                return nil
            }
            defer { state.reads = [] }
            return state.reads
        }
    }

    private func answer(_ read: Read, with record: Data?) {
        let entity = record.flatMap { self.entity(of: $0, for: read) }
        count(isHit: entity != nil)
        read.completion(UncheckedTransfer(entity))
    }

    private func entity(of record: Data, for read: Read) -> Entity<Any>? {
        let key = read.key.storeKey
        var stored: StoredEntity
        switch form.finding(in: record, under: key) {
        case .entity(let entity): stored = entity
        case .migrated(let entity):
            stored = entity
            sweepLater(key, now: read.clock.wallTime)
        case .foreign(let reason):
            log("Record of", PreparedText.url(read.key.address), reason)
            return nil
        case .useless(let reason):
            log("Record of", PreparedText.url(read.key.address), reason)
            sweepLater(key, now: read.clock.wallTime)
            return nil
        }
        guard read.key.isKey(of: stored) else { return nil }
        // The record may come from a process with other options, or from a former version of the app.
        if options.heedsNoStore, SelectingHeaders.areUnknown(stored.headers["vary"]) { return nil }
        if let confirmation = read.confirmation { stored.take(confirmation) }
        guard !isTooOld(stored.timestamp, now: read.clock.wallTime) else {
            sweepLater(key, now: read.clock.wallTime)
            return nil
        }
        return decoded(stored, for: read)
    }

    private func decoded(_ stored: StoredEntity, for read: Read) -> Entity<Any>? {
        do {
            return Entity<Any>(
                content: try read.key.coding.decode(stored.content), charset: stored.charset, headers: stored.headers,
                timestamp: stored.timestamp)
        } catch {
            noteFailure("has content for \(PreparedText.url(read.key.address)) that cannot be decoded", error)
            return nil
        }
    }

    private func count(isHit: Bool) {
        state.withLock { state in
            if isHit { state.statistics.hits += 1 } else { state.statistics.misses += 1 }
        }
    }

    func noteFailure(_ what: String, _ error: any Error) {
        state.withLock { state in
            state.statistics.failures += 1
            state.statistics.lastFailure = error.localizedDescription
        }
        log(what + ":", error)
    }

    func log(_ parts: Any...) {
        SiestaLog.log(.cache, ["Cache \(name):"] + parts)
    }
}

extension PendingChanges.Answer {
    /// The entity that a request of `key` gets without asking the store.
    fileprivate func entity(for key: StoredEntityKey) -> Entity<Any>? {
        guard case .entity(let entity, let other) = self, key.isKey(of: entity, storedUnder: other) else { return nil }
        return entity
    }
}
