#if SQLite
import CSQLite
import CacheTorture
import Foundation
import SiestaCaches
import SiestaCore
import TestKit
import Testing

@testable import SiestaSQLite

/// Unexpected files, and features that only this store has.
@Suite(.timeLimit(.test))
struct SQLiteRecordStoreTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    private var file: URL { folder.url.appendingPathComponent("cache.sqlite") }

    private func store(_ limits: RecordLimits = RecordLimits(), isReadOnly: Bool = false) -> SQLiteRecordStore {
        SQLiteRecordStore(at: file, limits: limits, isReadOnly: isReadOnly)
    }

    private func key(_ name: UInt128) -> RecordKey { RecordKey(partition: 1, name: name) }

    private func record(_ byte: UInt8, count: Int = 1000) -> Data { Data(repeating: byte, count: count) }

    /// Closes connections that nothing references any more, and runs statements of the test.
    private func execute(_ sql: String) throws {
        Connection.waitForClosing()
        var handle: OpaquePointer?
        try #require(sqlite3_open(file.path, &handle) == SQLITE_OK)
        defer { sqlite3_close(handle) }
        sqlite3_busy_timeout(handle, 60_000)
        #expect(sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK)
    }

    private func fill() async throws {
        let store = store()
        try await store.apply((0..<20).map { .write(key(UInt128($0)), record(UInt8($0))) })
    }

    // MARK: Places

    @Test func `Nothing is made before something is written, and then all of it for the user alone`() async throws {
        let file = folder.url.appendingPathComponent("a/b/cache")
        let store = SQLiteRecordStore(at: file)
        #expect(try await store.read([key(1)]).isEmpty)
        #expect(try await store.usage() == RecordUsage())
        #expect(try await store.allKeys().isEmpty)
        try await store.flush()
        try await store.compact()
        #expect(folder.files.isEmpty)
        try await store.apply([.write(key(1), record(1))])
        #expect(try await store.read([key(1)]) == [key(1): record(1)])
        for path in folder.files {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/\(path)")
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test
    func `A folder in the place of the file, or a file in that of a folder, makes everything throw`() async throws {
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
        let inside = SQLiteRecordStore(at: URL(fileURLWithPath: "/dev/null/cache"))
        for store in [store(), inside] {
            await #expect(throws: SQLiteError.self) { try await store.apply([.write(key(1), record(1))]) }
        }
        await #expect(throws: SQLiteError.self) { try await store().read([key(1)]) }
        await #expect(throws: SQLiteError.self) { try await store().usage() }
        #expect(folder.files.isEmpty)
    }

    @Test func `A file that is taken away while it is in use is made anew`() async throws {
        let store = store()
        try await store.apply([.write(key(1), record(1))])
        #expect(try await store.read([key(1)]).count == 1)
        for file in folder.files { try FileManager.default.removeItem(atPath: "\(folder.path)/\(file)") }
        #expect(try await store.read([key(1)]).isEmpty)
        try await store.apply([.write(key(2), record(2))])
        #expect(try await self.store().allKeys() == [key(2)])
        #expect(try await store.read([key(2)]) == [key(2): record(2)])
    }

    // MARK: Versions

    @Test func `A database of a newer version is left as it is`() async throws {
        try await fill()
        try execute("PRAGMA user_version = 2")
        for _ in 0..<2 {
            let store = store()
            await #expect(throws: SQLiteError.self) { try await store.read([key(1)]) }
            await #expect(throws: SQLiteError.self) { try await store.apply([.removeAll]) }
            await #expect(throws: SQLiteError.self) { try await store.compact() }
        }
        try execute("PRAGMA user_version = 1")
        #expect(try await store().allKeys().count == 20)
    }

    @Test func `A database of another program is left as it is`() async throws {
        try execute("CREATE TABLE photos (title TEXT); INSERT INTO photos VALUES ('Ada')")
        Connection.waitForClosing()
        let before = try Data(contentsOf: file)
        let store = store()
        await #expect(throws: SQLiteError.self) { try await store.read([key(1)]) }
        await #expect(throws: SQLiteError.self) { try await store.apply([.removeAll, .write(key(1), record(1))]) }
        Connection.waitForClosing()
        #expect(try Data(contentsOf: file) == before)
    }

    // MARK: Damage

    @Test(arguments: ["no database at all", String(repeating: "\0", count: 20_000), "SQLite format 3\0"])
    func `A file that is no database is put aside until everything is removed`(content: String) async throws {
        try Data(content.utf8).write(to: file)
        let store = store()
        #expect(try await store.read([key(1)]).isEmpty)
        #expect(try Data(contentsOf: URL(fileURLWithPath: file.path + "-damaged")) == Data(content.utf8))
        try await store.apply([.write(key(1), record(1))])
        #expect(try await store.read([key(1)]) == [key(1): record(1)])
        try await store.apply([.removeAll])
        #expect(!FileManager.default.fileExists(atPath: file.path + "-damaged"))
    }

    @Test(arguments: [true, false])
    func `A database that is damaged while it is in use is begun anew, and takes what is being written`(
        readsFirst: Bool
    ) async throws {
        let store = store()
        try await store.apply((0..<200).map { .write(key($0), record(7, count: 30_000)) })
        try await store.compact()
        try overwrite(from: 4096, to: 5_000_000)
        let other = self.store()  // has no records in memory
        if readsFirst { #expect(try await other.read((0..<200).map { key($0) }).isEmpty) }
        try await other.apply([.removePartition(1), .write(key(2), record(2))])
        // The damaged file would contain the records of the user.
        #expect(!folder.files.contains("cache.sqlite-damaged"))
        try await store.apply([.write(key(1), record(1))])
        #expect(try await store.read([key(1), key(2), key(3)]) == [key(1): record(1), key(2): record(2)])
    }

    private func overwrite(from start: UInt64, to end: UInt64) throws {
        let handle = try FileHandle(forWritingTo: file)
        try handle.seek(toOffset: start)
        try handle.write(contentsOf: Data(repeating: 0xA5, count: Int(end - start)))
        try handle.close()
    }

    @Test func `Totals that are wrong are put right by the next count`() async throws {
        try await fill()
        try execute("UPDATE total SET entries = 9007199254740991, bytes = 9007199254740991")
        let store = store(RecordLimits(bytes: 30_000, entries: 30))
        try await store.apply([.write(key(50), record(1))])
        #expect(try await store.usage() == RecordUsage(entries: 21, bytes: 21_000))
        try execute("UPDATE total SET entries = 1, bytes = 1")
        try await store.apply([.remove(key(1)), .remove(key(2))])
        try await store.compact()
        #expect(try await store.usage() == RecordUsage(entries: 19, bytes: 19_000))
    }

    @Test func `Numbers and keys that no store writes are damage`() async throws {
        for damage in ["UPDATE entry SET bytes = -1", "UPDATE entry SET key = x'00' WHERE id = 5", "DELETE FROM total"]
        {
            try await fill()
            try execute(damage)
            let store = store(RecordLimits(entries: 10))
            try await store.apply([.write(key(50), record(1))])
            #expect(try await store.allKeys() == [key(50)])
        }
    }

    // MARK: Reading only

    @Test func `Sizes whose sum is no number are evicted`() async throws {
        try await store().apply((0..<1100).map { .write(key(UInt128($0)), record(1, count: 1)) })
        try execute("UPDATE entry SET bytes = 9007199254740991; UPDATE total SET bytes = 9007199254740991")
        let store = store(RecordLimits(bytes: 30_000))
        try await store.apply([.write(key(5000), record(1))])
        #expect(try await store.allKeys() == [key(5000)])
    }

    @Test func `A store for reading only changes nothing`() async throws {
        #expect(try await store(isReadOnly: true).read([key(1)]).isEmpty)
        #expect(folder.files.isEmpty)
        try await fill()
        let store = store(isReadOnly: true)
        #expect(try await store.read([key(1)]) == [key(1): record(1)])
        await #expect(throws: SQLiteError.self) { try await store.apply([.removeAll]) }
        await #expect(throws: SQLiteError.self) { try await store.compact() }
        #expect(try await store.usage().entries == 20)
        let other = folder.url.appendingPathComponent("other")
        try Data("no database".utf8).write(to: other)
        let wrong = SQLiteRecordStore(at: other, isReadOnly: true)
        await #expect(throws: SQLiteError.self) { try await wrong.usage() }
        #expect(try Data(contentsOf: other) == Data("no database".utf8))
    }

    @Test func `A store for reading only sees what others write`() async throws {
        let (writer, reader) = (store(), store(isReadOnly: true))
        try await writer.apply([.write(key(1), record(1))])
        #expect(try await reader.read([key(1)]) == [key(1): record(1)])
        try await writer.apply([.write(key(1), record(2))])
        #expect(try await reader.read([key(1)]) == [key(1): record(2)])
    }

    // MARK: Use and space

    @Test func `What was read counts as used for later instances once something is written`() async throws {
        for name in 0..<16 { try await store().apply([.write(key(UInt128(name)), record(1))]) }
        let first = store()
        #expect(try await first.read([key(0), key(3)]).count == 2)
        try await first.apply([])
        let limited = store(RecordLimits(entries: 8))
        try await limited.apply([])
        let kept = Set(try await limited.allKeys())
        #expect(kept.isSuperset(of: [key(0), key(3), key(15)]))
        #expect(kept.count <= 8)
    }

    @Test func `Reading writes nothing by itself`() async throws {
        try await fill()
        let store = store()
        #expect(try await store.read([key(1)]).count == 1)
        let before = try snapshot()
        for _ in 0..<100 { _ = try await store.read((0..<20).map { key($0) }) }
        #expect(try snapshot() == before)
    }

    private func snapshot() throws -> [Data] {
        try ["", "-wal"].map { try Data(contentsOf: URL(fileURLWithPath: file.path + $0)) }
    }

    @Test func `Compacting gives back space, and leaves nothing of what was removed`() async throws {
        let store = store()
        try await store.apply((0..<500).map { .write(key($0), record(0x5A, count: 4000)) })
        try await store.apply([.write(RecordKey(partition: 2, name: 1), record(3))])
        try await store.apply([.removePartition(1)])
        try await store.compact()
        let data = try snapshot()
        #expect(data[0].count < 100_000)
        #expect(data[1].isEmpty)
        #expect(data[0].range(of: record(0x5A, count: 16)) == nil)
        #expect(try await store.usage() == RecordUsage(entries: 1, bytes: 1000))
    }

    @Test func `Uses are noted once each, the last ones last, and not without end`() {
        var uses = RecentUses()
        uses.note([key(1), key(2), key(1)])
        uses.note([key(3), key(2)])
        #expect(uses.take() == [key(1), key(3), key(2)])
        #expect(uses.take().isEmpty)
        for number in 0..<100_000 { uses.note([key(UInt128(number))]) }
        let taken = uses.take()
        #expect(taken.count <= 65_536)
        #expect(taken.last == key(99_999))
    }

    @Test func `A file that was put aside is removed when the store is compacted`() async throws {
        try Data("no database at all".utf8).write(to: file)
        let store = store()
        #expect(try await store.read([key(1)]).isEmpty)
        try await store.apply([.write(key(1), record(1))])
        #expect(folder.files.contains("cache.sqlite-damaged"))
        try await store.compact()
        #expect(!folder.files.contains("cache.sqlite-damaged"))
    }

    @Test func `A file that was put aside is removed by a compaction if nothing was written since`() async throws {
        try Data("no database at all".utf8).write(to: file)
        let store = store()
        #expect(try await store.read([key(1)]).isEmpty)
        #expect(folder.files.contains("cache.sqlite-damaged"))
        #expect(!folder.files.contains("cache.sqlite"))
        try await store.compact()
        #expect(!folder.files.contains("cache.sqlite-damaged"))
    }

    @Test func `A store for reading only keeps a file that was put aside`() async throws {
        try await fill()
        try Data("damaged".utf8).write(to: URL(fileURLWithPath: file.path + "-damaged"))
        let store = store(isReadOnly: true)
        await #expect(throws: SQLiteError.self) { try await store.compact() }
        await #expect(throws: SQLiteError.self) { try await store.apply([.removeAll]) }
        #expect(folder.files.contains("cache.sqlite-damaged"))
    }

    @Test func `A file that was put aside is removed together with the records of a user`() async throws {
        try Data("no database at all".utf8).write(to: file)
        let store = store()
        #expect(try await store.read([key(1)]).isEmpty)
        #expect(FileManager.default.fileExists(atPath: file.path + "-damaged"))
        try await store.apply([.removePartition(1)])
        #expect(!FileManager.default.fileExists(atPath: file.path + "-damaged"))
    }
}
#endif
