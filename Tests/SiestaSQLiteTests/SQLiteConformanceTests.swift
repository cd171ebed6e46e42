#if SQLite
import CacheTorture
import Foundation
import SiestaCaches
import SiestaCore
import SiestaTesting
import TestKit
import Testing

@testable import SiestaSQLite

/// The conformance suites of `SiestaTesting`, run on the store and the cache in a database.
@MainActor @Suite(.timeLimit(.model))
struct SQLiteConformanceTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    private var file: URL { folder.url.appendingPathComponent("cache") }

    @Test(arguments: [EntityCacheOptions.Durability.onFlush, .everyWrite])
    func `The store does what stores have to do`(durability: EntityCacheOptions.Durability) async {
        let file = file
        let violations = await RecordStoreConformance.violations {
            SQLiteRecordStore(at: file, limits: $0, durability: durability)
        }
        #expect(violations.isEmpty)
    }

    @Test func `The cache does what caches have to do`() async {
        let file = file
        let violations = await EntityCacheConformance.violations {
            PersistentCache(SQLiteRecordStore(at: file))
        }
        #expect(violations.isEmpty)
    }
}
#endif
