import CacheTorture
import Foundation
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

/// Promises of the outbox that no other test checks.
@MainActor @Suite(.timeLimit(.test))
struct OutboxPromiseTests {
    private let app = RestartedApp()
    private let network = StubNetwork()
    private let done = StubAnswer.json(#"{"name": "Grace", "stars": 0}"#)

    @Test(arguments: [nil, "100"] as [String?])
    func `After a failed attempt, the scope waits, and as long as the server asks for`(asked: String?) async throws {
        let service = app.start(network, .inMemory())
        let user = try await app.loaded(service, network)
        let headers = asked.map { ["Retry-After": $0] } ?? [:]
        network.answer(.patch, "/users/1", with: .response(503, headers: headers), done)
        user.rename("Grace")
        await service.outbox?.settled()
        app.clock.advance(by: asked == nil ? 0.9 : 99)
        await service.outbox?.settled()
        #expect(network.writes.count == 1)
        app.clock.advance(by: 1.2)
        await service.outbox?.settled()
        #expect(network.writes.count == 2)
    }

    @Test func `The request has the header fields that the app has edited, and its content type`() async throws {
        app.connection.isConnected = false
        let service = app.start(network, .inMemory())
        let change = try await app.loaded(service, network).rename("Grace")
        try await service.outbox?.edit(#require(change.entryID)) { $0.headers["X-Trace"] = "7" }
        network.answer(.patch, "/users/1", with: done)
        app.connection.isConnected = true
        _ = try await change.request.value
        #expect(network.writes.map { $0.value(forHTTPHeaderField: "X-Trace") } == ["7"])
        #expect(network.writes.map { $0.value(forHTTPHeaderField: "Content-Type") } == ["application/json"])
    }

    @Test func `After a restart, a change has its state and its settlement`() async throws {
        let store = RecordOutboxStore.inMemory()
        let first = app.start(network, Outbox(store))
        network.answer(.patch, "/users/1", with: .response(422))
        var options = ChangeOptions()
        options.settlement = .reload
        try await app.loaded(first, network).rename("Grace", .patch, options).accepted()
        await first.outbox?.settled()
        await first.outbox?.close()
        let service = app.start(network, Outbox(store))
        await service.outbox?.isLoaded()
        let change = try #require(service.resource("/users/1").pendingChanges.first)
        #expect(change.state == .refused)
        #expect(change.options.settlement == .reload)
    }

    @Test func `A success whose body the pipeline refuses is a success`() async throws {
        let service = app.start(network, .inMemory()) { service in
            service.decode("/users/*", as: DurableUser.self, requestMethods: [.patch])
        }
        let user = try await app.loaded(service, network)
        network.answer(.patch, "/users/1", with: .json("no JSON"))
        user.rename("Grace")
        await service.outbox?.settled()
        #expect(service.outbox?.entries.isEmpty == true)
        #expect(network.writes.count == 1)
    }

    @Test(arguments: [true, false])
    func `The decision about a conflict is kept`(isGivenUp: Bool) async throws {
        let service = app.start(network, .inMemory()) { service in
            service.resolveConflicts("/users/*", as: DurableUser.self) { _ in
                isGivenUp ? .giveUp : .send(DurableUser(name: "Merged", stars: 3))
            }
        }
        let user = try await app.loaded(service, network)
        network.answer(.patch, "/users/1", with: .response(412), .failure(.networkConnectionLost))
        user.rename("Grace")
        await service.outbox?.settled()
        guard !isGivenUp else {
            #expect(service.outbox?.entries.isEmpty == true)
            #expect(user.content?.name == "Ada")
            return
        }
        let entry = try #require(service.outbox?.entries.first)
        guard case .bytes(let body) = entry.request.body else {
            Issue.record("\(entry.request.body)")
            return
        }
        #expect(try JSONDecoder().decode(DurableUser.self, from: body) == DurableUser(name: "Merged", stars: 3))
        #expect(entry.request.precondition.ifMatch == "\"1\"")
        #expect(entry.edits.count == 1)
        #expect(user.content == DurableUser(name: "Merged", stars: 3))
    }

    @Test func `A change that is made over theirs keeps its body, and has a new key`() async throws {
        let service = app.start(network, .inMemory()) { service in
            service.resolveConflicts("/users/*", as: DurableUser.self) { _ in .reapply }
        }
        let user = try await app.loaded(service, network)
        network.answer(.get, "/users/1", with: .json(#"{"name": "T", "stars": 9}"#, headers: ["ETag": "\"2\""]))
        network.answer(.patch, "/users/1", with: .response(412), .failure(.networkConnectionLost))
        user.mutate(.patch, body: .encoded(["name": "Grace"]), durable: true) {
            $0.name = "Grace"
            $0.stars += 1
        }
        await service.outbox?.settled()
        let entry = try #require(service.outbox?.entries.first)
        #expect(entry.state == .queued)
        #expect(entry.request.body == .bytes(Data(#"{"name":"Grace"}"#.utf8)))
        #expect(entry.request.precondition.ifMatch == "\"2\"")
        #expect(entry.edits.count == 1)
        #expect(entry.edits.allSatisfy { String(decoding: $0.delta, as: UTF8.self).contains("10") })
        #expect(user.content == DurableUser(name: "Grace", stars: 10))
        #expect(network.writes.map { $0.value(forHTTPHeaderField: "If-Match") } == [nil, "\"2\""])
        #expect(Set(network.writes.map { $0.value(forHTTPHeaderField: "Idempotency-Key") }).count == 2)
    }

    @Test func `A change of a resource that no longer exists stays, and the app decides`() async throws {
        let service = app.start(network, .inMemory()) { service in
            service.resolveConflicts("/users/*", as: DurableUser.self) { _ in .reapply }
        }
        let user = try await app.loaded(service, network)
        network.answer(.get, "/users/1", with: .response(404))
        network.answer(.patch, "/users/1", with: .response(412))
        let change = user.rename("Grace")
        await #expect(throws: RequestError.self) { _ = try await change.request.value }
        await service.outbox?.settled()
        #expect(change.state == .conflict)
        #expect(service.outbox?.entries.map(\.state) == [.conflict(status: 412)])
    }

    @Test(arguments: [true, false])
    func `A change of data that was not loaded leaves stale data, also after a restart`(
        isRestarted: Bool
    ) async throws {
        let store = RecordOutboxStore.inMemory()
        app.connection.isConnected = false
        var service = app.start(network, Outbox(store))
        let unloaded: TypedResource<DurableUser> = service.resource("/users/1").typed()
        try await unloaded.rename("Grace").accepted()
        if isRestarted {
            await service.outbox?.close()
            service = app.start(network, Outbox(store))
            await service.outbox?.isLoaded()
        }
        let user = try await app.loaded(service, network)
        #expect(!user.isStale)
        network.answer(.patch, "/users/1", with: .response(204))
        app.connection.isConnected = true
        await service.outbox?.settled()
        #expect(service.outbox?.entries.isEmpty == true)
        #expect(user.isStale)
    }

    @Test(arguments: [StubAnswer.response(204), .json(#"{"ok": true}"#)])
    func `After a restart without cached data, no other response is the content`(answer: StubAnswer) async throws {
        let store = RecordOutboxStore.inMemory()
        app.connection.isConnected = false
        let first = app.start(network, Outbox(store))
        try await app.loaded(first, network).rename("Grace").accepted()
        await first.outbox?.close()
        network.answer(.patch, "/users/1", with: answer)
        app.connection.isConnected = true
        let service = app.start(network, Outbox(store))
        await service.outbox?.isLoaded()
        await service.outbox?.settled()
        #expect(network.writes.count == 1)
        let user = service.resource("/users/1")
        #expect(user.latestData == nil)
        #expect(user.isStale)
    }

    @Test(arguments: [true, false])
    func `A change that no outbox can keep is not accepted`(hasOutbox: Bool) async throws {
        let service = app.start(network, hasOutbox ? .inMemory() : nil)
        let user: TypedResource<DurableUser> = service.resource("/users/1").typed()
        let change = user.mutate(.patch, body: .encoded(["stars": hasOutbox ? Double.nan : 1]), durable: true)
        let error = await #expect(throws: (any Error).self) { try await change.accepted() }
        #expect((error as? OutboxError == .noOutbox) == !hasOutbox)
        #expect(change.state == .failed)
    }

    @Test func `A server that still works on an earlier attempt does not receive the change with another key`()
        async throws
    {
        let service = app.start(network, .inMemory()) { service in
            service.resolveConflicts("/users/*", as: DurableUser.self) { _ in .reapply }
        }
        let user = try await app.loaded(service, network)
        network.answer(.patch, "/users/1", with: .failure(.networkConnectionLost), .response(409), done)
        let change = user.rename("Grace")
        for _ in 0..<2 {
            await service.outbox?.settled()
            app.clock.advance(by: 10)
        }
        _ = try await change.request.value
        #expect(network.writes.count == 3)
        #expect(Set(network.writes.map { $0.value(forHTTPHeaderField: "Idempotency-Key") }).count == 1)
    }
}
