import Foundation
import SiestaCore
import SiestaTesting
import TestKit
import Testing
import Waiting

@testable import SiestaCaches
@testable import SiestaWriting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Decisions about an entry while earlier ones are being stored.
@MainActor @Suite(.timeLimit(.test))
struct OutboxOrderTests {
    @Test func `A change that is cancelled while it is stored does not come back after a restart`() async throws {
        let app = try await OutboxApp()
        try await app.load()
        app.store.hold()
        let change = app.author.mutate(.patch, body: .encoded(["name": "G"]), durable: true) { $0.name = "G" }
        try await Poll.until { app.store.waitingCount == 1 }
        change.cancel()
        app.store.release()
        await app.outbox.settled()
        #expect(app.outbox.entries.isEmpty)
        #expect(try await app.storedEntries().isEmpty)
        #expect(app.sent.isEmpty)
        #expect(app.author.content == Author())
    }

    @Test func `A change that an observer cancels when it appears is neither stored nor sent`() async throws {
        let app = try await OutboxApp()
        try await app.load()
        app.author.resource.addObserver(owner: app.outbox) { author, _ in
            author.pendingChanges.first?.cancel()
        }
        let change = app.author.mutate(.patch, body: .encoded(["name": "G"]), durable: true) { $0.name = "G" }
        #expect(change.state == .failed)
        await #expect(throws: (any Error).self) { try await change.accepted() }
        await app.outbox.settled()
        #expect(app.sent.isEmpty)
        #expect(try await app.storedEntries().isEmpty)
        #expect(app.author.content == Author())
    }

