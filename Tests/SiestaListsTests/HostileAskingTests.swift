import Foundation
import Isolation
import SiestaCore
import SiestaLists
import SiestaRetrying
import SiestaTesting
import TestDoubles
import TestKit
import Testing
import Waiting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Requests for data at the wrong time: after invalidations, in cancelled tasks, beside waits, and at impossible times.
@MainActor @Suite(.timeLimit(.test))
struct HostileAskingTests {
    private let stub = StubbedResource()
    private var resource: Resource { stub.resource }
    private var service: Service { stub.service }

    @Test func `After an invalidation, no caller waits for an old load`() async throws {
        let bench = DependentService()
        let users = bench.users
        bench.network.answer(.get, "/users", with: .held)
        let old = users.load()
        #expect(users.loadIfNeeded() === old)
        bench.service.invalidate(tagged: "users")
        let waiting = Task { try await users.get().content as? String }
        try await Poll.until { bench.network.exchanges.count == 2 }
        let new = try #require(users.loadIfNeeded())
        #expect(new !== old)
        #expect(users.joinLoad() === new)
        bench.network.exchanges[0].respond(with: .text("old"))
        await old.completion()
        #expect(users.isStale)
        #expect(users.loadIfNeeded() === new)
        bench.network.exchanges[1].respond(with: .text("new"))
        #expect(try await waiting.value == "new")
        #expect(users.isUpToDate)
        #expect(bench.network.exchanges.count == 2)
    }

    @Test func `After an invalidation, a cancelled task starts no load beside an old load`() async throws {
        let bench = DependentService()
        let users = bench.users
        bench.network.answer(.get, "/users", with: .held)
        users.load()
        bench.service.invalidate(tagged: "users")
        let task = Task { _ = try await users.get() }
        task.cancel()
        await #expect(throws: RequestError.self) { try await task.value }
        #expect(bench.network.exchanges.count == 1)
    }

    @Test func `The wait for a cache ends with its task`() async throws {
        let cache = InMemoryCache()
        let release = cache.holdReads()
        let server = PagedServer(1...3)
        for service in [service, server.service] { service.configure { $0.pipeline[.cleanup].cacheUsing(cache) } }
        let (resource, list) = (resource, server.list())
        let tasks = [Task { _ = (try? await resource.get(.cached)) }, Task { await list.loadCachedPages() }]
        try await Poll.until { cache.operations.count == 2 }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
        #expect(resource.latestData == nil)
        #expect(!list.isLoading)
        #expect(list.pages.count == 1)
        for _ in 0..<2 { release() }
    }

    @Test func `A replacement ends waits for retries and for the network, and leaves writes alone`() async throws {
        let trying = TryingService {
            $0.retry = .standard
            $0.offline = .wait(upTo: 100)
        }
        let resource = trying.resource
        trying.network.handler = { $0.httpMethod == "POST" ? .held : .response(503) }
        let write = resource.request(.post)
        let first = resource.load()
        await trying.settle()
        #expect(resource.retry != nil)
        #expect(resource.joinLoad() === first)
        trying.status.isConnected = false
        trying.network.handler = { _ in .failure(.cannotConnectToHost) }
        first.cancel()
        let second = resource.load()
        #expect(resource.retry == nil)
        try await Poll.until { resource.retry?.reason == .offline }
        #expect(resource.joinLoad() === second)
        trying.network.handler = { _ in .text("a") }
        second.cancel()
        let third = resource.load()
        #expect(resource.retry == nil)
        #expect(await third.completion().failure == nil)
        #expect(!write.isCompleted)
    }

    @Test func `A cache whose keys contain only the method of the loads is not used`() async {
        let cache = MethodCache()
        service.configure { $0.pipeline[.cleanup].cacheUsing(cache) }
        stub.network.handler = { .text(String(decoding: $0.httpBody ?? Data(), as: UTF8.self)) }
        let (one, two) = (
            service.resource("/s", loadedBy: .post, body: .json(["a": 1])),
            service.resource("/s", loadedBy: .post, body: .json(["a": 2]))
        )
        await one.load().completion()
        #expect((try? await two.get(.cached)) == nil)
        #expect(cache.entities.withLock { $0.isEmpty })
    }

    private struct MethodCache: EntityCache {
        let entities = Locked<[String: UncheckedSendable<Entity<Any>>]>([:])

        @MainActor func key(for resource: Resource) -> String? {
            resource.identifier.split(separator: " ").prefix(2).joined(separator: " ")
        }

        func readEntity(forKey key: String) -> Entity<Any>? { entities.withLock { $0[key] }?.value }

        func writeEntity(_ entity: Entity<Any>, forKey key: String) {
            let entity = UncheckedSendable(entity)
            entities.withLock { $0[key] = entity }
        }

        func removeEntity(forKey key: String) { entities.withLock { $0[key] = nil } }
    }

    @Test(arguments: [Double.nan, -.infinity])
    func `A seed with a time replaces a seed without a valid time`(_ time: Double) {
        let user = resource.typed(as: String.self)
        service.seed("old", for: user, timestamp: time)
        service.seed("new", for: user)
        #expect(user.content == "new")
        #expect(resource.isUpToDate)
    }
}
