import CacheTorture
import Foundation
import OutboxTorture
import SiestaCore
import SiestaWriting
import TestKit
import Testing

@testable import SiestaCaches
@testable import SiestaOutboxStorage

/// Damaged records of an outbox.
@Suite(.timeLimit(.model))
struct OutboxDamageTests {
    private static let entries = (1...20).map { Outbox.Entry.stored($0, body: .bytes(Data("body \($0)".utf8))) }

    /// Returns a store with entries, and the key and the bytes of its only record.
    private func filled(
        sealing: (any EntitySealing)? = nil
    ) async throws -> (records: MemoryRecordStore, key: RecordKey, record: Data) {
        let records = MemoryRecordStore()
        try await RecordOutboxStore(records, folder: nil, sealing: sealing).apply(Self.entries.map { .write($0) })
        let key = try #require(try await records.allKeys().first)
        return (records, key, try #require(try await records.read([key])[key]))
    }

    @Test(arguments: [nil, 7] as [UInt8?])
    func `Every damage is counted, and the undamaged entries load`(key: UInt8?) async throws {
        let sealing = key.map(TestSealing.init(key:))
        let (records, key, record) = try await filled(sealing: sealing)
        let (seed, count) = (TestSeed.current, TestLevel.count(300, nightly: 3_000))
        var random = SeededGenerator(seed: seed)
        var readable = 0
        for round in 0..<count {
            let damaged = Self.damaged(record, round, &random)
            guard damaged != record else { continue }
            try await records.apply([.write(key, damaged)])
            let store = RecordOutboxStore(records, folder: nil, sealing: sealing)
            let found = try await store.load()
            #expect(found.unreadable > 0, "seed \(seed), round \(round)")
            #expect(found.entries.allSatisfy(Self.entries.contains), "seed \(seed), round \(round)")
            readable += found.entries.count
            // Two changed bytes damage at most two entries.
            if round % 3 == 1 { #expect(found.entries.count >= 18, "seed \(seed), round \(round)") }
            guard round % 20 == 0 else { continue }
            try await checkWriting(store, found, records, sealing)
            for other in try await records.allKeys() where other != key { try await records.apply([.remove(other)]) }
        }
        #expect(readable > count * 10)
    }

    /// Later writes neither hide the damage nor harm the other entries.
    private func checkWriting(
        _ store: RecordOutboxStore, _ found: OutboxContents, _ records: MemoryRecordStore,
        _ sealing: (any EntitySealing)?
    ) async throws {
        try await store.apply([.write(.stored(50))] + found.entries.map { .write($0.with(.sending)) })
        let second = try await RecordOutboxStore(records, folder: nil, sealing: sealing).load()
        #expect(second.entries == found.entries.map { $0.with(.sending) } + [.stored(50)])
        #expect(second.unreadable == found.unreadable)
        try await store.discardUnreadable()
        let third = try await RecordOutboxStore(records, folder: nil, sealing: sealing).load()
        #expect(third.entries == second.entries)
        #expect(third.unreadable == 0)
    }

    private static func damaged(_ record: Data, _ round: Int, _ random: inout SeededGenerator) -> Data {
        var damaged = record
        switch round % 3 {
        case 0: return record.prefix(Int.random(in: 0..<record.count, using: &random))
        case 1:
            for _ in 0..<2 {
                let index = Int.random(in: 0..<record.count, using: &random)
                damaged[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
            return damaged
        default:
            let start = Int.random(in: 0..<record.count, using: &random)
            let end = min(record.count, start + Int.random(in: 1...400, using: &random))
            let noise = (0..<Int.random(in: 0...400, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            damaged.replaceSubrange(start..<end, with: noise)
            return damaged
        }
    }

    @Test func `Damaged bytes are kept when their record is written again, until they are discarded`() async throws {
        let (records, key, record) = try await filled()
        var damaged = record
        let place = try #require(record.range(of: Data("body 7".utf8)))
        damaged.replaceSubrange(place, with: Data("BODY 7".utf8))
        try await records.apply([.write(key, damaged)])
        let store = RecordOutboxStore(records, folder: nil)
        #expect(try await store.load().unreadable == 1)
        try await store.apply([.write(Self.entries[0].with(.sending))])
        #expect(try await records.read([key])[key]?.range(of: Data("BODY 7".utf8)) != nil)
        try await store.discardUnreadable()
        #expect(try await records.read([key])[key]?.range(of: Data("BODY 7".utf8)) == nil)
        #expect(try await RecordOutboxStore(records, folder: nil).load().unreadable == 0)
    }

    @Test func `Noise and records of later versions are counted and kept`() async throws {
        let (records, key, _) = try await filled()
        let later = Data("SiS".utf8) + [2] + Data(count: 500)
        for bytes in [Data(), Data([0]), Data("SiS".utf8), Data(count: 100_000), later] {
            try await records.apply([.write(key, bytes)])
            let store = RecordOutboxStore(records, folder: nil)
            #expect(try await store.load().unreadable == 1)
            try await store.apply([.write(.stored(1))])
            try await store.apply([.remove(id: "entry 1")])
            #expect(try await records.read([key])[key] == bytes)
            #expect(try await RecordOutboxStore(records, folder: nil).load().unreadable == 1)
        }
    }

    @Test func `The time for a hostile record with a mark in every place grows with its length, not with the square`()
        async throws
    {
        let key = try await filled().key
        let growth = Growth(of: 4_000) { marks in
            // Each frame in the first half has its whole length, half of the record, and a wrong checksum.
            let length = marks * 4
            let mark = Data("SiF".utf8) + [0] + (0..<4).map { UInt8(truncatingIfNeeded: length >> ($0 * 8)) }
            return Data((0..<marks).flatMap { _ in mark })
        } _: { hostile in
            var layout = OutboxLayout(sealing: nil)
            #expect(layout.load(hostile, key).isEmpty)
            #expect(layout.unreadable == 1)
        }
        #expect(growth.isBounded, "\(growth)")
    }

    @Test func `A record that cannot be read is counted, and the others load`() async throws {
        let folder = try TestFolder()
        do {
            let store = RecordOutboxStore.files(at: folder.url)
            try await store.apply((1...50).map { .write(.stored($0)) })
        }
        let files = folder.files.filter { $0.contains("entities-1") }
        try #require(files.count == 2)
        chmod(folder.path + "/" + files[0], 0o622)  // Others can have written it, so that it is not read.
        let found = try await RecordOutboxStore.files(at: folder.url).load()
        #expect([18, 32].contains(found.entries.count))
        #expect(found.unreadable == 1)
    }
}