    @Test func `A change that is dropped when it is too old does not come back after a restart`() async throws {
        let app = try await OutboxApp()
        try await app.load()
        app.connection.isConnected = false
        let change = app.author.mutate(.patch, body: .encoded(["name": "G"]), durable: true) { $0.name = "G" }
        try await change.accepted()
        await app.outbox.settled()
        app.clock.advance(by: .seconds(31 * 86_400))
        try await app.outbox.drop(#require(change.entryID))
        await app.outbox.settled()
        #expect(app.outbox.entries.isEmpty)
        #expect(try await app.storedEntries().isEmpty)
    }

    @Test func `A change that is dropped while its confirmation waits for the disk is part of the data`() async throws {
        let app = try await OutboxApp()
        try await app.load()
        app.network.answer(.patch, "/authors/1", with: .held)
        app.network.answer(.patch, "/authors/2", with: .response(204))
        let change = app.author.mutate(.patch, body: .encoded(["name": "G"]), durable: true) { $0.name = "G" }
        let (sent, id) = (try await app.network.exchange(2), try #require(change.entryID))
        try await app.holdStore()
        sent.respond(with: Author(name: "G", stars: 7).json("2"))
        try await Poll.until { change.delegate.sent == nil }
        let outbox = app.outbox
        let dropped = Task { try await outbox.drop(id) }
        try await Poll.until { outbox.work.waiting.count == 2 }
        app.store.release()
        await #expect(throws: OutboxError.unknownEntry(id: id)) { try await dropped.value }
        await outbox.settled()
        #expect(change.state == .succeeded)
        #expect(app.author.content == Author(name: "G", stars: 7))
    }

    @Test func `The last write of an entry is its state`() async throws {
        let app = try await OutboxApp()
        try await app.load()
        app.network.answer(.patch, "/authors/1", with: .response(422), Author(name: "G").json("2"))
        let change = app.author.mutate(.patch, body: .encoded(["name": "G"]), durable: true) { $0.name = "G" }
        _ = try? await change.value
        let id = try #require(change.entryID)
        app.network.answer(.patch, "/authors/1", with: .held)
        app.store.hold()
        async let retried: Void = app.outbox.retry(id)
        try await Poll.until { app.store.waitingCount == 1 }
        app.store.release()
        try await retried
        _ = try await app.network.exchange(3)
        #expect(change.state == .sending)
        #expect(try await app.storedEntries().map(\.state) == app.outbox.entries.map(\.state))
    }

    @Test func `A decision about a conflict that exceeds a limit leaves the conflict`() async throws {
        let app = try await OutboxApp()
        app.service.resolveConflicts("/authors/*", as: Author.self) { _ in
            .send(Author(name: String(repeating: "x", count: 10_000)))
        }
        try await app.load()
        app.outbox.byteLimit = 5_000
        app.network.answer(.put, "/authors/1", with: .response(412))
        let change = app.author.mutate(.put, body: .encoded(Author(name: "M")), durable: true) { $0.name = "M" }
        await #expect(throws: RequestError.self) { try await change.value }
        #expect(change.state == .conflict)
        #expect(app.outbox.entries.map(\.state) == [.conflict(status: 412)])
        #expect(try await app.storedEntries().map(\.state) == [.conflict(status: 412)])
    }

    @Test(arguments: ["\"2\"", nil])
    func `A change has the version that the earlier change has made as its condition`(etag: String?) async throws {
        let app = try await OutboxApp { service in
            service.configure("/authors/*", requestMethods: [.patch]) { $0.precondition = .unchanged }
        }
        try await app.load()
        app.connection.isConnected = false
        app.author.mutate(.patch, body: .encoded(["name": "G"]), durable: true) { $0.name = "G" }
        let second = app.author.mutate(.patch, body: .encoded(["stars": 1]), durable: true) { $0.stars = 1 }
        try await second.accepted()
        let headers = etag.map { ["ETag": $0] } ?? [:]
        app.network.answer(.patch, "/authors/1", with: .response(204, headers: headers), .response(204))
        let gate = StubGate()
        app.network.answer(.get, "/authors/1", with: Author(name: "G").json("2").after(gate))
        app.connection.isConnected = true
        if etag == nil {
            try await Poll.until { gate.waitingCount == 1 }
            app.outbox.sendNow()
            #expect(app.sent.count == 1)
        }
        gate.open()
        try await Poll.until { app.sent.count == 2 }
        #expect(app.sent.map { $0.value(forHTTPHeaderField: "If-Match") } == ["\"1\"", "\"2\""])
        try await Poll.until { app.outbox.entries.isEmpty && app.author.resource.pendingChanges.isEmpty }
        #expect(app.author.content == Author(name: "G", stars: 1) || app.author.content == Author(name: "G"))
    }

    @Test func `A created resource can be changed while the confirmation of its creation waits for the disk`()
        async throws
    {
        let app = try await OutboxApp()
        app.network.answer(.post, "/authors", with: .held)
        for id in [2, 7] { app.network.answer(.patch, "/authors/\(id)", with: .response(204)) }
        let authors: TypedResource<[Author]> = app.service.resource("/authors").typed()
        let creation = authors.mutate(.post, body: .encoded(Author()), durable: true) { _ in }
        let sent = try await app.network.exchange(1)
        try await app.holdStore()
        sent.respond(with: .response(201, headers: ["Location": "/authors/7"]))
        try await Poll.until { creation.delegate.sent == nil }
        let change = creation.mutateCreated(.patch, body: .encoded(["name": "N"]))
        #expect(app.outbox.work.waiting.count == 2)
        app.store.release()
        try await change.accepted()
        _ = try await change.request.value
        #expect(app.sent.contains { $0.httpMethod == "PATCH" && $0.url?.path == "/authors/7" })
    }

    @Test func `Changes that a start could not read come before those that were made then`() async throws {
        let records = MemoryRecordStore()
        func make(_ names: [String]) async throws {
            let app = try await OutboxApp(records)
            try await app.load()
            app.connection.isConnected = false
            for name in names {
                let change = app.author.mutate(.patch, body: .encoded(["name": name]), durable: true) { $0.name = name }
                try await change.accepted()
            }
            await app.outbox.close()
        }
        try await make(["1", "2", "3"])
        let key = try #require(await records.allKeys().first)
        let record = try #require(await records.read([key])[key])
        try await records.apply([.write(key, Data([0]))])
        try await make(["4"])
        try await records.apply([.write(key, record)])
        let app = try await OutboxApp(records) { $0.networkStatus = NetworkStatus(isConnected: false) }
        let bodies = app.outbox.entries.compactMap(\.request.data).map { String(decoding: $0, as: UTF8.self) }
        #expect(bodies == ["1", "2", "3", "4"].map { #"{"name":"\#($0)"}"# })
    }
}
