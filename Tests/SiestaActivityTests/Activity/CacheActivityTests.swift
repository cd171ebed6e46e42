import Foundation
import SiestaActivity
import SiestaCaches
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The events of caches.
@MainActor @Suite(.timeLimit(.test))
struct CacheActivityTests {
    private let network = StubNetwork()

    private func service(_ cache: InMemoryCache) -> Service {
        let service = Service(baseURL: "https://api.test", networking: network)
        service.configure("/user") { $0.pipeline[.rawData].cacheUsing(cache) }
        return service
    }

    @Test func `Reads and writes of caches are events with the stage`() async throws {
        network.answer(.get, "/user", with: .text("Ada"))
        let cache = InMemoryCache()
        let writer = service(cache)
        let activity = writer.activity
        await writer.resource("/user").load().completion()
        let written = await uses(activity, count: 2)
        #expect(Set(written) == ["miss ?", "write rawData"])
        let reader = service(cache)
        let read = reader.activity
        _ = reader.resource("/user").latestData
        #expect(await uses(read, count: 1) == ["hit rawData"])
    }

    /// A cache that calls a closure of the app when it is next asked for a key.
    private final class AskingCache: EntityCache {
        let content = InMemoryCache()
        @MainActor var onKey: (() -> Void)?

        @MainActor init() {}

        @MainActor func key(for resource: Resource) -> String? {
            onKey.take()?()
            return content.key(for: resource)
        }

        func readEntity(forKey key: String) -> Entity<Any>? { content.readEntity(forKey: key) }
        func writeEntity(_ entity: Entity<Any>, forKey key: String) { content.writeEntity(entity, forKey: key) }
        func removeEntity(forKey key: String) { content.removeEntity(forKey: key) }
    }

    @Test func `A read goes on with its own transformers if the cache changes the configuration`() async throws {
        let (cache, service) = (AskingCache(), Service(baseURL: "https://api.test", networking: network))
        service.configure("/user") { $0.pipeline[.parsing].cacheUsing(cache) }
        service.configureTransformer("/user") { (entity: Entity<String>) in entity.content.count }
        let resource = service.resource("/user")
        cache.content.entities[resource.url.absoluteString] = Entity(content: "Ada", contentType: "text/plain")
        cache.onKey = { service.configure("/user") { $0.pipeline[.model].removeTransformers() } }
        let activity = service.activity
        #expect(try await resource.get(.cached).content as? Int == 3)
        #expect(cache.onKey == nil)
        var stages: [String] = []
        for await event in activity {
            if case .transformed(let stage, _, _, _) = event.kind { stages.append(stage) }
            if case .cache = event.kind { break }
        }
        #expect(stages == ["model"])
    }

    private func uses(_ activity: some AsyncSequence<ActivityEvent, Never>, count: Int) async -> [String] {
        var found: [String] = []
        for await event in activity {
            guard case .cache(let operation, let stage, _) = event.kind else { continue }
            found.append("\(operation) \(stage ?? "?")")
            if found.count == count { break }
        }
        return found
    }

    @Test func `The explanation knows that another variant is first looked for in the cache`() async throws {
        let (cache, service) = (
            PersistentCache(MemoryRecordStore()), Service(baseURL: "https://api.test", networking: network)
        )
        var language = ""
        service.configure {
            $0.freshness = .http
            $0.headers["Accept-Language"] = language
            $0.pipeline[.rawData].cacheUsing(cache)
        }
        network.handler = { request in
            .text(
                request.value(forHTTPHeaderField: "Accept-Language") ?? "",
                headers: ["Vary": "Accept-Language", "Cache-Control": "max-age=60"])
        }
        let user = service.resource("/user")
        for next in ["de", "en"] {
            language = next
            service.invalidateConfiguration()
            await user.load().completion()
            await user.cacheIsRead()
            try await cache.storage.flush()
        }
        language = "de"
        service.invalidateConfiguration()
        #expect(user.explain().next == .waitForCache)
        await user.loadIfNeeded()?.completion()
        #expect(user.text == "de")
        #expect(network.requests.count == 2)
        language = "fr"
        service.invalidateConfiguration()
        await user.loadIfNeeded()?.completion()  // The cache has no such variant.
        #expect(network.requests.count == 3)
    }
}
