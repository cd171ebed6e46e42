import CacheTorture
import Foundation
import Siesta
import SiestaTesting
import Testing

/// Caches whose callers occupy all available threads.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct BusyCacheTests {
    /// An app's cache that passes all operations to a cache of the library.
    private struct Wrapper: EntityCache {
        let inner: FileEntityCache

        func key(for resource: Resource) -> StoredEntityKey? { inner.key(for: resource) }
        func readEntity(forKey key: StoredEntityKey) -> Entity<Any>? { inner.readEntity(forKey: key) }
        func writeEntity(_ entity: Entity<Any>, forKey key: StoredEntityKey) { inner.writeEntity(entity, forKey: key) }
        func removeEntity(forKey key: StoredEntityKey) { inner.removeEntity(forKey: key) }
    }

    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    @Test func `Those who wait for a cache on all threads of the pool get their answers`() async {
        let cache = FileEntityCache(at: folder.url)
        let key = StoredEntityKey(principal: "", address: "a", coding: .data)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        DispatchQueue.global(qos: .userInitiated).async {
                            _ = cache.readEntity(forKey: key)
                            continuation.resume()
                        }
                    }
                }
            }
        }
    }

    @Test func `A cache that asks another does what caches have to do`() async {
        let url = folder.url
        let violations = await EntityCacheConformance.violations(settle: { try await $0.inner.storage.flush() }) {
            Wrapper(inner: FileEntityCache(at: url))
        }
        #expect(violations.isEmpty)
    }

    @Test func `More resources than the system has threads wait for one cache`() async {
        let wrapper = Wrapper(inner: FileEntityCache(at: folder.url))
        let service = Service(baseURL: "http://cache.test", networking: StubNetwork())
        service.cachedResourceCountLimit = 5000
        service.configure { $0.pipeline[.rawData].cacheUsing(wrapper) }
        let resources = (0..<1000).map { service.resource("/\($0)") }
        #expect(await service.warm(resources) == 0)
    }
}
