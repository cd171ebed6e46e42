#if SQLite && os(Linux)
import CacheTorture
import Foundation
import SiestaCaches
import SiestaCore
import TestKit
import Testing

@testable import SiestaSQLite

/// A database on a full disk: a small file system in memory. Needs the permission to mount.
@Suite(.serialized, .enabled(if: SmallDisk.isPossible, "mounting is not permitted"), .timeLimit(.test))
struct SQLiteFullDiskTests {
    private let disk: SmallDisk

    init() throws {
        disk = try SmallDisk()
    }

    private func store(isReadOnly: Bool = false) -> SQLiteRecordStore {
        SQLiteRecordStore(at: disk.folder.url.appendingPathComponent("cache"), isReadOnly: isReadOnly)
    }

    private func key(_ number: Int) -> RecordKey { RecordKey(partition: 1, name: UInt128(number)) }

    private func record(_ number: Int, count: Int = 10_000) -> Data { Data(repeating: UInt8(number), count: count) }

    @Test func `What does not fit is lost, and nothing else; removing everything makes room`() async throws {
        let store = store()
        var failures = 0
        for number in 0..<60 {
            do { try await store.apply([.write(key(number), record(number))]) } catch { failures += 1 }
        }
        #expect(failures > 0)
        let found = try await store.read((0..<60).map(key))
        #expect(found.count == 60 - failures)
        #expect(found.count > 5)
        for (key, data) in found { #expect(data == record(Int(key.name))) }
        await #expect(throws: SQLiteError.self) { try await store.apply((60..<120).map { .write(key($0), record(0)) }) }

        try await store.apply([.removeAll])
        #expect(try await store.read((0..<60).map(key)).isEmpty)
        try await store.apply([.write(key(1), record(1))])
        try await store.flush()
        #expect(try await self.store().read([key(1)]) == [key(1): record(1)])
    }

    @Test func `What a failed write was to replace is not seen again until a write succeeds`() async throws {
        let storage = CacheStorage(store())
        func entity(_ count: Int) -> Entity<Any> {
            Entity<Any>(content: Data(repeating: 1, count: count), headers: [:], timestamp: 1)
        }
        func key(_ number: Int) -> CacheKey {
            CacheKey(principal: "", address: "\(number)", coding: .data)
        }
        func count(_ number: Int) async -> Int? {
            let found = await storage.entity(forKey: key(number))
            return (found?.content as? Data)?.count
        }
        for number in 0..<10 { storage.write(entity(1_000), forKey: key(number)) }
        try await storage.flush()
        storage.write(entity(1_000_000), forKey: key(0))
        await #expect(throws: SQLiteError.self) { try await storage.flush() }
        #expect(await count(0) == nil)
        #expect(await count(1) == 1_000)
        storage.write(entity(2_000), forKey: key(0))
        #expect(await count(0) == 2_000)
        try await storage.flush()
        #expect(await count(0) == 2_000)
        #expect(await count(1) == 1_000)
    }

    @Test func `A batch of which not all fits is kept in part`() async throws {
        let store = store()
        let changes = (0..<5).map { RecordChange.write(key($0), record($0)) }
        let tooLarge = RecordChange.write(key(9), record(9, count: 1_000_000))
        await #expect(throws: SQLiteError.self) { try await store.apply([tooLarge] + changes) }
        #expect(try await store.allKeys() == (0..<5).map(key))
    }

    @Test(arguments: [false, true])
    func `A disk that can only be read is a store that keeps nothing new`(isReadOnly: Bool) async throws {
        try await store().apply([.write(key(1), record(1))])
        Connection.waitForClosing()
        try await disk.makeReadOnly()
        let store = store(isReadOnly: isReadOnly)
        #expect(try await store.read([key(1)]) == [key(1): record(1)])
        await #expect(throws: SQLiteError.self) { try await store.apply([.write(key(2), record(2))]) }
        await #expect(throws: SQLiteError.self) { try await store.apply([.removeAll]) }
        #expect(try await store.allKeys() == [key(1)])
    }
}
#endif
