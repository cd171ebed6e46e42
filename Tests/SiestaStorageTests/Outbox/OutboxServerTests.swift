import CacheTorture
import Foundation
import Isolation
import SiestaCore
import SiestaSessions
import SiestaTesting
import TestKit
import Testing
import Waiting

@testable import SiestaCaches
@testable import SiestaOutboxStorage
@testable import SiestaWriting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Servers that answer in unexpected ways, and users who leave meanwhile.
@MainActor @Suite(.timeLimit(.test))
struct OutboxServerTests {
    private let app = RestartedApp()
    private let network = StubNetwork()

    @Test(arguments: [409, 412, 428], [true, false])
    func `A conflict that never ends is left to the app`(status: Int, isForced: Bool) async throws {
        let service = app.start(network, .inMemory()) { service in
            service.resolveConflicts("/users/*", as: DurableUser.self) { conflict in
                isForced ? .force : .send(DurableUser(name: "Merged"))
            }
        }
        let user = try await app.loaded(service, network)
        network.answer(.patch, "/users/1", with: .response(status))
        let change = user.rename("Grace")
        await #expect(throws: RequestError.self) { _ = try await change.request.value }
        await service.outbox?.settled()
        #expect(change.state == .conflict)
        #expect(service.outbox?.entries.map(\.state) == [.conflict(status: status)])
        #expect(network.writes.count == Changes.conflictLimit + 1)
    }

    @Test(arguments: [301, 304, 307, 400, 401, 403, 404, 410, 422, 451])
    func `A refused change blocks its scope, and is not sent again by itself`(status: Int) async throws {
        let service = app.start(network, .inMemory())
        let user = try await app.loaded(service, network)
        network.answer(.patch, "/users/1", with: .response(status))
        user.rename("Grace")
        try await user.rename("Edith").accepted()
        for _ in 0..<3 {
            await service.outbox?.settled()
            app.clock.advance(by: 100_000)
        }
        #expect(network.writes.count == 1)
        #expect(service.outbox?.entries.count == 2)
        guard case .refused(status, _)? = service.outbox?.entries.first?.state else {
            Issue.record("\(String(describing: service.outbox?.entries.first?.state))")
            return
        }
    }

