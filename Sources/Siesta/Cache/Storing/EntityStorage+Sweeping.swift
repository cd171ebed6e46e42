import Foundation

extension EntityStorage {
    /// Removes those of the records that are of no use, and writes the migrated ones back. Only between two batches, so
    /// that nothing newer is lost.
    func sweep(_ keys: [EntityStoreKey], now: TimeInterval) async throws {
        let records = try await store.read(keys)
        let changes = keys.compactMap { key in records[key].flatMap { change(for: $0, under: key, now: now) } }
        if !changes.isEmpty { try await store.apply(changes) }
    }

    private func change(for record: Data, under key: EntityStoreKey, now: TimeInterval) -> EntityStoreChange? {
        switch form.finding(in: record, under: key) {
        case .foreign: return nil
        case .useless(let reason):
            state.withLock { $0.statistics.failures += 1 }
            log("A record is removed, since it", reason)
            return .remove(key)
        case .entity(let entity):
            return isTooOld(entity.timestamp, now: now) ? .remove(key) : nil
        case .migrated(let entity):
            guard !isTooOld(entity.timestamp, now: now), let record = try? form.record(of: entity) else {
                return .remove(key)
            }
            return .write(key, record)
        }
    }
}
