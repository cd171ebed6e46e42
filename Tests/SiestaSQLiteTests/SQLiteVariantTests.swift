#if SQLite
import CacheTorture
import Foundation
import SiestaSQLite
import SiestaStorage
import Testing

/// Two processes with one database.
@Suite(.timeLimit(.minutes(30)))
struct SQLiteVariantTests {
    @Test func `Two storages on one file see each other's variants, confirmations and removals`() async throws {
        let folder = try TestFolder()
        let file = folder.url.appendingPathComponent("cache")
        let place = SharedPlace(
            CacheStorage(SQLiteRecordStore(at: file)), CacheStorage(SQLiteRecordStore(at: file)))
        #expect(try await place.violations() == [])
    }
}
#endif
