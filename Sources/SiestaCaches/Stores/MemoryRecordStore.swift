public import Foundation
import Isolation
import SiestaCore

/// A store that keeps records in memory, up to its limits. The records stay in the store when their resources are
/// released, and when the resources are wiped without their caches.
public final class MemoryRecordStore: RecordStore, QuietRecordStore {
    fileprivate struct Record: Sendable {
        var data: Data
        var lastUse: Int
    }

    fileprivate struct State: Sendable {
        var records: [RecordKey: Record] = [:]
        var usage = RecordUsage()
        var uses = 0
        /// Replaced or removed data. It may belong to the app, and is released outside the lock.
        var dropped: [Data] = []
    }

    private let limits: RecordLimits
    private let state = Locked(State())

    /// Creates an empty store.
    public init(limits: RecordLimits = RecordLimits()) {
        self.limits = limits
    }

    /// The name of the store: "in memory".
    public var name: String { "in memory" }

    /// Returns the records that exist for `keys`.
    public func read(_ keys: [RecordKey]) async throws -> [RecordKey: Data] { records(for: keys) }

    func records(for keys: [RecordKey]) -> [RecordKey: Data] {
        state.withLock { state in
            var found: [RecordKey: Data] = [:]
            for key in keys { found[key] = state.use(key) }
            return found
        }
    }

    package func readQuietly(_ keys: [RecordKey]) async throws -> [RecordKey: Data] {
        state.withLock { state in
            keys.reduce(into: [:]) { $0[$1] = state.records[$1]?.data }
        }
    }

    /// Makes the changes in one step: a read sees either all of the changes or none of them.
    public func apply(_ changes: [RecordChange]) async throws {
        _ = state.withLock { state in
            for change in changes { state.apply(change) }
            state.keep(to: limits)
            return exchange(&state.dropped, with: [])
        }
    }

    /// Does nothing, because memory does not survive the process.
    public func flush() async throws {}

    /// Returns the number and the size of the records.
    public func usage() async throws -> RecordUsage { state.withLock { $0.usage } }

    /// Returns the keys of all records.
    public func allKeys() async throws -> [RecordKey] { state.withLock { Array($0.records.keys) } }

    /// Does nothing, because the store has no unused space.
    public func compact() async throws {}
}

extension MemoryRecordStore.State {
    fileprivate mutating func use(_ key: RecordKey) -> Data? {
        uses += 1
        records[key]?.lastUse = uses
        return records[key]?.data
    }

    fileprivate mutating func apply(_ change: RecordChange) {
        switch change {
        case .write(let key, let data): write(data, key)
        case .update(let key, let old, let new):
            guard records[key]?.data == old else { return }
            if let new { write(new, key) } else { remove(key) }
        case .remove(let key): remove(key)
        case .removePartition(let partition):
            for key in records.keys where key.partition == partition { remove(key) }
        case .removeAll: for key in records.keys { remove(key) }
        }
    }

    private mutating func write(_ data: Data, _ key: RecordKey) {
        remove(key)
        uses += 1
        records[key] = .init(data: data, lastUse: uses)
        usage.entries += 1
        usage.bytes += data.count
    }

    private mutating func remove(_ key: RecordKey) {
        guard let old = records.removeValue(forKey: key) else { return }
        usage.entries -= 1
        usage.bytes -= old.data.count
        dropped.append(old.data)
    }

    fileprivate mutating func keep(to limits: RecordLimits) {
        guard !limits.allow(usage) else { return }
        let candidates = records.map { key, record in
            RecordLimits.Candidate(key: key, bytes: record.data.count, lastUse: record.lastUse)
        }
        for surplus in limits.surplus(of: candidates) { remove(surplus.key) }
    }
}
