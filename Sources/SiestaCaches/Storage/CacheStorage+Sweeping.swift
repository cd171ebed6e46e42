import Foundation
import HTTPRules
import Isolation
import SiestaCore

extension CacheStorage {
    /// Removes the useless records among the records of `keys`, and writes migrated records back. Call this method only
    /// between two batches, so that no newer record is lost.
    func sweep(_ keys: [RecordKey], now: TimeInterval) async throws {
        let records = try await store.read(keys)
        let changes = keys.compactMap { key in records[key].flatMap { change(for: $0, under: key, now: now) } }
        if !changes.isEmpty { try await store.apply(changes) }
    }

    /// Removes the records whose URLs have one of the origins. Reads all records, some at a time. Keeps the records that
    /// another key has encrypted. Returns the error of the store.
    func failureToRemove(_ origins: Set<URLOrigin>) async -> (any Error)? {
        guard !origins.isEmpty else { return nil }
        do {
            let keys = try await store.allKeys()
            for start in stride(from: 0, to: keys.count, by: Self.pageLength) {
                try await remove(origins, among: Array(keys[start..<min(start + Self.pageLength, keys.count)]))
            }
            return nil
        } catch {
            noteFailure("cannot be cleared", error)
            return error
        }
    }

    private func remove(_ origins: Set<URLOrigin>, among keys: [RecordKey]) async throws {
        let changes = try await store.read(keys).compactMap { key, record -> RecordChange? in
            guard let stored = usableRecord(record, key),
                origins.contains(URLOrigin(text: stored.address))
            else { return nil }
            return .update(key, from: record, to: nil)
        }
        if !changes.isEmpty { try await store.apply(changes) }
    }

    /// The number of records that are in memory at once.
    static let pageLength = 64

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
