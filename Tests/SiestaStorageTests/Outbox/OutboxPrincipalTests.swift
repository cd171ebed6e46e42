import Foundation
import Isolation
import SiestaCore
import SiestaSessions
import SiestaTesting
import TestKit
import Testing
import Waiting

@testable import SiestaCaches
@testable import SiestaWriting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Changes of a principal who signs out before they have ended.
@MainActor @Suite(.timeLimit(.test))
struct OutboxPrincipalTests {
    private let bob = Author(name: "Bob")

    private func expectBob(_ app: OutboxApp) {
        #expect(app.author.content == bob)
        #expect(app.author.resource.pendingChanges.isEmpty)
        #expect(!app.author.resource.isOptimistic)
        #expect(app.outbox.entries.allSatisfy { $0.principal == "ada" })
        let authorized = app.sent.map { $0.value(forHTTPHeaderField: "Authorization") }
        #expect(authorized.allSatisfy { $0 == "Bearer A" })
    }

    @Test(arguments: [true, false])
    func `A resolver that decides after the sign-out shows and stores nothing`(givesUp: Bool) async throws {
        let app = try await OutboxApp()
        let (decisions, decide) = AsyncStream<Void>.makeStream()
        let asked = Locked(false)
        app.service.resolveConflicts("/authors/*", as: Author.self) { conflict in
            asked.withLock { $0 = true }
            for await _ in decisions { break }
            return givesUp ? .giveUp : .send(Author(name: "Merged"))
        }
        try await app.load()
        app.network.answer(.put, "/authors/1", with: .response(412))
        let change = app.author.mutate(.put, body: .encoded(Author(name: "Mine")), durable: true) { $0.name = "Mine" }
        try await Poll.until { asked.withLock { $0 } }
        let before = app.outbox.entries
        try await app.signInBob()
        try await app.load(bob)
        decide.yield()
        await app.outbox.settled()
        expectBob(app)
        #expect(app.outbox.entries == before)
        #expect(try await app.storedEntries() == before)
        #expect(app.sent.count == 1)
        extendLifetime(change)
    }

    @Test func `A conflict that was left open by the sign-out is decided when its principal is back`() async throws {
        let app = try await OutboxApp()
        let (decisions, decide) = AsyncStream<Void>.makeStream()
        let asked = Locked(0)
        app.service.resolveConflicts("/authors/*", as: Author.self) { conflict in
            asked.withLock { $0 += 1 }
            for await _ in decisions { break }
            return .force
        }
        try await app.load()
        app.network.answer(.put, "/authors/1", with: .response(412), .response(412), Author(name: "Mine").json("3"))
        app.author.mutate(.put, body: .encoded(Author(name: "Mine")), durable: true) { $0.name = "Mine" }
        try await Poll.until { asked.withLock { $0 } == 1 }
        try await app.signInBob()
        decide.yield()
        await app.outbox.settled()
        #expect(app.sent.count == 1)
        await app.session.signOut()
        try await app.session.signIn("ada", with: Credential("A"))
        try await Poll.until { asked.withLock { $0 } == 2 }
        #expect(app.author.content?.name == "Mine")
        decide.yield()
        await app.outbox.settled()
        #expect(app.outbox.entries.isEmpty)
        #expect(app.sent.count == 3)
        try await Poll.until { app.author.resource.pendingChanges.isEmpty }
    }