    @Test func `The response to a change of a user who has left is not shown to the next`() async throws {
        let session = app.clock.whileCurrent { UserSession(BearerToken()) }
        let service = app.start(network, .inMemory()) { $0.authenticate(sharing: session) }
        try await session.signIn("ada", with: Credential("A"))
        let user = try await app.loaded(service, network)
        network.answer(.patch, "/users/1", with: .held)
        let change = user.rename("Grace")
        let exchange = try await network.exchange(2)
        try await session.signIn("bob", with: Credential("B"))
        exchange.respond(with: .json(#"{"name": "Ada's secret", "stars": 0}"#))
        await #expect(throws: RequestError.self) { _ = try await change.request.value }
        await service.outbox?.settled()
        #expect(user.content == nil)
        try await user.get(.always)
        #expect(user.content?.name == "Ada")
        app.clock.advance(by: 1000)
        await service.outbox?.settled()
        #expect(network.writes.count == 1)
        #expect(service.outbox?.entries.map(\.principal) == ["ada"])
        network.answer(.patch, "/users/1", with: .json(#"{"name": "Grace", "stars": 0}"#))
        try await session.signIn("ada", with: Credential("A2"))
        await service.outbox?.settled()
        app.clock.advance(by: 1000)
        await service.outbox?.settled()
        #expect(network.writes.map { $0.value(forHTTPHeaderField: "Authorization") } == ["Bearer A", "Bearer A2"])
        #expect(Set(network.writes.map { $0.value(forHTTPHeaderField: "Idempotency-Key") }).count == 1)
    }

    @Test func `A repeated request of a durable change is a durable change with the same body`() async throws {
        app.connection.isConnected = false
        let store = RecordOutboxStore.inMemory()
        let first = app.start(network, Outbox(store))
        try await app.loaded(first, network).rename("Grace").accepted()
        await first.outbox?.close()
        let service = app.start(network, Outbox(store))
        await service.outbox?.isLoaded()
        let user: TypedResource<DurableUser> = service.resource("/users/1").typed()
        let change = try #require(user.resource.pendingChanges.first)
        change.request.repeated().start()
        await service.outbox?.settled()
        let entries = service.outbox?.entries ?? []
        #expect(entries.map(\.request.body) == Array(repeating: .bytes(Data(#"{"name":"Grace"}"#.utf8)), count: 2))
    }

    @Test func `A clock that is set back or forward drops nothing`() async throws {
        app.connection.isConnected = false
        let service = app.start(network, .inMemory())
        let user = try await app.loaded(service, network)
        try await user.rename("Grace").accepted()
        app.clock.advance(by: 400 * 86_400)
        service.outbox?.sendNow()
        await service.outbox?.settled()
        #expect(service.outbox?.entries.count == 1)
        try await service.outbox?.retry(#require(service.outbox?.entries.first?.id))
        network.answer(.patch, "/users/1", with: .json(#"{"name": "Grace", "stars": 0}"#))
        app.connection.isConnected = true
        await service.outbox?.settled()
        #expect(service.outbox?.entries.isEmpty == true)
    }

    @Test func `The repeated response to a change is stale if a load may be newer`() async throws {
        let service = app.start(network, .inMemory())
        let user = try await app.loaded(service, network)
        network.answer(
            .patch, "/users/1", with: .failure(.networkConnectionLost), .json(#"{"name": "Grace", "stars": 0}"#))
        let change = user.rename("Grace")
        _ = try await network.exchange(2)
        await service.outbox?.settled()
        // The server has carried out the change before this load, and repeats its response afterwards.
        network.answer(.get, "/users/1", with: .json(#"{"name": "Grace", "stars": 1}"#))
        try await user.get(.always)
        app.clock.advance(by: 10)
        _ = try await change.request.value
        #expect(user.content == DurableUser(name: "Grace"))
        #expect(user.isStale)
    }

    @Test(arguments: [422, 409])
    func `A change that waits for a decision withholds no invalidation by an earlier one`(status: Int) async throws {
        app.connection.isConnected = false
        let service = app.start(network, .inMemory()) { service in
            service.configure("/users/*", requestMethods: [.patch]) { $0.invalidates = ["users"] }
            service.configure("/list") { $0.tags = ["users"] }
        }
        let user = try await app.loaded(service, network)
        network.answer(.get, "/list", with: .response(200, body: Data("x".utf8)))
        let list = service.resource("/list")
        await list.load().completion()
        user.rename("Grace")
        let last = user.rename("Edith")
        network.answer(.patch, "/users/1", with: .json(#"{"name": "Grace", "stars": 0}"#), .response(status))
        app.connection.isConnected = true
        await #expect(throws: RequestError.self) { _ = try await last.request.value }
        #expect(list.isStale)
    }

    @Test func `A change that becomes too old withholds no invalidation by an earlier one`() async throws {
        app.connection.isConnected = false
        let service = app.start(network, .inMemory()) { service in
            service.configure("/users/*", requestMethods: [.patch]) { $0.invalidates = ["users"] }
            service.configure("/list") { list in
                list.tags = ["users"]
                list.expirationTime = 1_000_000
            }
        }
        service.outbox?.ageLimit = .seconds(3600)
        let user = try await app.loaded(service, network)
        network.answer(.get, "/list", with: .response(200, body: Data("x".utf8)))
        let list = service.resource("/list")
        await list.load().completion()
        user.rename("Grace")
        let last = user.rename("Edith")
        try await last.accepted()
        network.answer(.patch, "/users/1", with: .json(#"{"name": "Grace", "stars": 0}"#), .response(503))
        app.connection.isConnected = true
        try await Poll.until { network.writes.count == 2 }
        await service.outbox?.settled()
        #expect(last.state == .waiting)
        #expect(!list.isStale)
        app.clock.advance(by: 7200)
        await #expect(throws: RequestError.self) { _ = try await last.request.value }
        #expect(last.state == .refused)
        #expect(list.isStale)
    }

    // MARK: Credentials

    /// Starts the app with a user whose credential `new` is accepted, and signs her in with another one.
    private func signedIn(
        with credential: Credential, refresh: @escaping @Sendable @concurrent () async throws -> Credential
    ) async throws -> (Service, UserSession) {
        let session = app.clock.whileCurrent { UserSession(BearerToken(refresh: { _, _ in try await refresh() })) }
        let service = app.start(network, .inMemory()) { $0.authenticate(sharing: session) }
        network.handler = { request in
            let isAccepted = request.value(forHTTPHeaderField: "Authorization") == "Bearer new"
            return isAccepted ? .response(204) : .response(401)
        }
        try await session.signIn("ada", with: credential)
        return (service, session)
    }

    @Test(arguments: [true, false])
    func `A change whose credential could not be renewed is sent later`(isExpired: Bool) async throws {
        let isOnline = Locked(false)
        let (service, session) = try await signedIn(with: Credential("old")) {
            if isExpired { throw SessionExpired() }
            guard isOnline.withLock({ $0 }) else { throw URLError(.networkConnectionLost) }
            return Credential("new")
        }
        let user: TypedResource<DurableUser> = service.resource("/users/1").typed()
        let change = user.rename("Grace")
        try await change.accepted()
        await service.outbox?.settled()
        #expect(service.outbox?.entries.map(\.state) == [.queued])
        #expect(change.state == .waiting)
        #expect(network.writes.count == 1)
        isOnline.withLock { $0 = true }
        if isExpired {
            try await session.signIn("ada", with: Credential("new"))
        } else {
            app.clock.advance(by: 1000)
        }
        await service.outbox?.settled()
        #expect(service.outbox?.entries.isEmpty == true)
        #expect(network.writes.last?.value(forHTTPHeaderField: "Authorization") == "Bearer new")
        #expect(Set(network.writes.map { $0.value(forHTTPHeaderField: "Idempotency-Key") }).count == 1)
    }

    @Test func `The return of the network does not end a delay for which the server has asked`() async throws {
        let service = app.start(network, .inMemory())
        let user = try await app.loaded(service, network)
        network.answer(.patch, "/users/1", with: .response(503, headers: ["Retry-After": "600"]))
        network.answer(.delete, "/users/2", with: .response(204))
        try await user.rename("Grace").accepted()
        await service.outbox?.settled()
        app.connection.isConnected = false
        let other: TypedResource<DurableUser> = service.resource("/users/2").typed()
        try await other.mutate(.delete, durable: true).accepted()
        app.connection.isConnected = true
        await service.outbox?.settled()
        #expect(network.writes.map(\.httpMethod) == ["PATCH", "DELETE"])
        network.answer(.patch, "/users/1", with: .response(204))
        app.clock.advance(by: 1000)
        await service.outbox?.settled()
        #expect(service.outbox?.entries.isEmpty == true)
    }

    @Test func `The return of the network ends a delay that began before its loss`() async throws {
        let service = app.start(network, .inMemory())
        let user = try await app.loaded(service, network)
        network.answer(.patch, "/users/1", with: .failure(.networkConnectionLost), .response(204))
        try await user.rename("Grace").accepted()
        await service.outbox?.settled()
        #expect(network.writes.count == 1)
        app.connection.isConnected = false
        app.connection.isConnected = true
        await service.outbox?.settled()
        #expect(network.writes.count == 2)
    }

    @Test func `A sign-in does not end a delay for which the server has asked`() async throws {
        let (service, session) = try await signedIn(with: Credential("new")) { Credential("new") }
        network.handler = { _ in .response(503, headers: ["Retry-After": "600"]) }
        let user: TypedResource<DurableUser> = service.resource("/users/1").typed()
        try await user.rename("Grace").accepted()
        await service.outbox?.settled()
        let count = network.writes.count
        try await session.signIn("ada", with: Credential("new"))
        await service.outbox?.settled()
        #expect(network.writes.count == count)
        network.handler = { _ in .response(204) }
        app.clock.advance(by: 1000)
        await service.outbox?.settled()
        #expect(service.outbox?.entries.isEmpty == true)
    }
}
