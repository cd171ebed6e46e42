import CacheTorture
import Foundation
import Isolation
import SiestaCore
import SiestaTesting
import SiestaWriting
import TestKit
import Testing

@testable import SiestaCaches
@testable import SiestaOutboxStorage

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The URLs of created resources.
@MainActor @Suite(.timeLimit(.test))
struct CreatedAddressTests {
    private let app = RestartedApp()
    private let network = StubNetwork()
    private let store = FaultyOutboxStore(.inMemory())

    private func creation(_ service: Service) -> PendingChange {
        let users: TypedResource<[DurableUser]> = service.resource("/users").typed()
        return users.mutate(
            .post, body: .encoded(DurableUser()), also: [users.replace(by: [DurableUser()])], durable: true
        ) { _ in }
    }

    /// Expects that a change of the created resource waits after this answer to the creation, and that nothing is deleted.
    private func expectNoAddress(after answer: StubAnswer) async throws {
        app.connection.isConnected = false
        let service = app.start(network, Outbox(store))
        network.answer(.post, "/users", with: answer)
        let creation = creation(service)
        let change = creation.mutateCreated(.delete)
        try await change.accepted()
        app.connection.isConnected = true
        await service.outbox?.settled()
        #expect(network.writes.map(\.httpMethod) == ["POST"])
        #expect(service.outbox?.obstacle(for: change.entryID ?? "") == .unknownAddress)
        #expect(creation.createdURL == nil)
    }

    @Test func `A change of a resource is accepted while its creation is being confirmed`() async throws {
        let service = app.start(network, Outbox(store))
        network.answer(.post, "/users", with: .response(201, headers: ["Location": "/users/7"]))
        network.answer(.patch, "/users/7", with: .response(204))
        let creation = creation(service)
        let edit = Task { @MainActor in
            await withCheckedContinuation { continuation in
                store.beforeChange.withLock { hook in
                    hook = { changes in
                        guard changes.contains(where: { if case .remove = $0 { true } else { false } }) else { return }
                        await MainActor.run {
                            continuation.resume(
                                returning: creation.mutateCreated(.patch, body: .encoded(["name": "N"])))
                        }
                        self.store.beforeChange.withLock { $0 = nil }
                    }
                }
            }
        }
        let change = await edit.value
        try await change.accepted()
        _ = try await change.request.value
        #expect(network.writes.map { $0.url?.path } == ["/users", "/users/7"])
    }

    @Test func `A change of a resource is accepted while its creation becomes part of the data`() async throws {
        let service = app.start(network, Outbox(store))
        network.answer(.post, "/users", with: .response(201, headers: ["Location": "/users/7"]))
        network.answer(.patch, "/users/7", with: .response(204))
        network.answer(.get, "/users", with: .held)
        let users: TypedResource<[DurableUser]> = service.resource("/users").typed()
        var options = ChangeOptions()
        options.settlement = .reload
        let creation = users.mutate(.post, body: .encoded(DurableUser()), options: options, durable: true) { _ in }
        let load = try await network.exchange(2)
        #expect(creation.state == .settling)
        let change = creation.mutateCreated(.patch, body: .encoded(["name": "N"]))
        try await change.accepted()
        load.respond(with: .json("[]"))
        _ = try await change.request.value
        #expect(network.writes.map { $0.url?.path } == ["/users", "/users/7"])
    }

    @Test(arguments: [
        ("/users/7?key=a%2Bb%3D&f[x]=1", "http://api.test/users/7?key=a%2Bb%3D&f%5Bx%5D=1"),
        ("/users/a%2Fb|c", "http://api.test/users/a%2Fb%7Cc"), ("/users/é%20x", "http://api.test/users/%C3%A9%20x"),
    ])
    func `Escapes in the URL of a created resource stay as they are`(location: String, url: String) async throws {
        let service = app.start(network, Outbox(store))
        network.handler = {
            $0.httpMethod == "POST" ? .response(201, headers: ["Location": location]) : .response(204)
        }
        let creation = creation(service)
        let change = creation.mutateCreated(.patch, body: .encoded(["name": "N"]))
        _ = try await change.request.value
        #expect(network.writes.map { $0.url?.absoluteString } == ["http://api.test/users", url])
        #expect(creation.createdURL == url)
    }

    @Test func `The collection is no address of a created resource if its path has an escaped slash`() async throws {
        let service = app.start(network, Outbox(store))
        network.handler = {
            $0.httpMethod == "POST" ? .response(201, headers: ["Location": "/a%2Fb/"]) : .response(204)
        }
        let users: TypedResource<[DurableUser]> = service.resource(absoluteURL: "http://api.test/a%2Fb").typed()
        let creation = users.mutate(.post, body: .encoded(DurableUser()), durable: true) { _ in }
        let change = creation.mutateCreated(.delete)
        try await change.accepted()
        await service.outbox?.settled()
        #expect(network.writes.map(\.httpMethod) == ["POST"])
        #expect(service.outbox?.obstacle(for: change.entryID ?? "") == .unknownAddress)
    }

