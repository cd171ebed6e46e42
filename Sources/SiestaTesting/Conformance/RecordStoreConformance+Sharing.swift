import Foundation
import Isolation
import SiestaCaches
import SiestaCore

extension StoreChecks {
    func readsWholeRecordsAtAnyTime() async {
        let rule = "A reader sees a record as it was before or after a write, whole"
        await report.run(rule) {
            let store = try await fresh()
            try await check(rule, reader: store, writers: [store])
        }
    }

    func persistsForTheNextInstance() async {
        let rule = "The next instance finds the flushed records"
        await report.run(rule) {
            let keys = (0..<100).map { Self.key(UInt128($0), in: UInt128($0 % 3)) }
            let store = try await fresh()
            try await store.apply(keys.map { .write($0, Self.record(UInt8($0.name))) })
            try await store.flush()
            let next = try await open(RecordLimits())
            let found = try await next.read(keys)
            report.check(rule, found.count, keys.count)
            for (key, record) in found { report.check(rule, record, Self.record(UInt8(key.name))) }
            report.check(rule, try await next.usage(), RecordUsage(entries: 100, bytes: 10_000))
            report.check(rule, try await next.allKeys().sorted(), keys.sorted())
            try await next.apply([.removePartition(1), .remove(keys[0])])
            report.check(
                "Removals also remove records that others have written", try await store.read([keys[0], keys[1]]), [:])
        }
    }

    func sharesWithOtherInstances() async {
        let rule = "Several instances may write the same keys at once, and every record stays whole"
        await report.run(rule) {
            let (first, second, third) = (try await fresh(), try await open(.init()), try await open(.init()))
            try await check(rule, reader: third, writers: [first, second])
            try await first.apply([.write(Self.key(1), Self.record(200))])
            report.check(
                "Changes that one instance has applied are read by others", try await second.read([Self.key(1)]),
                [Self.key(1): Self.record(200)])
        }
    }

    /// Reads a few keys while writers change them.
    private func check(_ rule: String, reader: any RecordStore, writers: [any RecordStore]) async throws {
        let keys = (0..<4).map { Self.key(UInt128($0)) }
        let writersLeft = Locked(writers.count)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, writer) in writers.enumerated() {
                group.addTask {
                    defer { writersLeft.withLock { $0 -= 1 } }
                    for round in 0..<100 {
                        let byte = UInt8(round * writers.count + number & 0xFF)
                        try await writer.apply(keys.map { .write($0, Self.record(byte, count: 1 + 40 * Int(byte))) })
                    }
                }
            }
            group.addTask {
                while writersLeft.withLock({ $0 }) > 0 {
                    for (_, record) in try await reader.read(keys) { checkWhole(record, rule) }
                }
            }
            try await group.waitForAll()
        }
        let left = try await reader.read(keys)
        report.check(rule, left.count, keys.count)
        for (_, record) in left { checkWhole(record, rule) }
    }

    private func checkWhole(_ record: Data, _ rule: String) {
        guard let byte = record.first, record == Self.record(byte, count: 1 + 40 * Int(byte)) else {
            return report.fail(rule, "a mixture of \(record.count) bytes was read")
        }
    }
}