    @Test func `A conflict that was not decided before the end of the process is asked again`() async throws {
        let first = try await OutboxApp()
        try await first.load()
        first.network.answer(.put, "/authors/1", with: .response(412))
        _ = try? await first.author.mutate(.put, body: .encoded(Author(name: "Mine")), durable: true) {
            $0.name = "Mine"
        }.value
        #expect(first.outbox.entries.map(\.state) == [.conflict(status: 412)])
        await first.outbox.close()

        let network = StubNetwork()
        network.answer(.get, "/authors/1", with: Author(name: "Theirs").json("2"))
        network.answer(.put, "/authors/1", with: .response(412), Author(name: "Merged").json("3"))
        let second = try await OutboxApp(first.records, network: network) { service in
            service.resolveConflicts("/authors/*", as: Author.self) { _ in .send(Author(name: "Merged")) }
        }
        await second.outbox.settled()
        try #require(second.outbox.entries.isEmpty)
        try await Poll.until { second.author.content?.name == "Merged" }

        let undecided = MemoryRecordStore()
        let third = try await OutboxApp(undecided)
        third.network.answer(.put, "/authors/1", with: .response(412))
        _ = try? await third.author.mutate(.put, body: .encoded(Author(name: "Mine")), durable: true) { _ in }.value
        await third.outbox.close()
        let fourth = try await OutboxApp(undecided)
        await fourth.outbox.settled()
        #expect(fourth.sent.isEmpty)
        #expect(fourth.outbox.entries.map(\.state) == [.conflict(status: 412)])
    }

    @Test(arguments: [ChangeOptions.Settlement.response, .reload])
    func `A confirmed change of the last principal does not reach the data of the next one`(
        settlement: ChangeOptions.Settlement
    ) async throws {
        let gate = DispatchSemaphore(value: 0)
        let isBlocked = Locked(false)
        let app = try await OutboxApp { service in
            service.configure("/authors/*", requestMethods: [.get]) {
                $0.pipeline[.cleanup].add(
                    Blocking { data in
                        guard data?.name == "Confirmed" else { return }
                        isBlocked.withLock { $0 = true }
                        gate.wait()
                    })
            }
        }
        try await app.load()
        var options = ChangeOptions()
        options.settlement = settlement
        app.network.answer(.put, "/authors/1", with: Author(name: "Confirmed").json("2"))
        if settlement == .reload { app.network.answer(.get, "/authors/1", with: .held) }
        let change = app.author.mutate(
            .put, body: .encoded(Author(name: "Mine")), also: [app.author.replace(by: Author(name: "Mine"))],
            options: options,
            durable: true
        ) { _ in }
        if settlement == .response { try await Poll.until { isBlocked.withLock { $0 } } }
        try await Poll.until { change.state == .settling }
        try await app.signInBob()
        #expect(app.author.content == nil)
        #expect(app.author.resource.pendingChanges.isEmpty)
        try await app.load(bob)
        gate.signal()
        await app.outbox.settled()
        _ = try? await change.value
        expectBob(app)
        #expect(app.outbox.entries.isEmpty)
        #expect(app.sent.count == 1)
    }

    @Test func `A change is shown once if its principal signs in again while it is sent`() async throws {
        let app = try await OutboxApp()
        try await app.load()
        app.network.answer(.patch, "/authors/1", with: .held)
        let change = app.author.mutate(.patch, body: .encoded(["name": "G"]), durable: true) { $0.name = "G" }
        _ = try await app.network.exchange(2)
        await app.session.signOut()
        app.network.answer(.patch, "/authors/1", with: Author(name: "G").json("2"))
        try await app.session.signIn("ada", with: Credential("A2"))
        #expect(app.author.resource.pendingChanges.count == 1)
        try await app.load()
        await app.outbox.settled()
        app.clock.advance(by: 10)
        await app.outbox.settled()
        #expect(app.outbox.entries.isEmpty)
        try await Poll.until { app.author.resource.pendingChanges.isEmpty }
        #expect(Set(app.sent.map { $0.value(forHTTPHeaderField: "Idempotency-Key") }).count == 1)
        extendLifetime(change)
    }

    @Test func `A change is shown if its principal returns before it is accepted`() async throws {
        let app = try await OutboxApp()
        try await app.load()
        app.connection.isConnected = false
        try await app.holdStore()
        let change = app.author.mutate(.patch, body: .encoded(["name": "G"]), durable: true) { $0.name = "G" }
        await app.session.signOut()
        try await app.session.signIn("ada", with: Credential("A"))
        app.store.release()
        try await change.accepted()
        await app.outbox.settled()
        #expect(app.outbox.entries.count == 2)
        #expect(app.author.resource.pendingChanges.map(\.entryID) == [change.entryID])
    }

