import Dispatch
import Foundation
import LoopbackServer
import SiestaCore
import SiestaRetrying
import SiestaSessions
import SiestaTesting
import SiestaTransfers
import TestDoubles
import TestKit
import Testing
import Waiting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What a change of the user means for caches of the app, origins and streams.
@MainActor @Suite(.timeLimit(.test))
struct PrincipalChangeTests {
    private let signing = SigningService()
    private let cache = QueuedCache()

    private func signIn(_ name: String) async throws {
        signing.accepted.insert(name)
        try await signing.service.signIn(name, with: Credential(name))
    }

    /// A cache of an app that knows nothing of users.
    private final class QueuedCache: EntityCache {
        let workQueue = DispatchQueue(label: "cache without users")
        private let content = InMemoryCache()

        var entities: [String: Entity<Any>] { content.entities }

        func key(for resource: Resource) -> String? { content.key(for: resource) }
        func readEntity(forKey key: String) -> Entity<Any>? { content.readEntity(forKey: key) }
        func writeEntity(_ entity: Entity<Any>, forKey key: String) { content.writeEntity(entity, forKey: key) }
        func removeEntity(forKey key: String) { content.removeEntity(forKey: key) }

        /// Waits until the work of some resources is complete.
        @MainActor func settle() async {
            for _ in 0..<12 {
                await withCheckedContinuation { continuation in workQueue.async { continuation.resume() } }
                await mainQueueTurn()
            }
        }
    }

    private func addCache() {
        let cache = cache
        signing.service.configure { $0.pipeline[.rawData].cacheUsing(cache) }
    }

    @Test func `A cache of the app keeps the data of the user for the next launch`() async throws {
        let (store, cache) = (TestCredentialStore(), InMemoryCache())
        store.stored = StoredCredential(principal: "ada", credential: Credential("ada"))
        let signing = SigningService(credentials: store)
        signing.service.configure { $0.pipeline[.rawData].cacheUsing(cache) }
        cache.entities[signing.resource.url.absoluteString] = Entity(
            content: Data("old".utf8), headers: ["Content-Type": "text/plain"], timestamp: signing.clock.wallTime - 10)
        #expect(try await signing.resource.get(.cached).content as? String == "old")
    }

    @Test func `A cache of the app keeps what is the same for all users`() async throws {
        addCache()
        signing.service.configure("/public/**") { $0.isPersonal = false }
        try await signIn("ada")
        let shared = signing.service.resource("/public/x")
        await shared.load().completion()
        try await Poll.until { cache.entities.count == 1 }
        signing.clock.advance(by: 1)
        try await signIn("bob")
        shared.wipe()
        #expect(try await shared.get(.cached).content as? String == "for ada")
    }

    @Test func `A cache of the app shows the next user nothing of the last`() async throws {
        addCache()
        try await signIn("ada")
        await signing.resource.load().completion()
        try await Poll.until { cache.entities.count == 1 }
        signing.clock.advance(by: 1)
        try await signIn("bob")
        _ = signing.resource.latestData
        await cache.settle()
        #expect(signing.resource.latestData == nil)
    }

    @Test func `A write that a cache of the app has not begun does not come after the change of the user`() async throws
    {
        addCache()
        try await signIn("ada")
        cache.workQueue.suspend()
        await signing.resource.load().completion()
        try await signIn("bob")
        cache.workQueue.resume()
        await cache.settle()
        #expect(cache.entities.isEmpty)
        #expect(signing.resource.latestData == nil)
    }

    @Test func `A server that has asked one user to wait receives the requests of the next`() async throws {
        let signing = SigningService { $0.pacing.followsServer = true }
        try await signing.service.signIn("ada", with: Credential("ada"))
        signing.network.handler = { _ in .response(503, headers: ["Retry-After": "20"]) }
        await signing.resource.load().completion()
        let held = signing.service.resource("/held").request(.get)
        await signing.settle()
        #expect(signing.tokens == ["ada"])
        #expect(!held.isCompleted)
        try await signing.service.signIn("bob", with: Credential("bob"))
        signing.network.handler = { _ in .text("x") }
        await signing.resource.request(.get).completion()
        #expect(held.isCompleted)
        #expect(signing.tokens == ["ada", "bob"])
    }

    @Test func `A stream that is the same for all users goes on`() async throws {
        let gate = Gate()
        let server = try LoopbackServer { exchange in
            try exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\na")
            try exchange.wait(for: gate)
            try exchange.send("b")
        }
        let service = Service(baseURL: server.url())
        service.authenticate(with: BearerToken())
        service.configure("/public/**") { $0.isPersonal = false }
        try await service.signIn("ada", with: Credential("ada"))
        var bytes = service.resource("/public/a").bytes.makeAsyncIterator()
        #expect(try await bytes.next() == Data("a".utf8))
        try await service.signIn("bob", with: Credential("bob"))
        gate.open()
        #expect(try await bytes.next() == Data("b".utf8))
    }
}
