import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

@testable import SiestaCaches

/// Invalidations of data that a cache keeps on the disk.
@MainActor @Suite(.timeLimit(.test))
struct InvalidationAndCachesTests {
    private let bench = DependentService()
    private let cache = PersistentCache(MemoryRecordStore())
    private var users: Resource { bench.users }

    init() {
        let cache = cache
        bench.service.configure {
            $0.pipeline[.rawData].cacheUsing(cache)
            $0.expirationTime = 1000
        }
    }

    /// Returns the resource after it has forgotten its data and has read the cache.
    private func readAgain(_ resource: Resource) async throws -> Resource {
        try await cache.storage.flush()
        resource.wipe()
        _ = resource.latestData
        await resource.cacheIsRead()
        #expect(resource.latestData != nil)
        return resource
    }

    @Test func `The mark of an invalidation survives the way to the disk and back`() async throws {
        await bench.load(users, bench.teams)
        #expect(try await readAgain(users).isUpToDate)
        bench.clock.advance(by: 1)
        bench.service.invalidate(tagged: "users")
        #expect(try await readAgain(users).isStale)
        #expect(try await readAgain(bench.teams).isUpToDate)
        #expect(try await readAgain(users).isStale)
    }

    @Test func `New data, and a confirmation by the server, end the mark on the disk`() async throws {
        bench.network.answer(.get, "/users", with: .text("a", headers: ["ETag": "\"1\""]), .response(304), .text("b"))
        await bench.load(users)
        for text in ["a", "b"] {
            bench.clock.advance(by: 1)
            bench.service.invalidate(tagged: "users")
            bench.clock.advance(by: 1)
            await bench.load(users)
            #expect(users.isUpToDate)
            #expect(try await readAgain(users).isUpToDate)
            #expect(users.text == text)
        }
    }

    @Test func `A write with an unknown outcome leaves the mark, too`() async throws {
        await bench.load(users)
        bench.clock.advance(by: 1)
        bench.network.answer(.post, "/users", with: .failure(.networkConnectionLost))
        await users.request(.post).completion()
        #expect(try await readAgain(users).isStale)
    }

    @Test(arguments: [FreshnessRule.fixed, .http])
    func `The response to a request that is no load, and began before an invalidation, is not stored`(
        rule: FreshnessRule
    ) async throws {
        bench.service.configure { $0.freshness = rule }
        bench.network.answer(.get, "/users", with: .held)
        let request = users.request(.get)
        let exchange = try await bench.network.exchange(1)
        bench.clock.advance(by: 1)
        bench.service.invalidate(tagged: "users")
        bench.clock.advance(by: 1)
        exchange.respond(with: .text("old"))
        await request.completion()
        try await cache.storage.flush()
        #expect(await cache.entity(for: users) == nil)
    }

    @Test func `After the next start of the app, cached data counts by its age`() async throws {
        await bench.load(users)
        bench.clock.advance(by: 1)
        bench.service.invalidate(tagged: "users")
        #expect(try await readAgain(users).isStale)
        let (cache, clock) = (cache, bench.clock)
        let next = clock.whileCurrent {
            Service(baseURL: "https://api.test", standardTransformers: [.text], networking: StubNetwork())
        }
        next.configure("/users") {
            $0.tags = ["users"]
            $0.pipeline[.rawData].cacheUsing(cache)
            $0.expirationTime = 1000
        }
        let users = next.resource("/users")
        _ = users.latestData
        await users.cacheIsRead()
        #expect(users.text == "users")
        #expect(users.isUpToDate)
        clock.advance(by: 1000)
        #expect(users.isStale)
    }

    @Test func `The mark stays when a wall clock that was set back catches up`() async throws {
        await bench.load(users)
        bench.clock.advance(by: 1)
        bench.clock.setWallTime(bench.clock.wallTime - 100)
        bench.service.invalidate(tagged: "users")
        #expect(try await readAgain(users).isStale)
        bench.clock.advance(by: 102)
        #expect(try await readAgain(users).isStale)
    }
}
