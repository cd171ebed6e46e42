import Foundation
import Isolation

extension CacheStorage {
    /// Removes the useless records among the records of `keys`, and writes migrated records back. Call this method only
    /// between two batches, so that no newer record is lost.
    func sweep(_ keys: [RecordKey], now: TimeInterval) async throws {
        let records = try await store.read(keys)
        let changes = keys.compactMap { key in records[key].flatMap { change(for: $0, under: key, now: now) } }
        if !changes.isEmpty { try await store.apply(changes) }
    }

    private func change(for record: Data, under key: RecordKey, now: TimeInterval) -> RecordChange? {
        switch form.finding(in: record, under: key) {
        case .foreign: return nil
        case .useless(let reason):
            state.withLock { $0.statistics.failures += 1 }
            log("A record is removed, since it", reason)
            return .update(key, from: record, to: nil)
        case .entity(let entity):
            return isTooOld(entity.timestamp, now: now) ? .update(key, from: record, to: nil) : nil
        case .migrated(let entity):
            let isUseful = !isTooOld(entity.timestamp, now: now)
            return .update(key, from: record, to: isUseful ? try? form.record(of: entity) : nil)
        }
    }
}
