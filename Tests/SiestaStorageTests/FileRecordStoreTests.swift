import CacheTorture
import Foundation
import SiestaCore
import SiestaTesting
import TestKit
import Testing
import Waiting

@testable import SiestaCaches

/// Files and folders that the store does not expect.
@Suite(.timeLimit(.test))
struct FileRecordStoreTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    private var root: String { folder.path + "/entities-1" }

    private func storage(at url: URL? = nil, _ configure: (inout EntityCacheOptions) -> Void = { _ in })
        -> CacheStorage
    {
        var options = EntityCacheOptions()
        configure(&options)
        let store = FileRecordStore(
            folder: url ?? folder.url, limits: options.storeLimits, durability: options.durability,
            isReadOnly: options.isReadOnly)
        return CacheStorage(store, options: options)
    }

    private func key(_ address: String) -> CacheKey {
        CacheKey(principal: "", address: address, coding: .data)
    }

    private let entity = Entity<Any>(content: Data("content".utf8), headers: [:], timestamp: 5)

    private func read(_ storage: CacheStorage, _ address: String) async -> String? {
        let found = await storage.entity(forKey: key(address))
        return (found?.content as? Data).map { String(decoding: $0, as: UTF8.self) }
    }

    private func attribute<Value>(_ name: FileAttributeKey, of path: String) throws -> Value? {
        try FileManager.default.attributesOfItem(atPath: path)[name] as? Value
    }

    /// Returns the file of an entity.
    private func file(_ address: String) -> String {
        let key = key(address).storeKey
        return "\(root)/\(key.partition.hexadecimal)/\(key.name.hexadecimal)"
    }

    private func names(in path: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path)
    }

    @Test func `Folders are made when something is written, and not before`() async throws {
        let url = folder.url.appendingPathComponent("deep/below")
        let storage = storage(at: url)
        #expect(await read(storage, "a") == nil)
        #expect(await storage.statistics().usage == RecordUsage())
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/deep"))
        storage.write(entity, forKey: key("a"))
        try await storage.flush()
        #expect(await read(storage, "a") == "content")
        #expect(await read(self.storage(at: url), "a") == "content")
    }

    @Test
    func `When the clock was set back, what was used since stays, and what is dated in the future goes`() async throws {
        let storage = storage { $0.entryLimit = 4 }
        for name in ["a", "b", "c", "d"] { storage.write(entity, forKey: key(name)) }
        try await storage.flush()
        let future = Date(timeIntervalSinceNow: 86_400)
        for name in ["a", "b", "c", "d"] {
            try FileManager.default.setAttributes([.modificationDate: future], ofItemAtPath: file(name))
        }
        #expect(await read(storage, "a") == "content")
        storage.write(entity, forKey: key("e"))
        storage.write(entity, forKey: key("f"))
        try await storage.compact()
        for name in ["a", "e", "f"] { #expect(await read(storage, name) == "content", "\(name)") }
        #expect(await storage.statistics().usage?.entries ?? .max <= 4)
    }

    @Test func `Files in the place of folders harm nothing else`() async throws {
        let storage = storage { $0.entryLimit = 10 }
        storage.write(entity, forKey: key("a"))
        try await storage.flush()
        try Data().write(to: URL(fileURLWithPath: root + "/" + String(repeating: "0", count: 32)))
        for number in 0..<40 { storage.write(entity, forKey: key("\(number)")) }
        try await storage.flush()
        #expect(await storage.statistics().usage?.entries ?? .max <= 10)
        try await storage.compact()
        try await storage.clear()
        #expect(await storage.statistics().usage?.entries == 0)
    }

    @Test func `Folders in the place of new files keep no records`() async throws {
        let (store, key) = (FileRecordStore(folder: folder.url), RecordKey(partition: 7, name: 1))
        for removal in [RecordChange.removeAll, .removePartition(7)] {
            try await store.apply([.write(key, Data("content".utf8))])
            let planted = root + "/new/" + UInt128(7).hexadecimal + "-x"
            try FileManager.default.createDirectory(atPath: planted + "/below", withIntermediateDirectories: true)
            try await store.apply([removal])
            #expect(try await store.read([key]).isEmpty)
            #expect(!FileManager.default.fileExists(atPath: planted))
        }
    }

    @Test func `A folder that is removed while it is used is made again`() async throws {
        let storage = storage()
        storage.write(entity, forKey: key("a"))
        try await storage.flush()
        try FileManager.default.removeItem(atPath: folder.path)
        #expect(await read(storage, "a") == nil)
        storage.write(entity, forKey: key("a"))
        try await storage.flush()
        #expect(await read(storage, "a") == "content")
    }

    @Test func `Only the user may read files and folders`() async throws {
        let storage = storage()
        storage.write(entity, forKey: key("a"))
        try await storage.flush()
        #expect(try attribute(.posixPermissions, of: file("a")) == 0o600)
        #expect(try attribute(.posixPermissions, of: root) == 0o700)
    }

    @Test func `A path that is a file is a cache that keeps nothing, and the file stays`() async throws {
        let url = folder.url.appendingPathComponent("file")
        try Data("mine".utf8).write(to: url)
        let storage = storage(at: url)
        storage.write(entity, forKey: key("a"))
        await #expect(throws: FileSystemError.self) { try await storage.flush() }
        #expect(await read(storage, "a") == nil)
        await #expect(throws: FileSystemError.self) { try await storage.clear() }
        await #expect(throws: FileSystemError.self) { try await storage.compact() }
        #expect(await storage.statistics().usage == nil)
        #expect(await storage.statistics().failures > 0)
        #expect(try Data(contentsOf: url) == Data("mine".utf8))
    }

    @Test func `A cache that is read-only reads, and leaves no trace`() async throws {
        let writing = storage()
        writing.write(entity, forKey: key("a"))
        try await writing.flush()
        let time: Date? = try attribute(.modificationDate, of: file("a"))
        let reading = storage { $0.isReadOnly = true }
        reading.write(entity, forKey: key("b"))
        #expect(await read(reading, "a") == "content")
        #expect(await read(reading, "b") == nil)
        try await reading.flush()
        #expect(try attribute(.modificationDate, of: file("a")) == time)
        #expect(folder.files.count == 1)
        let missing = folder.url.appendingPathComponent("missing")
        #expect(await read(storage(at: missing) { $0.isReadOnly = true }, "a") == nil)
        #expect(!FileManager.default.fileExists(atPath: missing.path))
    }

    enum Intruder: CaseIterable {
        case folder, pipe, brokenLink, linkToItself, emptyFile, hugeFile, directoryLink
    }

    @Test(arguments: Intruder.allCases)
    func `What stands in the place of a record is a miss`(intruder: Intruder) async throws {
        let storage = storage()
        for name in ["a", "b"] { storage.write(entity, forKey: key(name)) }
        try await storage.flush()
        let path = file("a")
        unlink(path)
        switch intruder {
        case .folder: mkdir(path, 0o700)
        case .pipe: mkfifo(path, 0o600)
        case .brokenLink: symlink("/nowhere/at/all", path)
        case .linkToItself: symlink(path, path)
        case .directoryLink: symlink("/", path)
        case .emptyFile: #expect(FileManager.default.createFile(atPath: path, contents: nil))
        case .hugeFile:
            #expect(FileManager.default.createFile(atPath: path, contents: nil))
            truncate(path, 1 << 40)
        }
        #expect(await read(storage, "a") == nil)
        #expect(await read(storage, "b") == "content")
        _ = await storage.statistics()
        try await storage.compact()
        storage.write(entity, forKey: key("a"))
        if intruder == .folder {
            await #expect(throws: FileSystemError.self) { try await storage.flush() }
        } else {
            try await storage.flush()
            #expect(await read(storage, "a") == "content")
        }
        #expect(await read(storage, "b") == "content")
    }

    @Test func `Files that are none of the store's stay and are not counted`() async throws {
        let storage = storage()
        storage.write(entity, forKey: key("a"))
        try await storage.flush()
        let names = [
            "/README", "/entities-1/notes.txt", "/entities-2", "\(file("a").dropFirst(folder.path.count)).bak",
        ]
        for name in names {
            #expect(FileManager.default.createFile(atPath: folder.path + name, contents: Data("x".utf8)))
        }
        #expect(await storage.statistics().usage?.entries == 1)
        try await storage.clear()
        #expect(await storage.statistics().usage?.entries == 0)
        for name in names.dropLast() { #expect(FileManager.default.fileExists(atPath: folder.path + name)) }
    }

    @Test func `What a killed process has left is removed once nobody can be writing it any more`() async throws {
        let new = root + "/new"
        try FileManager.default.createDirectory(atPath: new + "/removed-1/x", withIntermediateDirectories: true)
        for name in ["/old", "/young", "/removed-1/x/y"] {
            #expect(FileManager.default.createFile(atPath: new + name, contents: Data("half".utf8)))
        }
        let old = try FileDescriptor(new + "/old", O_RDWR)
        old.setModificationTime(FileSystem.time - 700_000_000_000)
        old.close()
        let storage = storage()
        storage.write(entity, forKey: key("a"))
        try await storage.flush()
        #expect(try names(in: new) == ["young"])
    }

    @Test func `Nothing is left of what could not be written`() async throws {
        let storage = storage()
        storage.write(entity, forKey: key("a"))
        try await storage.flush()
        unlink(file("a"))
        mkdir(file("a"), 0o700)
        storage.write(entity, forKey: key("a"))
        await #expect(throws: FileSystemError.self) { try await storage.flush() }
        #expect(try names(in: root + "/new").isEmpty)
    }

    @Test func `Limits hold for what several stores have written together`() async throws {
        let storages = (0..<3).map { _ in storage { $0.entryLimit = 40 } }
        for round in 0..<60 {
            for (number, storage) in storages.enumerated() {
                storage.write(entity, forKey: key("\(number)-\(round)"))
                try await storage.flush()
            }
        }
        #expect(folder.files.count <= 40 + 3 * 6)
        #expect(folder.files.count >= 30)
        #expect(await read(storages[0], "1-59") == "content")
    }

    @Test func `A folder for each principal goes with its last entity when the cache is compacted`() async throws {
        let storage = storage()
        let key = CacheKey(principal: "ada", address: "a", coding: .data)
        storage.write(entity, forKey: key)
        try await storage.flush()
        storage.remove(key)
        try await storage.flush()
        #expect(try names(in: root).sorted() == [key.storeKey.partition.hexadecimal, "new"].sorted())
        try await storage.compact()
        #expect(try names(in: root) == ["new"])
    }

    @Test func `The removal of a partition also removes what killed processes were writing to it`() async throws {
        for _ in 0..<TestLevel.count(6, nightly: 30, soak: 300) {
            let delay = Int64.random(in: 0...20_000)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = folder.path as String, delay = delay as Int64] in
                let store = FileRecordStore(folder: URL(fileURLWithPath: path), durability: .everyWrite)
                let record = Data(repeating: 1, count: 8 << 20)
                try await store.apply([.write(RecordKey(partition: 1, name: 0), record)])
                Moment.after(.microseconds(delay)) { kill(getpid(), SIGKILL) }
                while true { try await store.apply([.write(RecordKey(partition: 1, name: 0), record)]) }
            }
        }
        let store = FileRecordStore(folder: folder.url)
        try await store.apply([.write(RecordKey(partition: 2, name: 0), Data([2])), .removePartition(1)])
        #expect(folder.files == ["entities-1/\(UInt128(2).hexadecimal)/\(UInt128(0).hexadecimal)"])
    }

    @Test func `A removal that a killed process has begun ends with the next removal of all records`() async throws {
        let storage = storage()
        storage.write(entity, forKey: key("a"))
        try await storage.flush()
        try FileManager.default.createDirectory(atPath: root + "/new/removed-1/x", withIntermediateDirectories: true)
        try await storage.clear()
        #expect(try names(in: root + "/new") == [])
    }

    @Test func `A removal that leaves something on the disk is an error, and removes what it can`() async throws {
        let store = FileRecordStore(folder: folder.url)
        let keys = [RecordKey(partition: 7, name: 1), RecordKey(partition: 8, name: 1)]
        for removal in [RecordChange.removePartition(7), .removeAll] {
            try await store.apply(keys.map { .write($0, Data("content".utf8)) })
            let deep = root + "/" + UInt128(7).hexadecimal + String(repeating: "/d", count: 40)
            try FileManager.default.createDirectory(atPath: deep, withIntermediateDirectories: true)
            await #expect(throws: FileSystemError.self) { try await store.apply([removal]) }
            #expect(try await store.read([keys[0]]).isEmpty)
        }
        #expect(try await store.read(keys).isEmpty)
        // What has remained is not the reason of another error.
        try await store.apply([.write(keys[1], Data("content".utf8)), .removePartition(7)])
        #expect(try await store.read(keys).count == 1)
    }
}
