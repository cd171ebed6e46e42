import Foundation
import SiestaCaches
import SiestaCore

extension StoreChecks {
    func keepsToEntryLimit() async {
        let rule = "No more records are kept than the limit says, and those used last stay"
        await report.run(rule) {
            let store = try await fresh(RecordLimits(entries: 16))
            let keys = (0..<24).map { Self.key(UInt128($0)) }
            for key in keys[..<16] { try await store.apply([.write(key, Self.record(1))]) }
            report.check("A store within its limits drops nothing", try await store.allKeys().count, 16)
            report.check(rule, try await store.read([keys[0]]).count, 1)
            for key in keys[16..<20] { try await store.apply([.write(key, Self.record(1))]) }
            try await check(store, rule, within: 16, has: keys[16..<20] + [keys[0]], lacks: keys[1..<5])
            try await store.apply(keys.map { .write($0, Self.record(2)) })
            try await check(store, rule, within: 16, has: keys[20...], lacks: keys[..<8])
        }
    }

    func keepsToByteLimit() async {
        let rule = "No more bytes are kept than the limit says, and those used last stay"
        await report.run(rule) {
            let store = try await fresh(RecordLimits(bytes: 1000))
            let keys = (0..<20).map { Self.key(UInt128($0)) }
            for key in keys[..<14] { try await store.apply([.write(key, Self.record(1))]) }
            try await check(store, rule, within: 10, has: keys[10..<14], lacks: keys[..<4])
            try await store.apply([.write(keys[19], Self.record(1, count: 1000))])
            report.check(rule, try await store.allKeys(), [keys[19]])
        }
    }

    private func check(
        _ store: any RecordStore, _ rule: String, within limit: Int, has used: some Sequence<RecordKey>,
        lacks unused: some Sequence<RecordKey>
    ) async throws {
        let kept = Set(try await store.allKeys())
        let usage = try await store.usage()
        if kept.count > limit { report.fail(rule, "\(kept.count) records are kept, and \(limit) allowed") }
        report.check(rule, usage, RecordUsage(entries: kept.count, bytes: kept.count * 100))
        for key in used where !kept.contains(key) { report.fail(rule, "\(key.name), used lately, is gone") }
        for key in unused where kept.contains(key) { report.fail(rule, "\(key.name), not used for long, is kept") }
    }
}
