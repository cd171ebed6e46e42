import CacheTorture
import Foundation
import SiestaCaches
import SiestaCore
import SiestaTesting
import TestKit
import Testing

/// The principal whose data is shown, and changes of the principal while requests and reads are in progress.
@MainActor @Suite(.timeLimit(.test))
struct PartitionedCacheTests {
    /// The user who is logged in.
    @MainActor
    private final class Session: Sendable {
        var user: String? = "ada"
    }

    private let clock = TestClock()
    private let network = StubNetwork()
    private let session = Session()
    private let store = RecordingStore()
    private let storage: PersistentCache
    private let service: Service

    init() {
        let (network, session) = (network, session)
        storage = PersistentCache(store).partitioned { session.user }
        let cache = storage
        service = clock.whileCurrent { Service(baseURL: "http://cache.test", networking: network) }
        service.configure { $0.pipeline[.rawData].cacheUsing(cache) }
    }

    private var resource: Resource { service.resource("/x") }

    /// Returns the content that a user without data in memory finds in the caches.
    private func found(by user: String?) async -> String {
        session.user = user
        resource.wipe()
        network.answer(.get, "/x", with: .failure(.notConnectedToInternet))
        await resource.loadIfNeeded()?.completion()
        return resource.text
    }

    @Test func `Another principal means another view, and back again`() async {
        network.answer(.get, "/x", with: .text("Ada's"))
        await resource.load().completion()
        #expect(await found(by: "bob").isEmpty)
        #expect(await found(by: "ada") == "Ada's")
        #expect(await found(by: nil).isEmpty)
    }

    @Test func `Who logs in after the first look finds what is theirs`() async throws {
        network.answer(.get, "/x", with: .text("Ada's"))
        await resource.load().completion()
        network.answer(.get, "/x", with: .failure(.notConnectedToInternet))
        session.user = nil
        resource.wipe()
        #expect(resource.latestData == nil)
        #expect(await service.warm([resource]) == 0)
        session.user = "ada"
        #expect(await service.warm([resource]) == 1)
        #expect(resource.text == "Ada's")
    }

    @Test func `Without a principal nothing is stored`() async throws {
        session.user = nil
        network.answer(.get, "/x", with: .text("nobody's"))
        await resource.load().completion()
        try await storage.storage.flush()
        #expect(try await store.allKeys().isEmpty)
    }

    @Test func `A response that was asked for under another principal is not stored`() async throws {
        network.answer(.get, "/x", with: .held)
        let load = resource.load()
        session.user = "bob"
        network.lastExchange?.respond(with: .text("Ada's"))
        await load.completion()
        try await storage.storage.flush()
        #expect(try await store.allKeys().isEmpty)
        #expect(await found(by: "bob").isEmpty)
    }

    @Test func `A request that was made under one principal and sent under another stores nothing`() async throws {
        network.answer(.get, "/x", with: .text("Ada's"))
        let request = resource.request(.get)
        session.user = "bob"
        await request.start().completion()
        try await storage.storage.flush()
        #expect(try await store.allKeys().isEmpty)
    }

    @Test func `A confirmation that was asked for under another principal changes nothing`() async throws {
        network.answer(.get, "/x", with: .text("Ada's", headers: ["ETag": "1"]), .held)
        await resource.load().completion()
        let load = resource.load()
        session.user = "bob"
        clock.advance(by: 100)
        network.lastExchange?.respond(with: .notModified)
        await load.completion()
        try await storage.storage.flush()
        #expect(store.journal.entries("apply") == ["apply 1"])
    }

    @Test func `What was looked for under one principal is not shown under another, who gets their own`() async {
        network.answer(.get, "/x", with: .text("Ada's"))
        await resource.load().completion()
        session.user = "bob"
        resource.wipe()
        network.answer(.get, "/x", with: .text("Bob's"))
        await resource.load().completion()

        session.user = "ada"
        resource.wipe()
        let load = resource.loadIfNeeded()
        session.user = "bob"
        await load?.completion()
        #expect(resource.text == "Bob's")
        #expect(network.requests.count == 2)
    }

    @Test func `A principal's data can be removed, by a service's wipe or by name`() async throws {
        for user in ["ada", "bob", "eve"] {
            session.user = user
            network.answer(.get, "/x", with: .text(user))
            await resource.load().completion()
        }
        session.user = "bob"
        service.wipeResources(includingCaches: true)
        try await storage.storage.remove(principal: "eve")
        #expect(try await store.allKeys().count == 1)
        #expect(await found(by: "bob").isEmpty)
        #expect(await found(by: "eve").isEmpty)
        #expect(await found(by: "ada") == "ada")
    }

    @Test func `Names with different bytes are different principals, also while a request runs`() async throws {
        let names = ["jos\u{e9}", "jose\u{301}"]
        session.user = names[0]
        network.answer(.get, "/x", with: .held)
        let load = resource.load()
        session.user = names[1]
        network.lastExchange?.respond(with: .text("of the first"))
        await load.completion()
        try await storage.storage.flush()
        #expect(try await store.allKeys().isEmpty)
        #expect(await found(by: names[1]).isEmpty)

        network.answer(.get, "/x", with: .text("of the second"))
        await resource.load().completion()
        #expect(await found(by: names[0]).isEmpty)
        #expect(await found(by: names[1]) == "of the second")
        try await storage.storage.remove(principal: names[0])
        #expect(await found(by: names[1]) == "of the second")
    }

    @Test func `Caches in folders whose names have different bytes share nothing`() async throws {
        let folder = try TestFolder()
        let names = ["jos\u{e9}", "jose\u{301}"]
        let caches = names.map { PersistentCache.file(at: folder.url.appendingPathComponent($0)) }
        #expect(caches[0].storage !== caches[1].storage)
        let memories = names.map { PersistentCache.memory($0) }
        #expect(memories[0].storage !== memories[1].storage)
        #expect(memories[0].storage === PersistentCache.memory("jos\u{e9}").storage)
    }

    @Test func `An entity that was being read for one principal is not returned to another`() async throws {
        network.answer(.get, "/x", with: .text("Ada's"))
        await resource.load().completion()
        try await storage.storage.flush()
        #expect(await storage.entity(for: resource)?.content as? Data == Data("Ada's".utf8))
        let session = session
        let cache = PersistentCache(storage.storage).partitioned {
            defer { session.user = "bob" }  // Bob signs in while the store reads.
            return session.user
        }
        #expect(await cache.entity(for: resource) == nil)
        #expect(session.user == "bob")
    }
}
