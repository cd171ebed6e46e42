#if Encryption
import CacheTorture
import Foundation
import SiestaCaches
import SiestaCore
import SiestaEncryption
import SiestaTesting
import TestKit
import Testing

#if SQLite
import SiestaSQLite
#endif

/// Caches that encrypt: the bytes on the disk, and the treatment of records when keys change.
@MainActor @Suite(.timeLimit(.model))
struct EncryptedCacheTests {
    private let folder: TestFolder
    private let secrets = ["ada", "balance", "seventeen"].map { "the-secret-\($0)" }

    init() throws {
        folder = try TestFolder()
    }

    private nonisolated static func options(key: UInt8?, former: [UInt8] = []) throws -> EntityCacheOptions {
        EntityCacheOptions(
            sealing: try key.map { key in
                try AESGCMSealing(
                    key: Data(repeating: key, count: 32), formerKeys: former.map { Data(repeating: $0, count: 32) })
            })
    }

    private func storage(key: UInt8?, former: [UInt8] = []) throws -> CacheStorage {
        CacheStorage(FileRecordStore(folder: folder.url), options: try Self.options(key: key, former: former))
    }

    private var key: CacheKey {
        CacheKey(principal: secrets[0], address: "http://bank.test/\(secrets[1])", coding: .data)
    }

    private func write(to storage: CacheStorage) async throws {
        storage.write(Entity<Any>(content: Data(secrets[2].utf8), headers: ["ETag": "1"]), forKey: key)
        try await storage.flush()
    }

    private func content(in storage: CacheStorage) async -> String? {
        let entity = await storage.entity(forKey: key)
        return (entity?.content as? Data).map { String(decoding: $0, as: UTF8.self) }
    }

    private func bytesOnDisk() throws -> Data {
        try folder.files.reduce(Data()) { try $0 + Data(contentsOf: folder.url.appendingPathComponent($1)) }
    }

    @Test func `The cache of files does what caches have to do when it encrypts`() async throws {
        let url = folder.url
        let options = try Self.options(key: 7)
        let violations = await EntityCacheConformance.violations {
            PersistentCache(FileRecordStore(folder: url), options: options)
        }
        #expect(violations.isEmpty)
    }

    @Test func `Neither URL, user, headers nor content are on the disk or in names of files`() async throws {
        let storage = try storage(key: 1)
        try await write(to: storage)
        #expect(await content(in: try self.storage(key: 1)) == secrets[2])
        let bytes = try bytesOnDisk()
        for secret in secrets {
            #expect(bytes.range(of: Data(secret.utf8)) == nil)
            #expect(!folder.files.contains { $0.contains(secret) })
        }
    }

    @Test func `What was in the open is not used, and gone after a compaction`() async throws {
        try await write(to: storage(key: nil))
        #expect(try bytesOnDisk().range(of: Data(secrets[2].utf8)) != nil)
        let storage = try storage(key: 1)
        try await storage.compact()
        #expect(try bytesOnDisk().isEmpty)
        #expect(await content(in: storage) == nil)
    }

    @Test func `A cache without a key finds nothing that is sealed, and leaves it alone`() async throws {
        try await write(to: storage(key: 1))
        let open = try storage(key: nil)
        #expect(await content(in: open) == nil)
        try await open.compact()
        #expect(await content(in: try storage(key: 1)) == secrets[2])
    }

    @Test func `After a compaction nothing needs a former key`() async throws {
        try await write(to: storage(key: 1))
        try await storage(key: 2, former: [1]).compact()
        #expect(await content(in: try storage(key: 2)) == secrets[2])
        #expect(await content(in: try storage(key: 1)) == nil)
    }

    @Test func `What a later version has sealed is left alone, and what was altered is removed`() async throws {
        for (position, isKept) in [(3, true), (20, false)] {
            try await write(to: storage(key: 1))
            let file = folder.url.appendingPathComponent(folder.files[0])
            var record = try Data(contentsOf: file)
            record[position] ^= 64  // Bytes of the nonce are random; another value could be the same.
            try record.write(to: file)
            let storage = try storage(key: 1)
            #expect(await content(in: storage) == nil)
            try await storage.flush()
            #expect(folder.files.isEmpty != isKept)
        }
    }

