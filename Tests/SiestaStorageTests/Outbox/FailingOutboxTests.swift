import CacheTorture
import Foundation
import Isolation
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

/// Decisions that the disk does not take.
@MainActor @Suite(.timeLimit(.test))
struct FailingOutboxTests {
    private let app = RestartedApp()
    private let store = FaultyOutboxStore(.inMemory())

    private func start(_ network: StubNetwork) -> Service { app.start(network, Outbox(store)) }

    /// The entries that a restart would find.
    private func stored() async throws -> [String] { try await store.load().entries.map(\.id) }

    @Test func `A confirmation that could not be stored is stored with the next change`() async throws {
        let network = StubNetwork()
        let service = start(network)
        let user = try await app.loaded(service, network)
        network.answer(.patch, "/users/1", with: .held)
        let first = user.rename("Grace")
        let exchange = try await network.exchange(2)
        store.isFailing.withLock { $0 = true }
        exchange.respond(with: .json(#"{"name": "Grace", "stars": 0}"#))
        _ = try await first.request.value
        await service.outbox?.settled()
        #expect(try await stored() == [first.entryID])
        #expect(service.outbox?.failure is FaultyOutboxStore.Fault)

        store.isFailing.withLock { $0 = false }
        app.connection.isConnected = false
        let second = user.rename("Edith")
        try await second.accepted()
        #expect(service.outbox?.failure == nil)
        #expect(try await stored() == [second.entryID])
    }

    @Test(arguments: [true, false])
    func `A decision of the app that could not be stored is stored later`(byNextChange: Bool) async throws {
        app.connection.isConnected = false
        let network = StubNetwork()
        let service = start(network)
        let (outbox, user) = (try #require(service.outbox), try await app.loaded(service, network))
        let dropped = user.rename("Grace")
        try await dropped.accepted()
        store.isFailing.withLock { $0 = true }
        await #expect(throws: FaultyOutboxStore.Fault.self) { try await outbox.drop(#require(dropped.entryID)) }
        let unaccepted = user.rename("Never")
        await #expect(throws: FaultyOutboxStore.Fault.self) { try await unaccepted.accepted() }
        #expect(outbox.entries.isEmpty)
        #expect(user.content?.name == "Ada")
        store.isFailing.withLock { $0 = false }
        if byNextChange {
            let next = user.rename("Edith")
            try await next.accepted()
            #expect(try await stored() == [next.entryID])
        } else {
            await outbox.close()
            #expect(try await stored().isEmpty)
        }
    }

    @Test(arguments: [true, false])
    func `An attempt whose start could not be stored does not count`(isEdited: Bool) async throws {
        app.connection.isConnected = false
        let network = StubNetwork()
        let service = start(network)
        let (outbox, user) = (try #require(service.outbox), try await app.loaded(service, network))
        let change = user.rename("Grace")
        try await change.accepted()
        await outbox.settled()
        store.isFailing.withLock { $0 = true }
        app.connection.isConnected = true
        try await Poll.until { outbox.failure != nil }
        await outbox.settled()
        #expect(network.writes.isEmpty)
        #expect(outbox.entries.map(\.attempts) == [0])
        #expect(outbox.entries.map(\.state) == [.queued])

        store.isFailing.withLock { $0 = false }
        if isEdited { try await outbox.edit(#require(change.entryID)) { $0.headers["X-Edited"] = "yes" } }
        network.answer(.patch, "/users/1", with: .json(#"{"name": "Grace", "stars": 0}"#))
        outbox.sendNow()
        await outbox.settled()
        #expect(network.writes.map { $0.value(forHTTPHeaderField: "X-Edited") } == [isEdited ? "yes" : nil])
        #expect(outbox.entries.isEmpty)
        #expect(user.content == DurableUser(name: "Grace"))
        #expect(!user.isStale)
    }

    @Test func `A change that is cancelled while its start is stored is not sent`() async throws {
        app.connection.isConnected = false
        let network = StubNetwork()
        let service = start(network)
        let user = try await app.loaded(service, network)
        let change = user.rename("Grace")
        try await change.accepted()
        await service.outbox?.settled()
        network.answer(.patch, "/users/1", with: .json(#"{"name": "Edith", "stars": 0}"#))
        store.beforeChange.withLock { hook in
            hook = { changes in
                guard case .write(let entry)? = changes.first, entry.state == .sending else { return }
                await change.cancel()
            }
        }
        app.connection.isConnected = true
        await service.outbox?.settled()
        #expect(network.writes.isEmpty)
        #expect(service.outbox?.entries.isEmpty == true)
        #expect(user.content?.name == "Ada")
        #expect(try await stored().isEmpty)
        store.beforeChange.withLock { $0 = nil }
        _ = try await user.rename("Edith").request.value
    }
}
