import CacheTorture
import Foundation
import Isolation
import SiestaTesting
import TestKit
import Testing

@testable import Siesta
@testable import SiestaStorage

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
            .post, body: DurableUser(), also: [users.replace(by: [DurableUser()])], durable: true
        ) { _ in }.change
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
                            continuation.resume(returning: creation.mutateCreated(.patch, body: ["name": "N"]))
                        }
                        self.store.beforeChange.withLock { $0 = nil }
                    }
                }
            }
        }
        let change = await edit.value
        try await change.accepted()
        _ = try await change.value
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
        let creation = users.mutate(.post, body: DurableUser(), options: options, durable: true) { _ in }.change
        let load = try await network.exchange(2)
        #expect(creation.state == .settling)
        let change = creation.mutateCreated(.patch, body: ["name": "N"])
        try await change.accepted()
        load.respond(with: .json("[]"))
        _ = try await change.value
        #expect(network.writes.map { $0.url?.path } == ["/users", "/users/7"])
    }

    @Test(arguments: [
        "/users", "http://api.test/users", "http://api.test/users#x", "http://ada:secret@api.test/users/7", "", "#x",
        "http://API.test:80/users", "./users",
    ])
    func `A location that is the collection, or has a password, is no address of a created resource`(
        location: String
    ) async throws {
        app.connection.isConnected = false
        let service = app.start(network, Outbox(store))
        network.answer(.post, "/users", with: .response(201, headers: ["Location": location]))
        let creation = creation(service)
        let change = creation.mutateCreated(.delete)
        try await change.accepted()
        app.connection.isConnected = true
        await service.outbox?.settled()
        #expect(network.writes.map(\.httpMethod) == ["POST"])
        #expect(service.outbox?.obstacle(for: change.entryID ?? "") == .unknownAddress)
        #expect(creation.createdURL == nil)
    }
}
