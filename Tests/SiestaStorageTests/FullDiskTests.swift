#if os(Linux)
import CacheTorture
import Foundation
import SiestaTesting
import TestKit
import Testing

import SiestaCore
@testable import SiestaCaches

/// A cache on a full disk: a small file system in memory. Needs the permission to mount.
@Suite(.serialized, .enabled(if: SmallDisk.isPossible, "mounting is not permitted"), .timeLimit(.test))
struct FullDiskTests {
    private let disk: SmallDisk

    init() throws {
        disk = try SmallDisk()
    }

    private func storage(_ durability: EntityCacheOptions.Durability = .onFlush) -> CacheStorage {
        CacheStorage(FileRecordStore(folder: disk.folder.url.appendingPathComponent("cache"), durability: durability))
    }

    private func key(_ number: Int) -> CacheKey {
        CacheKey(principal: "", address: "\(number)", coding: .data)
    }

    private func entity(_ number: Int, count: Int) -> Entity<Any> {
        Entity<Any>(content: Data(repeating: UInt8(number), count: count), headers: [:], timestamp: 1)
    }

    private func read(_ storage: CacheStorage, _ number: Int) async -> Data? {
        await storage.entity(forKey: key(number))?.content as? Data
    }

    @Test(arguments: [EntityCacheOptions.Durability.onFlush, .everyWrite])
    func `What does not fit is lost, and nothing else; when there is room again, the cache goes on`(
        durability: EntityCacheOptions.Durability
    ) async throws {
        let storage = storage(durability)
        for number in 0..<200 { storage.write(entity(number, count: 10_000), forKey: key(number)) }
        await #expect(throws: FileSystemError.self) { try await storage.flush() }
        #expect(await storage.statistics().failures > 0)
        var kept = 0
        for number in 0..<200 {
            guard let content = await read(storage, number) else { continue }
            kept += 1
            #expect(content == Data(repeating: UInt8(number), count: 10_000))
        }
        #expect(kept > 5)
        #expect(kept < 100)
        #expect(await read(storage, 0) != nil)

        storage.write(entity(1, count: 20_000), forKey: key(0))
        await #expect(throws: FileSystemError.self) { try await storage.flush() }
        #expect(await read(storage, 0) == nil, "The older record is outdated.")
        #expect(await read(self.storage(), 0) == nil, "It is not there any more.")

        try await storage.clear()
        storage.write(entity(1, count: 20_000), forKey: key(0))
        try await storage.flush()
        #expect(await read(storage, 0)?.count == 20_000)
    }

    @Test func `A cache that keeps to its limit never fills the disk`() async throws {
        var options = EntityCacheOptions()
        options.byteLimit = 300_000
        let url = disk.folder.url.appendingPathComponent("cache")
        let storage = CacheStorage(FileRecordStore(folder: url, limits: options.storeLimits), options: options)
        for number in 0..<200 {
            storage.write(entity(number, count: 10_000), forKey: key(number))
            try await storage.flush()
        }
        #expect(await read(storage, 199) != nil)
        #expect(await storage.statistics().failures == 0)
    }

    @Test func `A disk that can only be read is a cache that keeps nothing new`() async throws {
        let writing = storage()
        writing.write(entity(1, count: 100), forKey: key(1))
        try await writing.flush()
        try await disk.makeReadOnly()
        let storage = storage()
        #expect(await read(storage, 1)?.count == 100)
        storage.write(entity(2, count: 100), forKey: key(2))
        storage.remove(key(1))
        await #expect(throws: FileSystemError.self) { try await storage.flush() }
        await #expect(throws: FileSystemError.self) { try await storage.clear() }
        #expect(await read(storage, 1) == nil, "What could not be removed is not seen again.")
        #expect(await read(storage, 2) == nil)
    }
}
#endif
