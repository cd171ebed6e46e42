import Dispatch
import Foundation
import Isolation
package import SiestaCore

extension CacheStorage {
    /// Reads an entity. `completion` is called once, on any thread. If the answer is known without the store and
    /// `mayTakeLong` is false, it is called before this function returns.
    ///
    /// - Parameter mayTakeLong: true if `completion` may take long, for example because it runs transformers. Then it
    ///   runs on a thread of the system's pool. Therefore no thread of that pool may wait for it.
    package func read(
        _ key: CacheKey, clock: SiestaClock = .current, mayTakeLong: Bool = false,
        _ completion: @escaping @Sendable (UncheckedSendable<Entity<Any>?>) -> Void
    ) {
        let known = state.withLock { state in
            let (answer, place, vary) = state.writes.answer(for: key)
            if case .unknown(let confirmations) = answer {
                state.reads.add(
                    ReadQueue.Read(
                        key: key, place: place, vary: vary, confirmations: confirmations, clock: clock,
                        mayTakeLong: mayTakeLong, completion: completion))
            }
            return answer
        }
        if case .unknown = known { return startReading() }
        let answer = UncheckedSendable(counted(known.entity(for: key), clock))
        guard mayTakeLong else { return completion(answer) }
        Self.pool.async { completion(answer) }
    }

    /// Reads an entity: the async form of ``read(_:clock:mayTakeLong:_:)``. Returns nil if there is no usable entity.
    package func entity(forKey key: CacheKey, clock: SiestaClock = .current) async -> Entity<Any>? {
        // The entity is passed under a lock. The thread sanitizer on Linux sees locks, and does not see all continuations.
        let answer = Locked(UncheckedSendable<Entity<Any>?>(nil))
        await withCheckedContinuation { continuation in
            read(key, clock: clock) { entity in
                answer.withLock { $0 = entity }
                continuation.resume()
            }
        }
        return answer.withLock { $0 }.value
    }

    /// Returns an entity that is not in the store yet, or nil if it is too old. Counts the hit or miss.
    private func counted(_ entity: Entity<Any>?, _ clock: SiestaClock) -> Entity<Any>? {
        let entity = entity.flatMap { isTooOld($0, clock) ? nil : $0 }
        count(isHit: entity != nil)
        return entity
    }

    /// Collects reads until ``releaseReads()``, so that the store gets them as one batch.
    package func holdReads() {
        state.withLock { $0.reads.hold() }
    }

    package func releaseReads() {
        state.withLock { $0.reads.release() }
        startReading()
    }

    private func isTooOld(_ entity: Entity<Any>, _ clock: SiestaClock) -> Bool {
        isTooOld(entity.timestamp, now: clock.wallTime)
    }

    func isTooOld(_ timestamp: TimeInterval, now: TimeInterval) -> Bool {
        options.ageLimit.map { abs(now - timestamp) > $0 } ?? false
    }

    private func startReading() {
        if state.withLock({ $0.reads.start() }) { Task.detached { await self.serveReads() } }
    }

    private func serveReads() async {
        while let batch = state.withLock({ $0.reads.next() }) {
            do {
                answer(batch, with: try await store.read(batch.keys))
            } catch {
                noteFailure("cannot be read", error)
                answer(batch, with: [:])
            }
        }
    }

    private func answer(_ batch: ReadQueue.Batch, with records: [RecordKey: Data]) {
        for read in batch.quickReads { answer(read, with: records[read.place.storeKey]) }
        for part in batch.longParts {
            Self.pool.async {
                for read in part { self.answer(read, with: records[read.place.storeKey]) }
            }
        }
    }

    private static let pool = DispatchQueue.global(qos: .userInitiated)

    private func answer(_ read: ReadQueue.Read, with record: Data?) {
        // The place for the variant after this one may have a record although this one has none.
        switch record.map({ finding(in: $0, for: read) }) ?? .otherVariant(vary: nil) {
        case .entity(let entity): complete(read, with: entity)
        case .nothing: complete(read, with: nil)
        case .otherVariant(let vary): readVariant(read, namedBy: read.vary ?? vary)
        }
    }

