#if SQLite
import CSQLite
import CacheTorture
import Foundation
import OutboxTorture
import SiestaCaches
import SiestaCore
import SiestaOutboxStorage
import SiestaWriting
import TestKit
import Testing
import Waiting

@testable import SiestaSQLite

/// Outboxes in a database: the cases that need more care than those of caches.
@Suite(.timeLimit(.test))
struct SQLiteOutboxTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    private var file: URL { folder.url.appendingPathComponent("changes") }
    private static let entries = (1...100).map { Outbox.Entry.stored($0, body: .bytes(Data("body \($0)".utf8))) }

    private func store(_ file: URL? = nil) -> RecordOutboxStore { .sqlite(at: file ?? self.file) }

    /// Writes the entries, and waits until the database is closed.
    private func fill() async throws {
        try await store().apply(Self.entries.map { .write($0) })
        try await waitForClosing()
    }

    /// SQLite removes the log with the last connection.
    private func waitForClosing() async throws {
        try await Poll.until {
            Connection.waitForClosing()
            return !FileManager.default.fileExists(atPath: file.path + "-wal")
        }
    }

    private func failure(_ work: () async throws -> Void) async -> SQLiteError? {
        do {
            try await work()
            return nil
        } catch {
            return error as? SQLiteError
        }
    }

    /// Runs statements of the test in the closed database.
    private func execute(_ sql: String) throws {
        var handle: OpaquePointer?
        try #require(sqlite3_open(file.path, &handle) == SQLITE_OK)
        defer { sqlite3_close(handle) }
        #expect(sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK)
    }

    /// The database is refused with an error that names it, and stays as it is.
    private func checkRefusal(_ reason: String) async throws {
        let before = try Data(contentsOf: file)
        let errors = [
            await failure { _ = try await store().load() },
            await failure { try await store().apply([.write(.stored(500))]) },
            await failure { try await store().discardUnreadable() },
        ]
        for error in errors {
            #expect(error?.path == file.path)
            #expect(error?.message.contains(reason) == true)
        }
        Connection.waitForClosing()
        #expect(try Data(contentsOf: file) == before)
        #expect(!FileManager.default.fileExists(atPath: file.path + "-damaged"))
    }

    @Test func `A database does what stores of outboxes have to do`() async throws {
        let violations = try await OutboxStoreConformance.violations(.plain) { place, _ in
            RecordOutboxStore.sqlite(at: place)
        }
        #expect(violations.isEmpty)
    }

    // MARK: Damage

    @Test func `A damaged database is reported and kept, also if only its index is damaged`() async throws {
        try await fill()
        let good = try Data(contentsOf: file)
        for (damaged, reason) in [
            (Data(repeating: 7, count: good.count), "not a database"), (good.prefix(good.count / 2), "malformed"),
        ] {
            try damaged.write(to: file)
            chmod(file.path, 0o600)
            try await checkRefusal(reason)
        }
        try good.write(to: file)
        chmod(file.path, 0o600)
        try execute("DELETE FROM entry WHERE key = (SELECT max(key) FROM entry)")
        try await checkRefusal("Records are missing")
        try execute("DROP TABLE total")
        try await checkRefusal("Tables are missing")
    }

    @Test func `Damage to some records leaves the others, and is counted`() async throws {
        try await fill()
        try execute("UPDATE record SET content = zeroblob(100) WHERE id = (SELECT min(id) FROM record)")
        let store = store()
        let found = try await store.load()
        #expect(found.entries == Self.entries.suffix(68))
        #expect(found.unreadable == 1)
        try await store.apply([.write(.stored(500))])
        try await store.discardUnreadable()
        await store.close()
        let rest = try await self.store().load()
        #expect(rest.entries == Self.entries.suffix(68) + [.stored(500)])
        #expect(rest.unreadable == 0)
    }

    @Test func `Any change of some bits is reported, or changes nothing`() async throws {
        try await fill()
        let good = try Data(contentsOf: file)
        var random = SeededGenerator(seed: TestSeed.current)
        var (reported, harmless) = (0, 0)
        for round in 0..<TestLevel.count(30, nightly: 300, soak: 5_000) {
            var damaged = good
            // Half of the damage is in the first pages, which contain the tables of keys.
            let end = round % 2 == 0 ? damaged.count : min(damaged.count, 24_576)
            for _ in 0..<(round % 4 + 1) {
                damaged[Int.random(in: 0..<end, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
            let copy = folder.url.appendingPathComponent("copy-\(round)")
            try damaged.write(to: copy)
            chmod(copy.path, 0o600)
            let store = store(copy)
            if let found = try? await store.load(), found.unreadable == 0 {
                #expect(found.entries == Self.entries, "seed \(TestSeed.current), round \(round)")
                harmless += 1
            } else {
                reported += 1
            }
        }
        guard TestLevel.current >= .nightly else { return }
        #expect(reported > 30)
        #expect(harmless > 30)
    }

    @Test func `A last write of which the disk has only a part is undone as a whole`() async throws {
        let store = store()
        try await store.apply((1...20).map { .write(.stored($0)) })
        let log = URL(fileURLWithPath: file.path + "-wal")
        let before = try Data(contentsOf: log).count
        try await store.apply([.write(.stored(21)), .write(.stored(1).with(.sending))])
        let complete = try Data(contentsOf: log)
        let (former, latter) = (
            (1...20).map { Outbox.Entry.stored($0) },
            [Outbox.Entry.stored(1).with(.sending)] + (2...21).map { Outbox.Entry.stored($0) }
        )
        try #require(complete.count > before)
        var partial = 0
        for (round, end) in stride(from: before, through: complete.count, by: 997).enumerated() {
            let copy = folder.url.appendingPathComponent("torn-\(round)")
            try FileManager.default.copyItem(at: file, to: copy)
            var torn = complete.prefix(end)
            if round % 2 == 1 { torn += Data(repeating: 0xA5, count: complete.count - end) }
            let tornLog = copy.path + "-wal"
            try torn.write(to: URL(fileURLWithPath: tornLog))
            for path in [copy.path, tornLog] { chmod(path, 0o600) }
            let found = try await self.store(copy).load()
            #expect(found.entries == former || found.entries == latter)
            #expect(found.unreadable == 0)
            if found.entries == former { partial += 1 }
        }
        #expect(partial > 5)
        await store.close()
    }

    // MARK: Other databases and files

    @Test func `An outbox does not use the database of a cache, nor a cache that of an outbox`() async throws {
        do { try await SQLiteRecordStore(at: file).apply([.write(RecordKey(partition: 1, name: 1), Data([1]))]) }
        try await waitForClosing()
        try await checkRefusal("is the database of a cache")

        try FileManager.default.removeItem(at: file)
        try await fill()
        let cache = SQLiteRecordStore(at: file)
        let errors = [
            await failure { _ = try await cache.allKeys() },
            await failure { try await cache.apply([.write(RecordKey(partition: 1, name: 1), Data([1]))]) },
            await failure { try await cache.apply([.removeAll]) }, await failure { try await cache.compact() },
        ]
        for error in errors { #expect(error?.message.contains("is the database of an outbox") == true) }
        #expect(try await store().load().entries == Self.entries)
    }

    @Test func `The database of a newer version or of another program is refused`() async throws {
        try await fill()
        try execute("PRAGMA user_version = 2")
        try await checkRefusal("schema version 2")
        try FileManager.default.removeItem(at: file)
        try execute("CREATE TABLE mine (a)")
        chmod(file.path, 0o600)
        try await checkRefusal("another program")
    }

    @Test func `A database that is removed while it is used is an error, and is not made again`() async throws {
        let store = store()
        try await store.apply([.write(.stored(1))])
        try FileManager.default.removeItem(at: file)
        let error = await failure { try await store.apply([.write(.stored(2, principal: "ada"))]) }
        #expect(error?.message == "Was removed")
        #expect(await failure { try await store.apply([.write(.stored(3))]) } != nil)
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test func `If the folder with the lock is removed, the outbox accepts nothing, and leaves the database to others`()
        async throws
    {
        let first = store()
        try await first.apply([.write(.stored(1))])
        try FileManager.default.removeItem(atPath: file.path + "-outbox")
        let second = store()
        try await second.apply([.write(.stored(2))])
        await #expect(throws: FileSystemError.self) { try await first.apply([.write(.stored(3))]) }
        await first.close()
        await second.close()
        #expect(try await store().load().entries == [.stored(1), .stored(2)])
    }

    @Test func `Two ways to the same database are one database`() async throws {
        let home = folder.url.appendingPathComponent("home")
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        chmod(home.path, 0o700)
        let outer = folder.url.appendingPathComponent("outer")
        symlink(folder.path, outer.path)
        let store = store(home.appendingPathComponent("changes"))
        try await store.apply([.write(.stored(1))])
        let other = outer.appendingPathComponent("home/changes")
        await #expect(throws: OutboxInUse(path: other.path)) { try await self.store(other).load() }
        await store.close()
        #expect(try await self.store(other).load().entries == [.stored(1)])
    }

    @Test func `A second process is refused, and the error names the database`() async throws {
        let first = store()
        try await first.apply([.write(.stored(1))])
        let path = file.path
        await #expect(processExitsWith: .success) { [path = path as String] in
            do {
                _ = try await RecordOutboxStore.sqlite(at: URL(fileURLWithPath: path)).load()
                exit(1)
            } catch let error as OutboxInUse {
                exit(error.path == path && error.localizedDescription.contains(path) ? 0 : 2)
            }
        }
        try await first.apply([.write(.stored(2))])
    }

    @Test func `Only the user of the process can read the files`() async throws {
        let store = store()
        let body = try await store.keep(Data(count: 5000))
        try await store.apply([.write(.stored(1, body: body))])
        #expect(folder.files.count >= 4)
        for name in folder.files {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/\(name)")
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
        }
        extendLifetime(store)
    }

    @Test func `A database that is removed after it was read is an error, and is not made again`() async throws {
        try await fill()
        let store = store()
        #expect(try await store.load().entries.count == 100)
        try FileManager.default.removeItem(at: file)
        let error = await failure { try await store.apply([.write(.stored(200, principal: "ada"))]) }
        #expect(error?.message == "Was removed")
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test func `After its end, the file and the folder of an outbox contain all changes`() async throws {
        let store = store()
        try await store.apply(Self.entries.map { .write($0) })
        await store.close()
        let moved = folder.url.appendingPathComponent("moved")
        try FileManager.default.moveItem(at: file, to: moved)
        try FileManager.default.moveItem(atPath: file.path + "-outbox", toPath: moved.path + "-outbox")
        #expect(try await self.store(moved).load().entries == Self.entries)
        await store.close()  // Keeps the first store, as an app keeps its outbox.
    }
}
#endif