    @Test(arguments: [
        "/users", "http://api.test/users", "http://api.test/users#x", "http://ada:secret@api.test/users/7", "", "#x",
        "http://API.test:80/users", "./users", "http://other.test/users/7", "//other.test/users/7",
        "http://api.test:8080/users/7", "http://api.test.other.test/users/7", "http://api.test@other.test/users/7",
        "https://api.test/users/7", "https://api.test:80/users/7", "ftp://api.test/users/7", "http:///users/7",
        "http://sub.api.test/users/7", "http://api.test./users/7", "http://other.test:80/users/7",
    ])
    func `A location that is the collection, has a password, or leads to another origin, is no address`(
        location: String
    ) async throws {
        try await expectNoAddress(after: .response(201, headers: ["Location": location]))
    }

    @Test func `The location of a 202 describes the work of the server, and is no address`() async throws {
        try await expectNoAddress(after: .response(202, headers: ["Location": "/jobs/5"]))
    }

    @Test(arguments: [
        "7", "/users/7", "//api.test/users/7", "http://API.test/users/7", "http://api.test:80/users/7",
        "HTTP://api.test/users/7",
    ])
    func `A location of the same origin is the address of the created resource`(location: String) async throws {
        app.connection.isConnected = false
        let service = app.start(network, Outbox(store))
        network.answer(.post, "/users", with: .response(201, headers: ["Location": location]))
        network.handler = { $0.httpMethod == "PATCH" ? .response(204) : nil }
        let change = creation(service).mutateCreated(.patch, body: .encoded(["name": "N"]))
        try await change.accepted()
        app.connection.isConnected = true
        _ = try await change.request.value
        #expect(network.writes.map(\.httpMethod) == ["POST", "PATCH"])
    }

    @Test(arguments: ["http://other.test/users/7", nil])
    func `A change of a resource whose creation has ended without an address is not accepted`(
        location: String?
    ) async throws {
        let service = app.start(network, Outbox(store))
        network.answer(
            .post, "/users", with: .response(201, headers: location.map { ["Location": $0] } ?? [:]))
        let creation = creation(service)
        _ = try await creation.request.value
        let change = creation.mutateCreated(.patch, body: .encoded(["name": "secret"]))
        let error = await #expect(throws: RequestError.self) { _ = try await change.request.value }
        #expect(error?.cause as? OutboxError == .unknownAddress(id: creation.entryID ?? ""))
        #expect(network.writes.count == 1)
    }

    @Test func `A change that waits for a location of another origin is not sent after a restart either`()
        async throws
    {
        app.connection.isConnected = false
        let records = MemoryRecordStore()
        let first = app.start(network, Outbox(RecordOutboxStore(records, folder: nil)))
        first.configure { $0.headers["Authorization"] = "Bearer secret" }
        network.answer(.post, "/users", with: .response(201, headers: ["Location": "http://other.test/users/7"]))
        let change = creation(first).mutateCreated(.patch, body: .encoded(["name": "secret"]))
        try await change.accepted()
        app.connection.isConnected = true
        await first.outbox?.settled()
        await first.outbox?.close()
        let second = app.start(network, Outbox(RecordOutboxStore(records, folder: nil)))
        await second.outbox?.isLoaded()
        await second.outbox?.settled()
        let entry = try #require(second.outbox?.entries.first)
        #expect(second.outbox?.obstacle(for: entry.id) == .unknownAddress)
        #expect(entry.request.address.url == nil)
        #expect(network.writes.map { $0.url?.host } == ["api.test"])
        // The app can still decide where the change belongs.
        network.answer(.patch, "/users/8", with: .response(204))
        try await second.outbox?.edit(entry.id) { $0.address = .url("http://api.test/users/8") }
        await second.outbox?.settled()
        #expect(network.writes.last?.url?.path == "/users/8")
    }

    @Test func `A change without an address withholds no invalidation by its creation`() async throws {
        let service = app.start(network, Outbox(store)) { service in
            service.configure("/users", requestMethods: [.post]) { $0.invalidates = ["users"] }
            service.configure("/list") { $0.tags = ["users"] }
        }
        network.answer(.get, "/list", with: .response(200, body: Data("x".utf8)))
        let list = service.resource("/list")
        await list.load().completion()
        app.connection.isConnected = false
        network.answer(.post, "/users", with: .response(201))
        let change = creation(service).mutateCreated(.delete)
        try await change.accepted()
        app.connection.isConnected = true
        await service.outbox?.settled()
        #expect(service.outbox?.obstacle(for: change.entryID ?? "") == .unknownAddress)
        #expect(list.isStale)
    }
}