    private func complete(_ read: ReadQueue.Read, with entity: Entity<Any>?) {
        count(isHit: entity != nil)
        read.completion(UncheckedSendable(entity))
    }

    /// Continues a read in the next place for the variant of its request.
    ///
    /// - Parameter vary: the `Vary` of the response in the first place.
    private func readVariant(_ read: ReadQueue.Read, namedBy vary: String?) {
        let answer = state.withLock { state in
            let (answer, place) = state.writes.answer(
                for: read.key, after: read.place, namedBy: vary, read.confirmations)
            if case .unknown(let confirmations) = answer {
                state.reads.add(
                    ReadQueue.Read(
                        key: read.key, place: place, vary: vary, confirmations: confirmations, clock: read.clock,
                        mayTakeLong: read.mayTakeLong, completion: read.completion))
            }
            return answer
        }
        if case .unknown = answer { return startReading() }
        complete(read, with: answer.entity(for: read.key).flatMap { isTooOld($0, read.clock) ? nil : $0 })
    }

    /// The result of reading a record for a request.
    private enum Finding {
        case entity(Entity<Any>)
        case nothing
        case otherVariant(vary: String?)
    }

    private func finding(in record: Data, for read: ReadQueue.Read) -> Finding {
        let key = read.place.storeKey
        var stored: CacheRecord
        switch form.finding(in: record, under: key) {
        case .entity(let entity): stored = entity
        case .migrated(let entity):
            stored = entity
            sweepLater(key, now: read.clock.wallTime)
        case .foreign(let reason):
            log("Record of", PreparedText.url(read.key.address), reason)
            return .otherVariant(vary: nil)
        case .useless(let reason):
            log("Record of", PreparedText.url(read.key.address), reason)
            sweepLater(key, now: read.clock.wallTime)
            return .otherVariant(vary: nil)
        }
        // A confirmation may change the header `Vary`. Therefore it comes before the choice of the variant.
        for confirmation in read.confirmations.list { stored.take(confirmation) }
        let vary = stored.headers["vary"]
        let isReplaced = read.place.slot == 0 && SelectingHeaders.isReplaced(vary, by: read.vary)
        guard read.key.isKey(of: stored), !isReplaced else { return .otherVariant(vary: vary) }
        // The record may come from a process with other options, or from an earlier version of the app.
        if options.respectsNoStore, SelectingHeaders.areUnknown(vary) { return .nothing }
        guard !isTooOld(stored.timestamp, now: read.clock.wallTime) else {
            sweepLater(key, now: read.clock.wallTime)
            return .nothing
        }
        return decoded(stored, for: read).map { .entity($0) } ?? .nothing
    }

    private func decoded(_ stored: CacheRecord, for read: ReadQueue.Read) -> Entity<Any>? {
        do {
            let content = stored.isError ? ErrorBody(stored.content) : try read.key.coding.decode(stored.content)
            var entity = Entity<Any>(
                content: content, charset: stored.charset, headers: stored.headers, timestamp: stored.timestamp)
            entity.setOrigin(status: stored.statusCode, stored.cachingInfo)
            return entity
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
        let description = error.localizedDescription  // Runs code of the app, so not under the lock.
        state.withLock { state in
            state.statistics.failures += 1
            state.statistics.lastFailure = description
        }
        log(what + ":", error)
    }

    func log(_ parts: Any...) {
        SiestaLog.log(.cache, ["Cache \(name):"] + parts)
    }
}

extension PendingOperations.Answer {
    /// The entity for a request of `key`, if it is known without the store.
    fileprivate func entity(for key: CacheKey) -> Entity<Any>? {
        guard case .entity(let entity, let other) = self, key.isKey(of: entity, storedUnder: other) else { return nil }
        return entity
    }
}