    @Test func `A change whose start is stored while its principal signs out is not sent`() async throws {
        let app = try await OutboxApp()
        try await app.load()
        app.connection.isConnected = false
        let change = app.author.mutate(.patch, body: .encoded(["name": "G"]), durable: true) { $0.name = "G" }
        try await change.accepted()
        await app.outbox.settled()
        app.store.hold()
        app.connection.isConnected = true
        try await Poll.until { app.store.waitingCount == 1 }
        try await app.signInBob()
        try await app.load(bob)
        app.store.release()
        await app.outbox.settled()
        expectBob(app)
        #expect(app.sent.isEmpty)
        #expect(app.outbox.entries.map(\.state) == [.queued])
        #expect(app.outbox.entries.map(\.attempts) == [0])
    }

    @Test func `A created resource of another origin receives no credential`() async throws {
        let app = try await OutboxApp()
        app.connection.isConnected = false
        let authors: TypedResource<[Author]> = app.service.resource("/authors").typed()
        let create = authors.mutate(.post, body: .encoded(Author()), durable: true) { $0.append(Author()) }
        let rename = create.mutateCreated(.patch, body: .encoded(["name": "N"]))
        try await rename.accepted()
        app.network.answer(.post, "/authors", with: .response(201, headers: ["Location": "http://evil.test/1"]))
        app.network.handler = { $0.url?.host == "evil.test" ? .response(204) : nil }
        app.connection.isConnected = true
        await app.outbox.settled()
        #expect(app.sent.map { $0.value(forHTTPHeaderField: "Authorization") }.first == "Bearer A")
        for request in app.sent.dropFirst() {
            #expect(request.value(forHTTPHeaderField: "Authorization") == nil)
        }
    }

    @Test func `A change is sent only for a user whose name has the same bytes`() async throws {
        let names = ["jos\u{e9}", "jose\u{301}"]
        let app = try await OutboxApp()
        for name in names {
            await app.session.signOut()
            try await app.session.signIn(name, with: Credential("token of \(name.utf8.count) bytes"))
            app.connection.isConnected = false
            let change = app.author.mutate(.patch, body: .encoded(["name": name]), durable: true) { $0.name = name }
            try await change.accepted()
        }
        #expect(app.outbox.entries.count == 2)
        #expect(app.author.resource.pendingChanges.count == 1)
        app.network.answer(.patch, "/authors/1", with: Author().json("2"), Author().json("3"))
        app.connection.isConnected = true
        await app.outbox.settled()
        #expect(app.sent.map { $0.value(forHTTPHeaderField: "Authorization") } == ["Bearer token of 6 bytes"])
        #expect(app.outbox.entries.map { $0.principal.map { Array($0.utf8) } } == [Array(names[0].utf8)])
        await app.session.signOut()
        try await app.session.signIn(names[0], with: Credential("token of 5 bytes"))
        await app.outbox.settled()
        #expect(app.sent.last?.value(forHTTPHeaderField: "Authorization") == "Bearer token of 5 bytes")
        #expect(app.outbox.entries.isEmpty)
    }

    @Test func `A change ends once if its principal returns before its confirmation is stored`() async throws {
        let app = try await OutboxApp()
        try await app.load()
        app.network.answer(.patch, "/authors/1", with: .held)
        let change = app.author.mutate(.patch, body: .encoded(["name": "G"]), durable: true) { $0.name = "G" }
        let sent = try await app.network.exchange(2)
        try await app.holdStore()
        sent.respond(with: Author(name: "G", stars: 7).json("2"))
        try await Poll.until { change.delegate.sent == nil }
        await app.session.signOut()
        try await app.session.signIn("ada", with: Credential("A"))
        try await app.load()
        #expect(app.author.content?.name == "G")
        app.network.answer(.patch, "/authors/2", with: .response(204))
        app.store.release()
        await app.outbox.settled()
        try await Poll.until { app.author.resource.pendingChanges.isEmpty }
        #expect(app.author.content == Author(name: "G", stars: 7))
        #expect(app.author.isStale)  // A load has begun since the change was sent.
        try await app.signInBob()
        try await app.load(bob)
        expectBob(app)
        #expect(app.sent.count == 2)
    }

