import Foundation
import HTTPRules
import Isolation
import SiestaCore

extension CacheStorage {
    /// Removes the useless records among the records of `keys`, and writes migrated records back. Call this method only
    /// between two batches, so that no newer record is lost. A record that cannot be written back stays as it is.
    ///
    /// Returns the first error of a record that cannot be written back.
    ///
    /// - Throws: the error of the store.
    func sweep(_ keys: [RecordKey], now: TimeInterval) async throws -> (any Error)? {
        let records = try await store.recordsToCheck(keys)
        var changes: [RecordChange] = []
        var failure: (any Error)?
        for key in keys {
            guard let record = records[key] else { continue }
            do {
                if let change = try change(for: record, under: key, now: now) { changes.append(change) }
            } catch {
                failure = failure ?? error
            }
        }
        if !changes.isEmpty { try await store.apply(changes) }
        return failure
    }

    /// Removes the records whose URLs have one of the origins, and the useless records of all origins. Reads all records, some
    /// at a time. Keeps the records that another key has encrypted. Returns the error of the store.
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
        let changes = try await store.recordsToCheck(keys).compactMap { key, record -> RecordChange? in
            switch form.finding(in: record, under: key) {
            case .foreign: return nil
            // Its URL may be unknown. This cache has no use for it, but an earlier version of the app could show it.
            case .useless: return .update(key, from: record, to: nil)
            case .entity(let stored), .migrated(let stored):
                return origins.contains(URLOrigin(text: stored.address)) ? .update(key, from: record, to: nil) : nil
            }
        }
        if !changes.isEmpty { try await store.apply(changes) }
    }

    /// The number of records that are in memory at once.
    static let pageLength = 64

    private func change(for record: Data, under key: RecordKey, now: TimeInterval) throws -> RecordChange? {
        switch form.finding(in: record, under: key) {
        case .foreign: return nil
        case .useless(let reason):
            state.withLock { $0.statistics.failures += 1 }
            log("A record is removed, since it", reason)
            return .update(key, from: record, to: nil)
        case .entity(let entity):
            return isTooOld(entity.timestamp, now: now) ? .update(key, from: record, to: nil) : nil
        case .migrated(let entity):
            guard !isTooOld(entity.timestamp, now: now) else { return .update(key, from: record, to: nil) }
            do {
                return .update(key, from: record, to: try form.record(of: entity))
            } catch is RecordCoder.TooLarge {
                return .update(key, from: record, to: nil)
            }
        }
    }
}
