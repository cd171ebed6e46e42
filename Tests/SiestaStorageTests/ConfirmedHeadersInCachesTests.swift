import Foundation
import SiestaCaches
import SiestaCore
import SiestaTesting
import TestKit
import Testing
import Waiting

/// The headers of stored data that a 304 has confirmed (RFC 9111 §4.3.4).
@MainActor @Suite(.timeLimit(.test))
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
            #expect(entity.header(forKey: "Link") == "</new>; rel=next")
            #expect(entity.header(forKey: "X-Kept") == "1")
            #expect(entity.header(forKey: "X-Total-Count") == "7")
            #expect(entity.contentType == "text/plain")
            #expect(entity.header(forKey: "Set-Cookie") == nil)
            #expect(entity.content as? Data == Data("x".utf8))
            try await cache.storage.flush()
        }
    }

    // MARK: Responses with status 200 and the same bytes

    private func detecting(_ stage: PipelineStageKey = .rawData) -> Resource {
        let resource = resource()
        resource.service.configure { [cache] in
            $0.changeDetection = .bytes
            $0.pipeline[stage].cacheUsing(cache)
        }
        return resource
    }

    private func load(_ resource: Resource, _ headers: [String: String], status: Int = 200) async -> ResponseInfo {
        let body = Data(status == 200 ? "x".utf8 : "".utf8)
        network.answer(.get, "/rows", with: .response(status, headers: headers, body: body))
        return await resource.load().completion()
    }

    @Test(arguments: [true, false], [PipelineStageKey.rawData, .cleanup])
    func `A response that is not new updates and removes the headers of the stored entity`(
        isFlushed: Bool, stage: PipelineStageKey
    ) async throws {
        let resource = detecting(stage)
        let old = ["ETag": "\"1\"", "Link": "</old>; rel=next", "X-Kept": "1", "X-Gone": "1"]
        _ = await load(resource, old)
        if isFlushed { try await cache.storage.flush() }
        let new = ["ETag": "\"2\"", "Link": "</new>; rel=next", "X-Kept": "1"]
        #expect(await load(resource, new).isNew == false)
        for _ in 0..<2 {
            let entity = try #require((try? await detecting(stage).get(.cached)))
            #expect(entity.header(forKey: "Link") == "</new>; rel=next")
            #expect(entity.etag == "\"2\"")
            #expect(entity.header(forKey: "X-Kept") == "1")
            #expect(entity.header(forKey: "X-Gone") == nil)
            try await cache.storage.flush()
        }
        #expect(await load(resource, [:]).isNew == false)
        for _ in 0..<2 {
            let entity = try #require((try? await detecting(stage).get(.cached)))
            #expect(entity.header(forKey: "Link") == nil)
            #expect(entity.etag == nil)
            try await cache.storage.flush()
        }
    }

    @Test(arguments: [true, false])
    func `A response that is not new and adds a Vary belongs to its request only`(isFlushed: Bool) async throws {
        func resource(_ language: String) -> Resource {
            let resource = detecting()
            resource.service.configure { $0.headers["Accept-Language"] = language }
            return resource
        }
        let german = resource("de")
        _ = await load(german, ["ETag": "\"1\""])
        if isFlushed { try await cache.storage.flush() }
        #expect(await load(german, ["ETag": "\"2\"", "Vary": "Accept-Language"]).isNew == false)
        for _ in 0..<2 {
            #expect((try? await resource("de").get(.cached))?.etag == "\"2\"")
            #expect((try? await resource("fr").get(.cached)) == nil)
            try await cache.storage.flush()
        }
    }

    @Test(arguments: [true, false])
    func `The stored timestamp advances although each response has another validator`(isFlushed: Bool) async throws {
        let resource = detecting()
        var earlier = 0.0
        for number in 0..<4 {
            earlier = resource.latestData?.timestamp ?? 0
            _ = await load(resource, ["ETag": "\"\(number)\""])
            if isFlushed || number == 0 { try await cache.storage.flush() }
        }
        for _ in 0..<2 {
            let entity = try #require((try? await detecting().get(.cached)))
            #expect(entity.etag == "\"3\"")
            #expect(entity.timestamp > earlier)
            try await cache.storage.flush()
        }
    }

    @Test(arguments: [200, 304])
    func `A response that forbids storing removes the stored entity`(status: Int) async {
        let resource = detecting()
        _ = await load(resource, ["ETag": "\"1\""])
        #expect((try? await detecting().get(.cached)) != nil)
        #expect(await load(resource, ["ETag": "\"1\"", "Cache-Control": "no-store"], status: status).isNew == false)
        #expect((try? await detecting().get(.cached)) == nil)
    }
}
