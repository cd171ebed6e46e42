import Foundation
import Siesta
import SiestaStorage
import SiestaTesting
import Testing
import Waiting

/// The headers of stored data that a 304 has confirmed (RFC 9111 §4.3.4).
@MainActor @Suite(.timeLimit(.minutes(30)))
struct ConfirmedHeadersInCachesTests {
    private let cache = PersistentCache(MemoryRecordStore())
    private let network = StubNetwork()

    private func resource() -> Resource {
        let service = Service(baseURL: "https://api.test", standardTransformers: [], networking: network)
        service.configure { [cache] in $0.pipeline[.rawData].cacheUsing(cache) }
        return service.resource("/rows")
    }

    private func stored() async throws -> Entity<Any> {
        let resource = resource()
        _ = resource.latestData
        try await Poll.until { resource.latestData != nil }
        return try #require(resource.latestData)
    }

    @Test(arguments: [true, false])
    func `A 304 updates the headers of the stored entity`(isFlushed: Bool) async throws {
        let resource = resource()
        let old = ["ETag": "\"1\"", "Link": "</old>; rel=next", "X-Kept": "1", "Content-Type": "text/plain"]
        network.answer(.get, "/rows", with: .response(200, headers: old, body: Data("x".utf8)))
        await resource.load().completion()
        if isFlushed { try await cache.storage.flush() }
        let new = ["Link": "</new>; rel=next", "Content-Type": "text/html", "Set-Cookie": "a=secret"]
        network.answer(.get, "/rows", with: .response(304, headers: new))
        await resource.load().completion()
        network.answer(.get, "/rows", with: .response(304, headers: ["X-Total-Count": "7"]))
        await resource.load().completion()
        for _ in 0..<2 {
            let entity = try await stored()
            #expect(entity.header(forKey: "Link") == "</new>; rel=next" && entity.header(forKey: "X-Kept") == "1")
            #expect(entity.header(forKey: "X-Total-Count") == "7" && entity.contentType == "text/plain")
            #expect(entity.header(forKey: "Set-Cookie") == nil && entity.content as? Data == Data("x".utf8))
            try await cache.storage.flush()
        }
    }
}
