import CacheTorture
import Foundation
import SiestaCaches
import SiestaCore
import SiestaTesting
import TestKit
import Testing

/// The conformance suites of `SiestaTesting`, run on the caches and stores of the library.
@MainActor @Suite(.timeLimit(.model))
struct CacheConformanceTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    @Test func `The store in memory does what stores have to do`() async {
        let violations = await RecordStoreConformance.violations(outlivesInstances: false) {
            MemoryRecordStore(limits: $0)
        }
        #expect(violations.isEmpty)
    }

    @Test(arguments: [EntityCacheOptions.Durability.onFlush, .everyWrite].prefix(TestLevel.count(1, nightly: 2)))
    func `The store of files does what stores have to do`(durability: EntityCacheOptions.Durability) async {
        let url = folder.url
        let violations = await RecordStoreConformance.violations {
            FileRecordStore(folder: url, limits: $0, durability: durability)
        }
        #expect(violations.isEmpty)
    }

    @Test func `The cache in memory does what caches have to do`() async {
        let cache = PersistentCache(MemoryRecordStore())
        #expect(await EntityCacheConformance.violations { cache }.isEmpty)
    }

    @Test func `The cache of files does what caches have to do`() async {
        let url = folder.url
        let violations = await EntityCacheConformance.violations {
            PersistentCache(FileRecordStore(folder: url))
        }
        #expect(violations.isEmpty)
    }

    @Test func `The cache of files does what caches have to do when it encrypts`() async {
        let url = folder.url
        let violations = await EntityCacheConformance.violations {
            var options = EntityCacheOptions()
            options.sealing = TestSealing(key: 42)
            return PersistentCache(FileRecordStore(folder: url), options: options)
        }
        #expect(violations.isEmpty)
    }

    private enum First {
        struct Item: Codable { var name: String? }
    }
    private enum Second {
        struct Item: Codable { var title: String? }
    }

    @Test func `Types of one name are kept apart, and their names are the same in every process`() async {
        let cache = PersistentCache.file(at: folder.url)
        let (first, second) = (cache.of(First.Item.self), cache.of(Second.Item.self))
        let resource = Service(baseURL: "http://cache.test", networking: StubNetwork()).resource("/x")
        first.write(Entity<Any>(content: First.Item(name: "n"), headers: [:]), for: resource)
        #expect(await second.entity(for: resource) == nil)
        second.remove(for: resource)
        #expect(await first.entity(for: resource)?.content is First.Item)
        #expect(ContentCodec.codable(First.Item.self).name == "SiestaStorageTests.CacheConformanceTests.First.Item")
    }

    @Test(arguments: BrokenCache.Defect.allCases)
    func `A broken cache is caught`(defect: BrokenCache.Defect) async {
        let cache = BrokenCache(defect)
        let violations = await EntityCacheConformance.violations { cache }
        #expect(violations.isEmpty == (defect == .none), "\(violations)")
    }

    @Test(arguments: BrokenStore.Defect.allCases)
    func `A broken store is caught`(defect: BrokenStore.Defect) async {
        let place = BrokenStore.Place()
        let violations = await RecordStoreConformance.violations { BrokenStore(defect, at: place, limits: $0) }
        #expect(violations.isEmpty == (defect == .none), "\(violations)")
    }
}
