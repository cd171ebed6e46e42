import CacheTorture
import Foundation
import SiestaCore
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

/// Durable changes that delete resources.
@MainActor @Suite(.timeLimit(.test))
struct DurableDeletionTests {
    private let app = RestartedApp()
    private let network = StubNetwork()
    private let records = MemoryRecordStore()
    private let cache = InMemoryCache()

    private func start() -> Service {
        app.start(network, Outbox(RecordOutboxStore(records, folder: nil))) { service in
            service.configure { $0.pipeline[.model].cacheUsing(cache) }
        }
    }

    private func delete(_ user: TypedResource<DurableUser>) async throws -> PendingChange {
        let change = user.mutate(.delete, durable: true)
        try await change.accepted()
        return change
    }

    @Test func `After a successful durable DELETE, the resource has no data`() async throws {
        let service = start()
        let user = try await app.loaded(service, network)
        network.answer(.delete, "/users/1", with: .json(#"{"name": "Ada", "stars": 0}"#, headers: ["ETag": "\"1\""]))
        _ = try await delete(user).request.value
        #expect(user.resource.latestData == nil)
        #expect(user.isStale)
        #expect(service.outbox?.entries.isEmpty == true)
        try await Poll.until { cache.entities.isEmpty }
    }

    @Test(arguments: [true, false])
    func `A durable DELETE of an earlier process removes the data from the cache`(isRead: Bool) async throws {
        app.connection.isConnected = false
        let first = start()
        _ = try await delete(app.loaded(first, network))
        await first.outbox?.close()
        try await Poll.until { !cache.entities.isEmpty }
        let second = start()
        let user: TypedResource<DurableUser> = second.resource("/users/1").typed()
        if isRead { #expect((try? await user.get(.cached)) != nil) }
        await second.outbox?.isLoaded()
        network.answer(.delete, "/users/1", with: .response(204))
        app.connection.isConnected = true
        try await Poll.until { second.outbox?.entries.isEmpty == true && network.writes.count == 1 }
        #expect(user.resource.latestData == nil)
        #expect(user.resource.pendingChanges.isEmpty)
        #expect((try? await user.get(.cached)) == nil)
        try await Poll.until { cache.entities.isEmpty }
    }

    @Test func `A durable DELETE that is dropped leaves the data`() async throws {
        let service = start()
        let user = try await app.loaded(service, network)
        try await Poll.until { !cache.entities.isEmpty }
        app.connection.isConnected = false
        let change = try await delete(user)
        #expect(user.content == DurableUser())
        try await service.outbox?.drop(#require(change.entryID))
        #expect(user.content == DurableUser())
        #expect(!user.isStale)
        #expect(!cache.entities.isEmpty)
    }

    @Test func `A durable DELETE that is refused leaves the data`() async throws {
        let service = start()
        let user = try await app.loaded(service, network)
        network.answer(.delete, "/users/1", with: .response(403))
        let change = try await delete(user)
        await #expect(throws: RequestError.self) { _ = try await change.request.value }
        #expect(change.state == .refused)
        #expect(user.content == DurableUser())
    }

    @Test(arguments: [404, 410])
    func `A durable DELETE whose response was lost has succeeded if the resource does not exist`(
        status: Int
    ) async throws {
        let service = start()
        let user = try await app.loaded(service, network)
        network.answer(.delete, "/users/1", with: .failure(.networkConnectionLost), .response(status))
        let change = try await delete(user)
        _ = try await network.exchange(2)
        await service.outbox?.settled()
        #expect(user.content == DurableUser())
        app.clock.advance(by: 10)
        _ = try await change.request.value
        #expect(user.resource.latestData == nil)
        #expect(service.outbox?.entries.isEmpty == true)
    }

    @Test func `A change that deletes a created resource leaves the collection`() async throws {
        app.connection.isConnected = false
        let service = start()
        service.decode("/users", as: [DurableUser].self, requestMethods: [.get])
        let users: TypedResource<[DurableUser]> = service.resource("/users").typed()
        network.answer(.get, "/users", with: .json(#"[{"name": "Ada", "stars": 0}]"#, headers: ["ETag": "\"1\""]))
        try await users.get(.always)
        let creation = users.mutate(.post, body: .encoded(DurableUser()), durable: true) { $0.append(DurableUser()) }
        let deletion = creation.mutateCreated(.delete, also: [users.edit { $0.removeLast() }])
        try await deletion.accepted()
        network.answer(.post, "/users", with: .response(201, headers: ["Location": "/users/7"]))
        network.answer(.delete, "/users/7", with: .response(204))
        app.connection.isConnected = true
        _ = try await deletion.request.value
        #expect(users.content == [DurableUser()])
        #expect(network.writes.map { $0.url?.path } == ["/users", "/users/7"])
    }

    @Test func `The version of a created resource is not the version of the collection`() async throws {
        app.connection.isConnected = false
        let service = start()
        service.configure { $0.precondition = .unchanged }
        service.decode("/users", as: [DurableUser].self, requestMethods: [.get])
        let users: TypedResource<[DurableUser]> = service.resource("/users").typed()
        network.answer(.get, "/users", with: .json("[]", headers: ["ETag": "\"1\""]))
        try await users.get(.always)
        var options = ChangeOptions()
        (options.precondition, options.settlement) = (Precondition.none, .edit)
        let creation = users.mutate(.post, body: .encoded(DurableUser()), options: options, durable: true) {
            $0.append(DurableUser())
        }
        let rename = creation.mutateCreated(
            .patch, body: .encoded(["name": "N"]), also: [users.edit { if !$0.isEmpty { $0[0].name = "N" } }])
        try await rename.accepted()
        network.answer(.post, "/users", with: .response(201, headers: ["Location": "/users/7", "ETag": "\"2\""]))
        network.answer(
            .patch, "/users/7", with: .json(#"{"name": "N", "stars": 0}"#, headers: ["ETag": "\"7\""]))
        app.connection.isConnected = true
        _ = try await rename.request.value
        #expect(network.writes.last?.value(forHTTPHeaderField: "If-Match") == nil)
        #expect(users.content == [DurableUser(name: "N")])
        #expect(users.resource.latestData?.etag != "\"7\"")
    }

    @Test func `A durable change is shown after a wipe, too`() async throws {
        app.connection.isConnected = false
        let service = start()
        let user = try await app.loaded(service, network)
        try await user.rename("Grace").accepted()
        user.resource.wipe(includingCaches: true)
        network.answer(
            .get, "/users/1", with: .json(#"{"name": "Ada", "stars": 7}"#, headers: ["ETag": "\"2\""]))
        try await user.get(.always)
        #expect(user.content == DurableUser(name: "Grace", stars: 7))
        #expect(user.resource.isOptimistic)
    }

    @Test(arguments: [true, false])
    func `A durable DELETE of an earlier process leaves the content by which it replaces the data`(
        isReplaced: Bool
    ) async throws {
        app.connection.isConnected = false
        let first = start()
        let off = DurableUser(name: "Nobody")
        let old = try await app.loaded(first, network)
        let change =
            isReplaced
            ? old.mutate(.delete, also: [old.replace(by: off)], durable: true)
            : old.mutate(.delete, durable: true) { $0 = off }
        try await change.accepted()
        await first.outbox?.close()
        try await Poll.until { !cache.entities.isEmpty }
        let second = start()
        let user: TypedResource<DurableUser> = second.resource("/users/1").typed()
        _ = (try? await user.get(.cached))
        await second.outbox?.isLoaded()
        #expect(user.content == off)
        network.answer(.delete, "/users/1", with: .response(204))
        app.connection.isConnected = true
        try await Poll.until { second.outbox?.entries.isEmpty == true && network.writes.count == 1 }
        #expect(user.content == (isReplaced ? off : nil))
    }
}
