import CacheTorture
import Foundation
import OutboxTorture
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

/// Decisions of the app about the changes in an outbox.
@MainActor @Suite(.timeLimit(.test))
struct OutboxDecisionTests {
    private let app = RestartedApp()
    private let network = StubNetwork()

    @Test func `Later changes are sent after the wait although the change that caused it was dropped`() async throws {
        let service = app.start(network, .inMemory())
        let (outbox, user) = (try #require(service.outbox), try await app.loaded(service, network))
        network.answer(.patch, "/users/1", with: .response(503), .json(#"{"name": "Edith", "stars": 0}"#))
        let first = user.rename("Grace")
        let second = user.rename("Edith")
        try await second.accepted()
        await outbox.settled()
        #expect(outbox.entries.map(\.attempts) == [1, 0])
        try await outbox.drop(#require(first.entryID))
        await outbox.settled()
        app.clock.advance(by: 1000)
        await outbox.settled()
        #expect(outbox.entries.isEmpty)
        #expect(network.writes.count == 2)
    }

    @Test func `A conflict that waits for the app leaves stale data, also if it is dropped`() async throws {
        let app = try await OutboxApp()
        try await app.load()
        app.network.answer(.patch, "/authors/1", with: .response(412))
        let change = app.author.mutate(.patch, body: .encoded(["name": "G"]), durable: true) { $0.name = "G" }
        await #expect(throws: RequestError.self) { try await change.value }
        #expect(app.author.isStale)
        try await app.outbox.drop(#require(change.entryID))
        #expect(app.author.content == Author())
        #expect(app.author.isStale)
    }

    @Test func `A change that a decorator cancels does not run on`() async throws {
        let app = try await OutboxApp { service in
            service.configure("/authors/*", requestMethods: [.patch]) {
                $0.decorateRequests { author, request in
                    author.pendingChanges.first?.cancel()
                    return request
                }
            }
        }
        try await app.load()
        app.network.answer(.patch, "/authors/1", with: .held)
        app.author.mutate(.patch, body: .encoded(["name": "G"]), durable: true) { $0.name = "G" }
        #expect(try await app.network.exchange(2).isCancelled)
        await app.outbox.settled()
        #expect(app.outbox.entries.isEmpty)
    }

    @Test func `A change has its condition at a URL that the app has edited`() async throws {
        let service = app.start(network, .inMemory())
        let (outbox, user) = (try #require(service.outbox), try await app.loaded(service, network))
        var options = ChangeOptions()
        options.precondition = .unchanged
        network.answer(.patch, "/users/1", with: .response(403))
        network.answer(.patch, "/users/2", with: .response(204))
        let change = user.rename("Grace", .patch, options)
        await outbox.settled()
        try await outbox.edit(#require(change.entryID)) { $0.url = "http://api.test/users/2" }
        await outbox.settled()
        #expect(network.writes.map { $0.value(forHTTPHeaderField: "If-Match") } == ["\"1\"", "\"1\""])
    }

    @Test func `An edit may use the outbox`() async throws {
        app.connection.isConnected = false
        let service = app.start(network, .inMemory())
        let (outbox, user) = (try #require(service.outbox), try await app.loaded(service, network))
        let change = user.rename("Grace")
        let id = try #require(change.entryID)
        var seen: [Outbox.Entry] = []
        try await outbox.edit(id) { request in
            seen = outbox.entries
            #expect(outbox.obstacle(for: id) == nil)
            outbox.entryLimit = 7
            request.body = .bytes(Data("{}".utf8))
        }
        #expect(seen.map(\.id) == [id])
        #expect(outbox.entries.map(\.request.body) == [.bytes(Data("{}".utf8))])
        await #expect(throws: OutboxError.unknownEntry(id: "none")) { try await outbox.edit("none") { _ in } }
    }

    @Test func `An edit replaces the condition`() async throws {
        let service = app.start(network, .inMemory())
        let (outbox, user) = (try #require(service.outbox), try await app.loaded(service, network))
        var options = ChangeOptions()
        options.precondition = .unchanged
        network.answer(.patch, "/users/1", with: .response(412), .json(#"{"name": "Grace", "stars": 0}"#))
        let change = user.rename("Grace", .patch, options)
        await outbox.settled()
        #expect(change.state == .conflict)
        try await outbox.edit(#require(change.entryID)) { $0.precondition = Outbox.Condition() }
        await outbox.settled()
        #expect(network.writes.map { $0.value(forHTTPHeaderField: "If-Match") } == ["\"1\"", nil])
        #expect(outbox.entries.isEmpty)
    }

    @Test(arguments: [200, 404])
    func `A refused DELETE that the app edits to a PATCH has the outcome of the PATCH`(status: Int) async throws {
        let service = app.start(network, .inMemory())
        let (outbox, user) = (try #require(service.outbox), try await app.loaded(service, network))
        network.answer(.delete, "/users/1", with: .response(403))
        network.answer(.patch, "/users/1", with: .response(status))
        let change = user.mutate(.delete, durable: true)
        await outbox.settled()
        try #require(change.state == .refused)
        try await outbox.edit(#require(change.entryID)) { request in
            (request.method, request.body) = ("PATCH", .bytes(Data("{}".utf8)))
        }
        await outbox.settled()
        #expect(network.writes.map(\.httpMethod) == ["DELETE", "PATCH"])
        #expect(user.content == DurableUser())
        #expect(change.state == (status == 200 ? .succeeded : .refused))
        #expect(outbox.entries.count == (status == 200 ? 0 : 1))
        guard let entry = outbox.entries.first else { return }
        guard case .refused(status, _) = entry.state else {
            Issue.record("\(entry.state)")
            return
        }
    }

    @Test(arguments: [Outbox.Address.url("http://[broken"), .url(""), .created(by: "unknown", path: "")])
    func `An edit to an address that is no URL sends nothing to the old URL`(address: Outbox.Address) async throws {
        app.connection.isConnected = false
        let service = app.start(network, .inMemory())
        let (outbox, user) = (try #require(service.outbox), try await app.loaded(service, network))
        let change = user.rename("Grace")
        try await change.accepted()
        try await outbox.edit(#require(change.entryID)) { $0.address = address }
        app.connection.isConnected = true
        await outbox.settled()
        #expect(network.writes.isEmpty)
        #expect(outbox.entries.count == 1)
        guard address.url != nil else { return }
        guard case .refused(nil, _)? = outbox.entries.first?.state else {
            Issue.record("\(String(describing: outbox.entries.first?.state))")
            return
        }
    }

    @Test func `After a restart, an entry with an unknown method is refused`() async throws {
        let store = RecordOutboxStore.inMemory()
        var entry = Outbox.Entry.stored(1)
        entry.request.method = "LINK"
        entry.request.address = .url("http://api.test/users/1")
        try await store.apply([.write(entry)])
        let service = app.start(network, Outbox(store))
        let outbox = try #require(service.outbox)
        await outbox.settled()
        app.clock.advance(by: 1000)
        await outbox.settled()
        #expect(network.writes.isEmpty)
        guard case .refused(nil, _)? = outbox.entries.first?.state else {
            Issue.record("\(String(describing: outbox.entries.first?.state))")
            return
        }
    }

    @Test(arguments: [true, false])
    func `A change that the server may have carried out leaves stale data when it is given up`(
        isDropped: Bool
    ) async throws {
        let app = try await OutboxApp()
        try await app.load()
        app.network.answer(.patch, "/authors/1", with: .failure(.networkConnectionLost))
        let change = app.author.mutate(.patch, body: .encoded(["name": "G"]), durable: true) { $0.name = "G" }
        _ = try await app.network.exchange(2)
        await app.outbox.settled()
        #expect(app.author.content?.name == "G")
        if isDropped { try await app.outbox.drop(#require(change.entryID)) } else { change.cancel() }
        #expect(app.author.content?.name == "Ada")
        #expect(app.author.isStale)
    }

    @Test(arguments: [500, 422, 412], [true, false])
    func `A change that is cancelled while an outcome is stored has ended`(
        status: Int, hasResolver: Bool
    ) async throws {
        let app = try await OutboxApp()
        try await app.load()
        if hasResolver { app.service.resolveConflicts("/authors/*", as: Author.self) { _ in .force } }
        app.network.answer(.patch, "/authors/1", with: .held)
        let change = app.author.mutate(.patch, body: .encoded(["name": "G"]), durable: true) { $0.name = "G" }
        let sent = try await app.network.exchange(2)
        app.store.hold()
        sent.respond(with: .response(status))
        try await Poll.until { app.store.waitingCount == 1 }
        change.cancel()
        app.store.release()
        await app.outbox.settled()
        #expect(change.state == .failed)
        #expect(app.author.content?.name == "Ada")
        #expect(app.outbox.entries.isEmpty)
        #expect(app.sent.count == 1)
    }

    @Test func `A change that an observer cancels when its resolution appears has ended`() async throws {
        let app = try await OutboxApp()
        try await app.load()
        app.network.answer(.patch, "/authors/1", with: .response(412))
        app.service.resolveConflicts("/authors/*", as: Author.self) { _ in .send(Author(name: "H")) }
        app.author.resource.addObserver(owner: app.outbox) { author, _ in
            if author.typed(as: Author.self).content?.name == "H" { author.pendingChanges.first?.cancel() }
        }
        let change = app.author.mutate(.patch, body: .encoded(["name": "G"]), durable: true) { $0.name = "G" }
        await #expect(throws: RequestError.self) { try await change.value }
        await app.outbox.settled()
        #expect(change.state == .failed)
        #expect(app.author.content?.name == "Ada")
        #expect(app.outbox.entries.isEmpty)
        #expect(app.sent.count == 1)
    }

    @Test(arguments: [422, 412])
    func `A change that waits for the app can be cancelled`(status: Int) async throws {
        let app = try await OutboxApp()
        try await app.load()
        app.network.answer(.patch, "/authors/1", with: .response(status))
        let change = app.author.mutate(.patch, body: .encoded(["name": "G"]), durable: true) { $0.name = "G" }
        await #expect(throws: RequestError.self) { try await change.value }
        #expect(app.author.content?.name == "G")
        change.cancel()
        #expect(!change.isPending)
        #expect(app.author.content?.name == "Ada")
        await app.outbox.settled()
        #expect(app.outbox.entries.isEmpty)
        #expect(try await app.storedEntries().isEmpty)
    }

    @Test func `A change that is sent again after a refusal can be cancelled`() async throws {
        let app = try await OutboxApp()
        try await app.load()
        app.network.answer(.patch, "/authors/1", with: .response(422), .held)
        let change = app.author.mutate(.patch, body: .encoded(["name": "G"]), durable: true) { $0.name = "G" }
        await #expect(throws: RequestError.self) { try await change.value }
        try await app.outbox.retry(#require(change.entryID))
        let sent = try await app.network.exchange(3)
        change.cancel()
        #expect(sent.isCancelled)
        #expect(app.author.content?.name == "Ada")
        await app.outbox.settled()
        #expect(app.outbox.entries.isEmpty)
    }

    @Test func `A change that is cancelled while its confirmation is stored leaves stale data`() async throws {
        let app = try await OutboxApp()
        try await app.load()
        app.network.answer(.patch, "/authors/1", with: .held)
        let change = app.author.mutate(.patch, body: .encoded(["name": "G"]), durable: true) { $0.name = "G" }
        let sent = try await app.network.exchange(2)
        app.store.hold()
        sent.respond(with: Author(name: "G").json("2"))
        try await Poll.until { app.store.waitingCount == 1 }
        change.cancel()
        app.store.release()
        await app.outbox.settled()
        #expect(app.author.content?.name == "Ada")
        #expect(app.author.isStale)
        #expect(app.outbox.entries.isEmpty)
    }

    // MARK: Conflicts of other resources

    /// Starts the app with resolvers that give up.
    private func startGivingUp(_ outbox: Outbox) -> Service {
        app.start(network, outbox) { service in
            service.decode("/users", as: [DurableUser].self, requestMethods: [.get])
            service.resolveConflicts("/users", as: [DurableUser].self) { _ in .giveUp }
            service.resolveConflicts("/users/*", as: DurableUser.self) { _ in .giveUp }
        }
    }

    @Test func `After a restart, no resolver decides about a conflict of a created resource`() async throws {
        let store = RecordOutboxStore.inMemory()
        app.connection.isConnected = false
        let first = startGivingUp(Outbox(store))
        network.answer(.get, "/users", with: .json(#"[{"name": "Ada", "stars": 0}]"#))
        let users: TypedResource<[DurableUser]> = first.resource("/users").typed()
        try await users.get(.always)
        let creation = users.mutate(.post, body: .encoded(DurableUser()), durable: true) { $0.append(DurableUser()) }
        try await creation.mutateCreated(
            .patch, body: .encoded(["name": "N"]), also: [users.edit { $0[0].name = "N" }]
        ).accepted()
        await first.outbox?.close()
        network.answer(.post, "/users", with: .response(201, headers: ["Location": "/users/7"]))
        network.answer(.patch, "/users/7", with: .response(409))
        app.connection.isConnected = true
        for _ in 0..<2 {  // The second time, the conflict is stored.
            let service = startGivingUp(Outbox(store))
            await service.outbox?.settled()
            #expect(network.writes.map { $0.url?.path } == ["/users", "/users/7"])
            #expect(service.outbox?.entries.map(\.state) == [.conflict(status: 409)])
            await service.outbox?.close()
        }
    }

    @Test func `No resolver decides about a conflict at a URL that the app has edited`() async throws {
        let service = startGivingUp(.inMemory())
        let (outbox, user) = (try #require(service.outbox), try await app.loaded(service, network))
        network.answer(.patch, "/users/1", with: .response(422))
        network.answer(.patch, "/users/2", with: .response(409))
        let change = user.rename("Grace")
        await outbox.settled()
        try await outbox.edit(#require(change.entryID)) { $0.address = .url("http://api.test/users/2") }
        await outbox.settled()
        #expect(network.writes.map { $0.url?.path } == ["/users/1", "/users/2"])
        #expect(outbox.entries.map(\.state) == [.conflict(status: 409)])
        #expect(change.state == .conflict)
    }

    @Test func `A refusal after an attempt without a result leaves stale data, also if the change is dropped`()
        async throws
    {
        let app = try await OutboxApp()
        try await app.load()
        app.network.answer(.patch, "/authors/1", with: .failure(.networkConnectionLost), .response(403))
        let change = app.author.mutate(.patch, body: .encoded(["name": "G"]), durable: true) { $0.name = "G" }
        try await Poll.until { app.sent.count == 1 && app.outbox.entries.first?.state == .queued }
        app.clock.advance(by: 5)
        await #expect(throws: RequestError.self) { try await change.value }
        #expect(app.author.isStale)
        try await app.outbox.drop(#require(change.entryID))
        #expect(app.author.content == Author())
        #expect(app.author.isStale)
    }
}
