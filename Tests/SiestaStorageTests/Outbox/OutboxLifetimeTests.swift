import CacheTorture
import Foundation
import Isolation
import SiestaCore
import SiestaSessions
import SiestaTesting
import SiestaWriting
import TestKit
import Testing
import Waiting

@testable import SiestaCaches
@testable import SiestaOutboxStorage

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The beginning and the end of an outbox, and its services.
@MainActor @Suite(.timeLimit(.test))
struct OutboxLifetimeTests {
    private let app = RestartedApp()
    private let network = StubNetwork()
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    private func outbox() -> Outbox { Outbox(at: folder.url.appendingPathComponent("outbox")) }

    @Test func `An outbox that is set again keeps working`() async throws {
        let service = app.start(network, .inMemory())
        service.outbox = service.outbox
        let user = try await app.loaded(service, network)
        network.answer(.patch, "/users/1", with: .json(#"{"name": "Grace", "stars": 0}"#))
        _ = try await user.rename("Grace").request.value
        #expect(service.outbox?.entries.isEmpty == true)
    }

    @Test func `The outbox of another service keeps nothing`() async throws {
        app.connection.isConnected = false
        let service = app.start(network, .inMemory())
        let other = app.start(network, service.outbox)
        let user = try await app.loaded(other, network)
        let change = user.rename("Grace")
        await #expect(throws: RequestError.self) { _ = try await change.request.value }
        #expect(user.content?.name == "Ada")
        #expect(service.outbox?.entries.isEmpty == true)
        #expect(other.outbox == nil)
    }

    @Test func `An outbox that has ended accepts nothing, and leaves the folder to others`() async throws {
        app.connection.isConnected = false
        let service = app.start(network, outbox())
        let user = try await app.loaded(service, network)
        let change = user.rename("Grace")
        let id = try #require(change.entryID)
        let old = try #require(service.outbox)
        try await change.accepted()
        service.outbox = nil
        await old.close()
        await #expect(throws: (any Error).self) { try await old.drop(id) }
        await #expect(throws: (any Error).self) { try await old.edit(id) { _ in } }
        await #expect(throws: (any Error).self) { try await old.discardUnreadable() }
        service.outbox = old
        await #expect(throws: RequestError.self) { _ = try await user.rename("Edith").request.value }
        service.outbox = outbox()
        await service.outbox?.isLoaded()
        #expect(service.outbox?.failure == nil)
        #expect(service.outbox?.entries.map(\.id) == [id])
    }

    @Test func `A change that is made before the outbox has ended is stored, or fails`() async throws {
        let network = network
        app.connection.isConnected = false
        let service = app.start(network, outbox())
        let user = try await app.loaded(service, network)
        let change = user.rename("Grace")
        service.outbox = nil
        try await change.accepted()
        await #expect(throws: RequestError.self) { _ = try await change.request.value }
        #expect(user.content?.name == "Ada")
    }

    @Test func `An edit that ends the outbox ends its change, too`() async throws {
        app.connection.isConnected = false
        let service = app.start(network, outbox())
        let user = try await app.loaded(service, network)
        for count in [1, 2] {
            service.outbox = .inMemory()
            var left = count
            let change = user.mutate(.patch, body: .encoded(["name": "Grace"]), durable: true) { user in
                left -= 1
                if left == 0 { service.outbox = nil }
                user.name = "Grace"
            }
            await #expect(throws: RequestError.self) { _ = try await change.value }
            #expect(user.content?.name == "Ada")
            #expect(!user.resource.isOptimistic)
        }
    }

    @Test func `A service that is released leaves its folder to the next one`() async throws {
        app.connection.isConnected = false
        weak var released: Service?
        weak var context: ResourceContext?
        do {
            let service = app.start(network, outbox())
            let user = try await app.loaded(service, network)
            try await user.rename("Grace").accepted()
            await service.outbox?.settled()
            (released, context) = (service, service.context)
        }
        try await Poll.until { released == nil && context == nil }
        let service = app.start(network, outbox())
        await service.outbox?.isLoaded()
        #expect(service.outbox?.failure == nil)
        #expect(service.outbox?.entries.count == 1)
    }

    @Test func `Whoever waits for an outbox goes on when it ends`() async throws {
        let service = app.start(network, outbox())
        let user = try await app.loaded(service, network)
        let outbox = try #require(service.outbox)
        network.answer(.patch, "/users/1", with: .held)
        let change = user.rename("Grace")
        _ = try await network.exchange(2)
        let settled = Task { await outbox.settled() }
        await Task.yield()
        await outbox.close()
        await settled.value
        await #expect(throws: RequestError.self) { _ = try await change.request.value }
    }

    @Test func `Whoever waits for a change goes on when its principal signs out`() async throws {
        app.connection.isConnected = false
        let session = app.clock.whileCurrent { UserSession(BearerToken()) }
        let service = app.start(network, .inMemory()) { $0.authenticate(sharing: session) }
        try await session.signIn("ada", with: Credential("A"))
        let user = try await app.loaded(service, network)
        let change = user.rename("Grace")
        try await change.accepted()
        let waiting = Task { _ = try await change.request.value }
        await session.signOut()
        await #expect(throws: RequestError.self) { try await waiting.value }
        #expect(service.outbox?.entries.count == 1)
    }

    @Test func `A change that is made while the outbox is read is shown over the earlier ones`() async throws {
        app.connection.isConnected = false
        let store = FaultyOutboxStore(.inMemory())
        let first = app.start(network, Outbox(store))
        let earlier = try await app.loaded(first, network).rename("Earlier")
        try await earlier.accepted()
        await first.outbox?.close()

        let service = app.start(network, nil)
        let user = try await app.loaded(service, network)
        service.outbox = Outbox(store)
        let later = user.rename("Later")
        #expect(user.content?.name == "Later")
        try await later.accepted()
        #expect(user.content?.name == "Later")
        #expect(user.resource.pendingChanges.map(\.entryID) == [earlier.entryID, later.entryID])
    }

    @Test func `An outbox that ends while a change is sent leaves stale data`() async throws {
        let service = app.start(network, .inMemory())
        let user = try await app.loaded(service, network)
        network.answer(.patch, "/users/1", with: .held)
        user.rename("Grace")
        _ = try await network.exchange(2)
        await service.outbox?.close()
        #expect(user.content?.name == "Ada")
        #expect(user.isStale)
    }

    @Test func `A confirmed change of an earlier process ends if the outbox ends while its data is read`() async throws
    {
        let (store, cache) = (RecordOutboxStore.inMemory(), InMemoryCache())
        func start() -> Service {
            app.start(network, Outbox(store)) { $0.configure { $0.pipeline[.model].cacheUsing(cache) } }
        }
        app.connection.isConnected = false
        let first = start()
        try await app.loaded(first, network).rename("Grace").accepted()
        await first.outbox?.close()
        try await Poll.until { !cache.entities.isEmpty }
        let release = cache.holdReads()
        network.answer(.patch, "/users/1", with: .response(204))
        app.connection.isConnected = true
        let second = start()
        let user: TypedResource<DurableUser> = second.resource("/users/1").typed()
        try await Poll.until { user.resource.pendingChanges.first?.state == .settling }
        await second.outbox?.close()
        for _ in 0..<9 { release() }
        try await Poll.until { user.resource.pendingChanges.isEmpty && user.content != nil }
        #expect(user.content?.name == "Grace")
        #expect(user.isStale)
    }
}
