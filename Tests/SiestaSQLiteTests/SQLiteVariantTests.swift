#if SQLite
import CacheTorture
import Foundation
import SiestaCaches
import SiestaSQLite
import TestKit
import Testing

/// Two processes with one database.
@Suite(.timeLimit(.test))
struct SQLiteVariantTests {
    @Test func `Two storages on one file see each other's variants, confirmations and removals`() async throws {
        let folder = try TestFolder()
        let file = folder.url.appendingPathComponent("cache")
        let place = SharedPlace(
            CacheStorage(SQLiteRecordStore(at: file)), CacheStorage(SQLiteRecordStore(at: file)))
        #expect(try await place.violations() == [])
    }

    @Test func `A process sees the variants and confirmations of another process`() async throws {
        let folder = try TestFolder()
        let path = folder.path + "/cache"
        let storage = CacheStorage(SQLiteRecordStore(at: URL(fileURLWithPath: path)))
        let violations = try await SharedPlace(storage, storage).violations(afterChange: {
            await #expect(processExitsWith: .success) { [path = path as String] in
                try await SharedPlace.change(CacheStorage(SQLiteRecordStore(at: URL(fileURLWithPath: path))))
            }
        })
        #expect(violations == [])
    }
}
#endif
