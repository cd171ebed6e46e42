import CacheTorture
import Foundation
import Observation
import SiestaCore
import SiestaSessions
import SiestaTesting
import SiestaWriting
import TestKit
import Testing
import Waiting

@testable import SiestaCaches

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The time at which an entry leaves the list of entries.
@MainActor @Suite(.timeLimit(.test))
struct SettledEntriesTests {
    private static let created = #"[{"name": "New", "stars": 7}]"#

    private func app() async throws -> (app: OutboxApp, list: TypedResource<[Author]>) {
        let app = try await OutboxApp { service in
            service.decode("/authors", as: [Author].self, requestMethods: [.get])
        }
        app.network.answer(.get, "/authors", with: .json("[]", headers: ["ETag": "\"0\""]), .json(Self.created))
        let list: TypedResource<[Author]> = app.service.resource("/authors").typed()
        try await list.get(.always)
        return (app, list)
    }

    private func create(
        _ list: TypedResource<[Author]>, _ settlement: ChangeOptions.Settlement = .response
    ) -> PendingChange {
        var options = ChangeOptions()
        options.settlement = settlement
        let temporary = Author(name: "temporary")
        return list.mutate(.post, body: .encoded(temporary), options: options, durable: true) { $0.append(temporary) }
    }

    private static let answers: [StubAnswer] = [
        .response(201), .json(#"{"name": "New", "stars": 7}"#, status: 201, headers: ["ETag": "\"1\""]),
        .json("[]", headers: ["ETag": "\"1\""]),
    ]

    @Test(arguments: 0..<3, [ChangeOptions.Settlement.response, .edit])
    func `A load that begins when there is no entry leaves no temporary row`(
        number: Int, settlement: ChangeOptions.Settlement
    ) async throws {
        let (app, list) = try await app()
        app.network.answer(.post, "/authors", with: .held)
        let change = create(list, settlement)
        try await change.accepted()
        let sent = try await app.network.exchange(2)
        app.store.hold()
        sent.respond(with: Self.answers[number])
        try await Poll.until { app.store.waitingCount == 1 || app.outbox.entries.isEmpty }
        #expect(app.outbox.entries.map(\.state) == [.confirmed])
        app.store.release()
        // Observation announces each change of the entries before it happens.
        while !app.outbox.entries.isEmpty { await Task.yield() }
        #expect(list.resource.pendingChanges.isEmpty)
        #expect(!change.isPending)
        try await list.get(.always)
        #expect(list.content == [Author(name: "New", stars: 7)])
        #expect(list.isUpToDate)
    }

    @Test func `The entry of a change that is settled by a load stays until the load has ended`() async throws {
        let (app, list) = try await app()
        app.network.answer(.post, "/authors", with: .response(201))
        app.network.answer(.get, "/authors", with: .held)
        let change = create(list, .reload)
        let load = try await app.network.exchange(3)
        #expect(change.state == .settling)
        #expect(app.outbox.entries.map(\.state) == [.confirmed])
        #expect(try await app.storedEntries().isEmpty)
        load.respond(with: .json(Self.created))
        _ = try await change.request.value
        #expect(app.outbox.entries.isEmpty)
        #expect(list.content == [Author(name: "New", stars: 7)])
    }

    @Test func `A confirmed entry leaves the list before anybody is told of the end of its change`() async throws {
        let (app, list) = try await app()
        app.service.configure("/authors", requestMethods: [.post]) { $0.invalidates = ["authors"] }
        app.service.configure("/authors/*") { $0.tags = ["authors"] }
        try await app.load()
        app.network.answer(.post, "/authors", with: .response(201))
        let change = create(list)
        var counts: [Int] = []
        change.request.onCompletion { _ in counts.append(app.outbox.entries.count) }
        _ = try await change.request.value
        #expect(app.author.isStale)
        #expect(counts == [0])
    }

    @Test func `A confirmed entry is neither dropped, retried nor edited, and waits for nothing`() async throws {
        let (app, list) = try await app()
        app.network.answer(.post, "/authors", with: .response(201))
        app.network.answer(.get, "/authors", with: .held)
        let change = create(list, .reload)
        let load = try await app.network.exchange(3)
        let id = try #require(change.entryID)
        #expect(app.outbox.obstacle(for: id) == nil)
        await #expect(throws: OutboxError.unknownEntry(id: id)) { try await app.outbox.drop(id) }
        await #expect(throws: OutboxError.unknownEntry(id: id)) { try await app.outbox.retry(id) }
        await #expect(throws: OutboxError.unknownEntry(id: id)) { try await app.outbox.edit(id) { _ in } }
        #expect(app.outbox.entries.map(\.state) == [.confirmed])
        load.respond(with: .json(Self.created))
        await app.outbox.settled()
        #expect(app.outbox.entries.isEmpty)
    }

    @Test(arguments: [true, false])
    func `A confirmed entry leaves the list if its data is wiped, or if its principal signs out`(
        isSignOut: Bool
    ) async throws {
        let (app, list) = try await app()
        app.network.answer(.post, "/authors", with: .response(201))
        app.network.answer(.get, "/authors", with: .held)
        let change = create(list, .reload)
        _ = try await app.network.exchange(3)
        #expect(app.outbox.entries.map(\.state) == [.confirmed])
        if isSignOut { await app.session.signOut() } else { app.service.wipeResources() }
        #expect(app.outbox.entries.isEmpty)
        #expect(!change.isPending)
    }

    @Test func `A confirmed entry of a principal who has signed out meanwhile leaves the list`() async throws {
        let (app, list) = try await app()
        app.network.answer(.post, "/authors", with: .held)
        let change = create(list)
        try await change.accepted()
        let sent = try await app.network.exchange(2)
        app.store.hold()
        sent.respond(with: .response(201))
        try await Poll.until { app.store.waitingCount == 1 }
        try await app.signInBob()
        app.store.release()
        await app.outbox.settled()
        #expect(app.outbox.entries.isEmpty)
    }

    @Test func `An entry that is dropped leaves the list together with its edit`() async throws {
        let (app, list) = try await app()
        app.connection.isConnected = false
        let change = create(list)
        try await change.accepted()
        let id = try #require(change.entryID)
        app.store.hold()
        async let dropped: Void = app.outbox.drop(id)
        try await Poll.until { app.store.waitingCount == 1 }
        #expect(app.outbox.entries.map(\.id) == [id])
        #expect(list.content?.isEmpty == false)
        app.store.release()
        while !app.outbox.entries.isEmpty { await Task.yield() }
        #expect(list.content == [])
        try await dropped
        #expect(app.outbox.entries.isEmpty)
    }

    @Test func `Observation announces that a confirmed entry leaves the list`() async throws {
        let (app, list) = try await app()
        app.network.answer(.post, "/authors", with: .response(201))
        app.network.answer(.get, "/authors", with: .held)
        _ = create(list, .reload)
        let load = try await app.network.exchange(3)
        let (changes, continuation) = AsyncStream<Void>.makeStream()
        withObservationTracking {
            #expect(app.outbox.entries.count == 1)
        } onChange: {
            continuation.finish()
        }
        load.respond(with: .json(Self.created))
        for await _ in changes {}
        await app.outbox.settled()
        #expect(app.outbox.entries.isEmpty)
    }

    @Test func `The next change of a scope waits for a confirmed entry`() async throws {
        let (app, list) = try await app()
        app.network.answer(.post, "/authors", with: .response(201))
        app.network.answer(.get, "/authors", with: .held)
        let first = create(list, .reload)
        let second = create(list)
        let load = try await app.network.exchange(3)
        #expect(app.outbox.entries.map(\.id) == [first.entryID, second.entryID])
        #expect(app.outbox.entries.first?.state == .confirmed)
        load.respond(with: .json(Self.created))
        _ = try await second.request.value
        #expect(app.sent.count == 2)
        #expect(app.outbox.entries.isEmpty)
    }

    @Test func `An outbox that has ended contains no confirmed entry`() async throws {
        let (app, list) = try await app()
        app.network.answer(.post, "/authors", with: .response(201))
        app.network.answer(.get, "/authors", with: .held)
        _ = create(list, .reload)
        _ = try await app.network.exchange(3)
        let outbox = app.outbox
        await outbox.close()
        #expect(outbox.entries.isEmpty)
    }
}
