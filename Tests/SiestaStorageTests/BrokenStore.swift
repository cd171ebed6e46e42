import Foundation
import Isolation
import SiestaCaches
import SiestaCore

/// A store in memory that has one defect, or none. Instances at the same place share their records.
struct BrokenStore: RecordStore {
    enum Defect: CaseIterable {
        case none, losesLongRecords, mixesPartitions, appliesRemovalsFirst, keepsRemoved, keepsPartitions, miscounts
        case ignoresEntryLimit, ignoresByteLimit, dropsMostRecent, forgetsUses, tearsRecords, updatesBlindly,
            listsNothing,
            throwsWhenEmpty
        case isPrivate
    }

    final class Place: Sendable {
        let records = Locked<[RecordKey: (data: Data, use: Int)]>([:])
        let uses = Locked(0)
    }

    private let defect: Defect
    private let limits: RecordLimits
    private let place: Place

    struct Refusal: Error {}

    init(_ defect: Defect, at place: Place, limits: RecordLimits) {
        self.defect = defect
        self.limits = limits
        self.place = defect == .isPrivate ? Place() : place
    }

    var name: String { "broken: \(defect)" }

    func read(_ keys: [RecordKey]) async throws -> [RecordKey: Data] {
        var found: [RecordKey: Data] = [:]
        for key in keys {
            let stored = stored(key)
            let use = nextUse()
            place.records.withLock { records in
                found[key] = records[stored]?.data
                if defect != .forgetsUses { records[stored]?.use = use }
            }
        }
        if found.isEmpty, defect == .throwsWhenEmpty { throw Refusal() }
        return found
    }

    func apply(_ changes: [RecordChange]) async throws {
        var changes = changes
        if defect == .appliesRemovalsFirst {
            changes = changes.filter { !$0.isWrite } + changes.filter(\.isWrite)
        }
        for change in changes { await apply(change) }
        keepToLimits()
    }

    func flush() async throws {}

    func usage() async throws -> RecordUsage {
        place.records.withLock { records in
            RecordUsage(
                entries: records.count + (defect == .miscounts ? 1 : 0),
                bytes: records.values.reduce(0) { $0 + $1.data.count })
        }
    }

    func allKeys() async throws -> [RecordKey] {
        defect == .listsNothing ? [] : place.records.withLock { Array($0.keys) }
    }

    func compact() async throws {}

    private func stored(_ key: RecordKey) -> RecordKey {
        defect == .mixesPartitions ? RecordKey(partition: 0, name: key.name) : key
    }

    private func nextUse() -> Int {
        place.uses.withLock { uses in
            uses += 1
            return uses
        }
    }

    private func apply(_ change: RecordChange) async {
        switch change {
        case .write(let key, let data) where defect == .losesLongRecords && data.count > 100_000:
            put(data, key)
            place.records.withLock { $0[key] = nil }
        case .write(let key, let data) where defect == .tearsRecords:
            put(data.prefix(data.count / 2), key)
            await Task.yield()
            put(data, key)
        case .write(let key, let data): put(data, stored(key))
        case .update(let key, let old, let new):
            guard place.records.withLock({ $0[stored(key)]?.data == old }) || defect == .updatesBlindly else { return }
            await apply(new.map { .write(key, $0) } ?? .remove(key))
        case .remove(let key):
            if defect != .keepsRemoved { place.records.withLock { $0[stored(key)] = nil } }
        case .removePartition(let partition):
            guard defect != .keepsPartitions else { return }
            place.records.withLock { records in records = records.filter { $0.key.partition != partition } }
        case .removeAll: place.records.withLock { $0 = [:] }
        }
    }

    private func put(_ data: Data, _ key: RecordKey) {
        let use = nextUse()
        place.records.withLock { $0[key] = (data, use) }
    }

    private func keepToLimits() {
        place.records.withLock { records in
            while records.count > limits.entries ?? .max && defect != .ignoresEntryLimit
                || records.values.reduce(0, { $0 + $1.data.count }) > limits.bytes ?? .max
                    && defect != .ignoresByteLimit
            {
                let byUse = records.sorted { $0.value.use < $1.value.use }
                guard let victim = defect == .dropsMostRecent ? byUse.last : byUse.first else { return }
                records[victim.key] = nil
            }
        }
    }
}

extension RecordChange {
    fileprivate var isWrite: Bool {
        if case .write = self { true } else { false }
    }
}