    /// Makes a change of an author that also edits a public list, and signs its principal out before the response to the
    /// request is stored.
    private func changeOfSharedData(
        _ isConfirmed: Bool,
        then check: (_ app: OutboxApp, _ list: TypedResource<[Author]>, _ tagged: Resource) async throws -> Void
    ) async throws {
        let app = try await OutboxApp { service in
            service.configure("/public/**") { $0.isPersonal = false }
            service.decode("/public/authors", as: [Author].self, requestMethods: [.get])
            service.configure("/public/tagged") { $0.tags = ["authors"] }
            service.configure("/authors/*", requestMethods: [.patch]) { $0.invalidates = ["authors"] }
        }
        let list: TypedResource<[Author]> = app.service.resource("/public/authors").typed()
        let tagged = app.service.resource("/public/tagged")
        app.network.answer(.get, "/public/authors", with: .json(#"[{"name": "Ada", "stars": 0}]"#))
        app.network.answer(.get, "/public/tagged", with: .text("Ada"))
        try await app.load()
        try await list.get(.always)
        _ = try await tagged.load().value
        app.network.answer(.patch, "/authors/1", with: .held)
        app.author.mutate(.patch, body: .encoded(["name": "G"]), also: [list.edit { $0[0].name = "G" }], durable: true)
        {
            $0.name = "G"
        }
        let sent = try await app.network.exchange(4)
        #expect(list.content?.map(\.name) == ["G"])
        app.store.hold()
        if isConfirmed {
            sent.respond(with: .response(204))
            try await Poll.until { app.store.waitingCount == 1 }
        }
        await app.session.signOut()
        try await check(app, list, tagged)
        app.store.release()
    }

    @Test(arguments: [true, false])
    func `Shared data without the change of a principal who has signed out is stale`(isConfirmed: Bool) async throws {
        try await changeOfSharedData(isConfirmed) { app, list, tagged in
            #expect(list.content?.map(\.name) == ["Ada"])
            #expect(list.isStale)
            #expect(!tagged.isUpToDate)
            app.store.release()
            await app.outbox.settled()
            #expect(list.isStale)
        }
    }

    @Test func `Shared data is stale after the confirmation of a change whose principal has signed out`() async throws {
        try await changeOfSharedData(true) { app, list, _ in
            app.network.answer(.get, "/public/authors", with: .json(#"[{"name": "Ada", "stars": 1}]"#))
            try await list.get(.always)
            app.store.release()
            await app.outbox.settled()
            #expect(list.content == [Author(stars: 1)])
            #expect(list.isStale)
        }
    }

    @Test func `After a sign-out, changes that failed with the session are sent as soon as their user is back`()
        async throws
    {
        let app = try await OutboxApp()
        try await app.load()
        app.network.handler = { request in
            guard request.httpMethod == "PATCH" else { return nil }
            return request.value(forHTTPHeaderField: "Authorization") == "Bearer A" ? .response(401) : .response(204)
        }
        app.author.mutate(.patch, body: .encoded(["name": "G"]), durable: true) { $0.name = "G" }
        try await Poll.until { app.sent.count == 1 && app.outbox.entries.first?.state == .queued }
        await app.session.signOut()
        try await app.session.signIn("ada", with: Credential("A2"))
        try await Poll.until { app.sent.count == 2 }  // The clock stands still.
    }
}

/// Runs code of the test while a response is processed.
private struct Blocking: ResponseTransformer {
    let block: @Sendable (Author?) -> Void

    func process(_ response: Response) -> Response {
        if case .success(let entity) = response { block(entity.content as? Author) }
        return response
    }
}