    @Test func `A key that is not known finds nothing and removes nothing; as a former key it finds it`() async throws {
        try await write(to: storage(key: 1))
        let stranger = try storage(key: 2)
        #expect(await content(in: stranger) == nil)
        try await stranger.compact()
        #expect(await content(in: try storage(key: 2, former: [1])) == secrets[2])
    }

    #if SQLite
    @Test func `The cache in a database does what caches have to do when it encrypts`() async throws {
        let file = folder.url.appendingPathComponent("cache.db")
        let options = try Self.options(key: 7)
        let violations = await EntityCacheConformance.violations {
            PersistentCache(SQLiteRecordStore(at: file), options: options)
        }
        #expect(violations.isEmpty)
    }

    @Test func `Nothing that was in the open is left in a database after a compaction`() async throws {
        let file = folder.url.appendingPathComponent("cache.db")
        do {
            let open = CacheStorage(SQLiteRecordStore(at: file))
            try await write(to: open)
            #expect(try bytesOnDisk().range(of: Data(secrets[2].utf8)) != nil)
        }
        let storage = CacheStorage(SQLiteRecordStore(at: file), options: try Self.options(key: 1))
        try await write(to: storage)
        try await storage.compact()
        #expect(await content(in: storage) == secrets[2])
        let bytes = try bytesOnDisk()
        for secret in secrets { #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(secret)") }
    }
    #endif

    @Test func `Sealed records that change places are misses, and open for no other key`() async throws {
        var stores: [any RecordStore] = [FileRecordStore(folder: folder.url.appendingPathComponent("files"))]
        #if SQLite
        stores.append(SQLiteRecordStore(at: folder.url.appendingPathComponent("database/cache")))
        #endif
        let options = try Self.options(key: 1)
        let keys = ["a", "b"].map { CacheKey(principal: "ada", address: $0, coding: .data) }
        for store in stores {
            let storage = CacheStorage(store, options: options)
            for key in keys { storage.write(Entity<Any>(content: Data(key.address.utf8), headers: [:]), forKey: key) }
            try await storage.flush()
            let names = try await store.allKeys()
            let records = try await store.read(names)
            #expect(records.count == 2)
            for record in records.values {
                #expect(throws: CacheRecord.Malformation.damaged) {
                    try options.sealing?.open(Data(record.dropFirst(4)), context: Data())
                }
            }
            for (name, other) in zip(names, names.reversed()) {
                try await store.apply([.write(name, try #require(records[other]))])
            }
            for key in keys {
                let found = await storage.entity(forKey: key)
                #expect(found == nil)
            }
            try await storage.compact()
            #expect(try await store.allKeys().isEmpty)
        }
    }

    @Test func `Caches of one folder share what they keep if they have the same key`() throws {
        let options = try [1, 1, 2, nil].map { try Self.options(key: $0) }
        let caches = options.map { PersistentCache.file(at: folder.url, options: $0) }
        #expect(caches[0].storage === caches[1].storage)
        #expect(caches[0].storage !== caches[2].storage)
        #expect(caches[0].storage !== caches[3].storage)
    }

    @Test func `Damaged files are misses, and never other content`() async throws {
        let mutations = TestLevel.count(30, nightly: 300, soak: 10_000)
        let options = try Self.options(key: 1)
        let result = try await DamagedStore(in: folder.url) { url in
            CacheStorage(FileRecordStore(folder: url), options: options)
        }.run(mutations: mutations, seed: TestSeed.current)
        #expect(result.wrong.isEmpty, "seed \(TestSeed.current)")
        #expect(result.unwritable == 0, "seed \(TestSeed.current)")
        #expect(result.hits > 0)
        #expect(result.misses > 0)
        TestLevel.report("encrypted file cache: \(mutations) mutations, \(result.hits) hits, \(result.misses) misses")
    }
}
#endif
