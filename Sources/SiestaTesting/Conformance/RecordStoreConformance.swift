import Foundation
public import SiestaCaches
import SiestaCore

/// A test suite that checks whether a store meets the requirements of `RecordStore`. Run it on a store that you
/// implement:
///
///     let violations = await RecordStoreConformance.violations { limits in MyStore(at: url, limits: limits) }
///     #expect(violations.isEmpty)
public enum RecordStoreConformance: Sendable {
    /// A closure that opens a store with the given limits, always in the same location.
    public typealias Opener = @Sendable (RecordLimits) async throws -> any RecordStore

    /// Runs all checks, and returns the violated rules. Removes all records of the store. The checks take a few
    /// seconds.
    ///
    /// - Parameters:
    ///   - outlivesInstances: True if a new instance must find the records that another instance, possibly in another
    ///     process, has written. The default is true.
    ///   - open: A closure that opens the store. If `outlivesInstances` is true, several instances are open at the same
    ///     time.
    /// - Returns: The violated rules; empty if no rule is violated.
    public static func violations(
        outlivesInstances: Bool = true, of open: @escaping Opener
    ) async -> [ConformanceViolation] {
        let report = ConformanceReport()
        let checks = StoreChecks(report: report, open: open)
        await checks.run()
        if outlivesInstances { await checks.runAcrossInstances() }
        return report.violations
    }
}

struct StoreChecks: Sendable {
    let report: ConformanceReport
    let open: RecordStoreConformance.Opener

    func run() async {
        await readsWhatWasWritten()
        await keepsKeysApart()
        await makesChangesInOrder()
        await updates()
        await removes()
        await counts()
        await keepsToEntryLimit()
        await keepsToByteLimit()
        await readsWholeRecordsAtAnyTime()
    }

    func runAcrossInstances() async {
        await persistsForTheNextInstance()
        await sharesWithOtherInstances()
    }

    /// Returns an empty store.
    func fresh(_ limits: RecordLimits = RecordLimits()) async throws -> any RecordStore {
        let store = try await open(limits)
        try await store.apply([.removeAll])
        return store
    }

    static func key(_ name: UInt128, in partition: UInt128 = 1) -> RecordKey {
        RecordKey(partition: partition, name: name)
    }

    /// Returns a record in which all bytes are equal. Therefore a mixture of two records is visible.
    static func record(_ byte: UInt8, count: Int = 100) -> Data { Data(repeating: byte, count: count) }

    private func readsWhatWasWritten() async {
        let rule = "A record is read as it was written"
        await report.run(rule) {
            let store = try await fresh()
            let sizes = [0, 1, 1000, 1 << 20]
            let records = sizes.map { Self.record(UInt8($0 & 0xFF), count: $0) }
            let keys = sizes.indices.map { Self.key(UInt128($0)) }
            report.check("Nothing is found in an empty store", try await store.read(keys), [:])
            try await store.apply(zip(keys, records).map { .write($0, $1) })
            let expected = Dictionary(uniqueKeysWithValues: zip(keys, records))
            report.check(rule, try await store.read(keys), expected)
            report.check(
                "Keys without a record are left out", try await store.read([keys[1], Self.key(99)]),
                [keys[1]: records[1]])
            report.check(
                "A key may be asked for twice", try await store.read([keys[1], keys[1]]), [keys[1]: records[1]])
            report.check("Without keys, nothing is read", try await store.read([]), [:])
            try await store.flush()
            try await store.compact()
            report.check("Flushing and compacting lose nothing", try await store.read(keys), expected)
            try await store.apply([.write(keys[3], Self.record(7))])
            report.check(
                "A record takes the place of a longer one", try await store.read([keys[3]]), [keys[3]: Self.record(7)])
        }
    }

    private func keepsKeysApart() async {
        let rule = "Keys that differ in partition or name are kept apart"
        await report.run(rule) {
            let store = try await fresh()
            let high = UInt128(1) << 127
            let keys = [Self.key(1), Self.key(1, in: 2), Self.key(high | 1), Self.key(1, in: high | 1), Self.key(0)]
            for (index, key) in keys.enumerated() {
                try await store.apply([.write(key, Self.record(UInt8(index)))])
            }
            for (index, key) in keys.enumerated() {
                report.check(rule, try await store.read([key]), [key: Self.record(UInt8(index))])
            }
            report.check("All keys are listed", try await store.allKeys().sorted(), keys.sorted())
        }
    }

    private func makesChangesInOrder() async {
        let rule = "Changes of one batch are made in order"
        await report.run(rule) {
            let store = try await fresh()
            let (first, second, third) = (Self.key(1), Self.key(2), Self.key(3, in: 3))
            try await store.apply([
                .write(first, Self.record(1)), .write(first, Self.record(2)),
                .write(second, Self.record(1)), .remove(second),
                .write(third, Self.record(1)), .removePartition(3), .write(third, Self.record(2)),
            ])
            report.check(
                rule, try await store.read([first, second, third]),
                [first: Self.record(2), third: Self.record(2)])
            try await store.apply([.removeAll, .write(second, Self.record(4))])
            report.check(rule, try await store.read([first, second, third]), [second: Self.record(4)])
        }
    }

    private func updates() async {
        let rule = "A record is updated only if it still has the expected content"
        await report.run(rule) {
            let store = try await fresh()
            let keys = (1...5).map { Self.key(UInt128($0)) }
            let (old, new, other) = (Self.record(1), Self.record(2), Self.record(3))
            try await store.apply(keys[..<4].map { .write($0, old) })
            try await store.apply([
                .update(keys[0], from: old, to: new), .update(keys[1], from: other, to: new),
                .update(keys[2], from: old, to: nil), .update(keys[3], from: other, to: nil),
                .update(keys[4], from: old, to: new),
            ])
            report.check(rule, try await store.read(keys), [keys[0]: new, keys[1]: old, keys[3]: old])
            try await store.apply([.write(keys[1], other), .update(keys[1], from: old, to: new)])
            report.check("\(rule) within a batch", try await store.read([keys[1]]), [keys[1]: other])
        }
    }

    private func removes() async {
        let rule = "A removal removes the record, and no other"
        await report.run(rule) {
            let store = try await fresh()
            let keys = [Self.key(1), Self.key(2), Self.key(1, in: 2)]
            try await store.apply(keys.map { .write($0, Self.record(1)) })
            try await store.apply([.remove(keys[0]), .remove(Self.key(50)), .remove(Self.key(1, in: 50))])
            report.check(rule, try await store.allKeys().sorted(), keys[1...].sorted())
            try await store.apply([.removePartition(1), .removePartition(50)])
            report.check(rule, Array(try await store.read(keys).keys), [keys[2]])
            try await store.apply([.removeAll])
            report.check(rule, try await store.read(keys), [:])
            report.check(rule, try await store.allKeys(), [])
        }
    }

    private func counts() async {
        let rule = "The usage is the number of the records, and the sum of their sizes"
        await report.run(rule) {
            let store = try await fresh()
            report.check(rule, try await store.usage(), RecordUsage())
            try await store.apply([.write(Self.key(1), Self.record(1)), .write(Self.key(2), Self.record(1, count: 50))])
            report.check(rule, try await store.usage(), RecordUsage(entries: 2, bytes: 150))
            try await store.apply([.write(Self.key(1), Self.record(1, count: 10)), .remove(Self.key(2))])
            report.check(rule, try await store.usage(), RecordUsage(entries: 1, bytes: 10))
        }
    }
}
