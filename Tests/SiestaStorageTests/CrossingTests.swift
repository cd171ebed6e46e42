import CacheTorture
import Foundation
import Isolation
import LoopbackServer
import SiestaCore
import SiestaRetrying
import SiestaSessions
import SiestaTesting
import TestDoubles
import TestKit
import Testing
import Waiting

@testable import SiestaCaches
@testable import SiestaOutboxStorage
@testable import SiestaWriting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Two features at once.
@MainActor @Suite(.timeLimit(.test))
struct CrossingTests {
    private let app = RestartedApp()
    private let network = StubNetwork()

    @Test func `A 304 of another resource, to which a redirect now leads, confirms nothing`() async throws {
        let target = Locked(1)
        let server = try LoopbackServer { exchange in
            let number = target.withLock { $0 }
            switch exchange.request.target {
            case "/current": try exchange.respond(302, headers: ["Location: /documents/\(number)"])
            default:
                if exchange.request.header("If-None-Match") == "\"1\"" {
                    return try exchange.respond(304, headers: ["ETag: \"1\""])
                }
                try exchange.respond(headers: ["Content-Type: text/plain", "ETag: \"1\""], text: "document \(number)")
            }
        }
        let service = Service(baseURL: server.url("/"))
        let current: TypedResource<String> = service.resource("/current").typed()
        try await current.get(.always)
        #expect(current.content == "document 1")
        target.withLock { $0 = 2 }
        try await current.get(.always)
        #expect(current.content == "document 2")
    }

    @Test func `The condition of a change does not belong to the resource to which a 303 leads`() async throws {
        let server = try LoopbackServer { exchange in
            switch (exchange.request.method, exchange.request.target) {
            case ("PUT", _): try exchange.respond(303, headers: ["Location: /receipts/9"])
            case (_, "/receipts/9"):
                if exchange.request.header("If-Match") != nil { return try exchange.respond(412) }
                try exchange.respond(headers: ["Content-Type: text/plain"], text: "done")
            default:
                try exchange.respond(
                    headers: ["Content-Type: application/json", "ETag: \"1\""], text: #"{"name": "Ada", "stars": 0}"#)
            }
        }
        let service = Service(baseURL: server.url("/"), standardTransformers: [])
        service.decode("/users/*", as: DurableUser.self, requestMethods: [.get])
        service.configure("/users/*", requestMethods: [.put]) { $0.precondition = .unchanged }
        let user: TypedResource<DurableUser> = service.resource("/users/1").typed()
        try await user.get(.always)
        let result = await user.mutate(.put, body: .encoded(DurableUser(name: "Grace"))) { $0.name = "Grace" }.request
            .response.response
        if case .failure(let error) = result { Issue.record("\(error)") }
    }

    @Test(arguments: [true, false])
    func `Data that was asked for before a deletion does not bring the resource back`(isSeed: Bool) async throws {
        let service = app.start(network, nil)
        let user = try await app.loaded(service, network)
        let list = service.resource("/list")
        let owner = NSObject()
        list.addObserver(owner: owner) { _, event in
            guard case .newData = event else { return }
            if isSeed {
                service.seed(DurableUser(name: "Older"), for: user)
            } else {
                service.seed(Entity(content: DurableUser(name: "Older"), headers: [:]), for: user.resource)
            }
        }
        network.answer(.get, "/list", with: .held)
        let load = list.load()
        let sent = try await network.exchange(2)
        app.clock.advance(by: 1)
        network.answer(.delete, "/users/1", with: .response(204))
        _ = try await user.mutate(.delete).value
        #expect(user.content == nil)
        app.clock.advance(by: 1)
        sent.respond(with: .response(200, body: Data("x".utf8)))
        await load.completion()
        #expect(user.content == nil)
        app.clock.advance(by: 1)
        service.seed(DurableUser(name: "Newer"), for: user)
        #expect(user.content?.name == "Newer")
        extendLifetime(owner)
    }

    @Test(arguments: [0, 1, 2])
    func `A resolver that decides while the app has the change sent again does not change what is being sent`(
        decision: Int
    ) async throws {
        let app = try await OutboxApp()
        let (decisions, decide) = AsyncStream<Void>.makeStream()
        let asked = Locked(0)
        app.service.resolveConflicts("/authors/*", as: Author.self) { conflict in
            asked.withLock { $0 += 1 }
            for await _ in decisions { break }
            return switch decision {
            case 0: .giveUp
            case 1: .force
            default: .send(Author(name: "Merged"))
            }
        }
        try await app.load()
        app.network.answer(.put, "/authors/1", with: .response(412), .held)
        var options = ChangeOptions()
        options.settlement = .edit
        app.author.mutate(.put, body: .encoded(Author(name: "Mine")), options: options, durable: true) {
            $0.name = "Mine"
        }
        try await Poll.until { asked.withLock { $0 } == 1 }
        let id = try #require(app.outbox.entries.first?.id)
        try await app.outbox.retry(id)
        try await Poll.until { app.sent.count == 2 }
        decide.yield()
        for _ in 0..<50 { await mainQueueTurn() }
        let exchange = try #require(app.network.exchanges.last { $0.request.httpMethod == "PUT" })
        let body = exchange.request.httpBody.map { String(decoding: $0, as: UTF8.self) } ?? ""
        #expect(body.contains("Mine"))
        exchange.respond(with: .response(204, headers: ["ETag": "\"3\""]))
        await app.outbox.settled()
        for _ in 0..<20 { await mainQueueTurn() }
        #expect(app.outbox.entries.isEmpty)
        #expect(app.author.content?.name == "Mine")
    }

    @Test(arguments: [true, false])
    func `A decision of the app that waits to be stored counts, and the later result of a resolver does not`(
        givesUp: Bool
    ) async throws {
        let app = try await OutboxApp()
        let (decisions, decide) = AsyncStream<Void>.makeStream()
        let asked = Locked(false)
        app.service.resolveConflicts("/authors/*", as: Author.self) { _ in
            asked.withLock { $0 = true }
            for await _ in decisions { break }
            return givesUp ? .giveUp : .send(Author(name: "Merged"))
        }
        try await app.load()
        app.network.answer(.put, "/authors/1", with: .response(412), Author(name: "Mine").json("3"))
        app.network.answer(.delete, "/authors/2", with: .response(204))
        app.author.mutate(.put, body: .encoded(Author(name: "Mine")), durable: true) { $0.name = "Mine" }
        try await Poll.until { asked.withLock { $0 } }
        let id = try #require(app.outbox.entries.first?.id)
        app.store.hold()
        let other: TypedResource<Author> = app.service.resource("/authors/2").typed()
        other.mutate(.delete, durable: true)
        try await Poll.until { app.store.waitingCount == 1 }
        async let retried: Void = app.outbox.retry(id)
        try await Poll.until { !app.outbox.work.waiting.isEmpty }
        decide.yield()
        for _ in 0..<50 { await mainQueueTurn() }
        app.store.release()
        try await retried
        await app.outbox.settled()
        let bodies = app.sent.filter { $0.httpMethod == "PUT" }.compactMap(\.httpBody)
        #expect(bodies.count == 2)
        #expect(bodies.allSatisfy { String(decoding: $0, as: UTF8.self).contains("Mine") })
        #expect(app.outbox.entries.isEmpty)
    }

    @Test func `The result of a resolver does not decide about the conflict of a later attempt`() async throws {
        let app = try await OutboxApp()
        let (first, decideFirst) = AsyncStream<Void>.makeStream()
        let (second, decideSecond) = AsyncStream<Void>.makeStream()
        let asked = Locked(0)
        app.service.resolveConflicts("/authors/*", as: Author.self) { _ in
            let number = asked.withLock { count in
                count += 1
                return count
            }
            for await _ in number == 1 ? first : second { break }
            return number == 1 ? .giveUp : .force
        }
        try await app.load()
        app.network.answer(
            .put, "/authors/1", with: .response(412), .response(412), Author(name: "Mine").json("3"))
        app.author.mutate(.put, body: .encoded(Author(name: "Mine")), durable: true) { $0.name = "Mine" }
        try await Poll.until { asked.withLock { $0 } == 1 }
        try await app.outbox.retry(#require(app.outbox.entries.first?.id))
        try await Poll.until { asked.withLock { $0 } == 2 }
        decideFirst.yield()
        for _ in 0..<50 { await mainQueueTurn() }
        #expect(app.outbox.entries.count == 1)
        decideSecond.yield()
        await app.outbox.settled()
        #expect(app.outbox.entries.isEmpty)
        #expect(app.sent.filter { $0.httpMethod == "PUT" }.count == 3)
        #expect(app.author.content?.name == "Mine")
    }

    @Test func `A configuration may depend on the entries of the outbox`() async throws {
        let app = try await OutboxApp { service in
            service.configure("/authors/1") { [weak service] in
                $0.expirationTime = service?.outbox?.entries.isEmpty == false ? 300 : 30
            }
        }
        try await app.load()
        app.network.answer(.patch, "/authors/1", with: .held)
        app.network.answer(.delete, "/authors/2", with: .response(204))
        app.author.mutate(.patch, body: .encoded(["name": "G"]), durable: true) { $0.name = "G" }
        let sent = try await app.network.exchange(2)
        app.store.hold()
        let other: TypedResource<Author> = app.service.resource("/authors/2").typed()
        other.mutate(.delete, durable: true)
        try await Poll.until { app.store.waitingCount == 1 }
        sent.respond(with: Author(name: "G").json("2"))
        try await Poll.until { !app.outbox.work.waiting.isEmpty }
        app.service.invalidateConfiguration()
        app.store.release()
        await app.outbox.settled()
        #expect(app.outbox.entries.isEmpty)
        #expect(app.author.content?.name == "G")
    }

    @Test func `Entity tags with different bytes are different conditions`() async throws {
        let (one, other) = ("\"\u{E9}\"", "\"e\u{301}\"")
        #expect(Outbox.Condition(ifMatch: one) != Outbox.Condition(ifMatch: other))
        func entry(_ id: String, _ tag: String) -> Outbox.Entry {
            Outbox.Entry(
                id: id, scope: "s",
                request: Outbox.StoredRequest(
                    method: "PUT", address: .url("http://api.test/x"), precondition: Outbox.Condition(ifMatch: tag)))
        }
        var rules = OutboxRules()
        for entry in [entry("a", one), entry("b", other), entry("c", one)] { rules.stored(try rules.accept(entry)) }
        rules.stored(try rules.started("a"))
        _ = rules.ended("a", .success(location: nil), version: Outbox.Condition(ifMatch: "\"2\""))
        let conditions = [other, "\"2\""].map { Outbox.Condition(ifMatch: $0) }
        #expect(rules.entries.map(\.request.precondition) == conditions)
        #expect(Validator.isStrong("\"\u{301}a\""))
    }

    @Test func `A cache of an app whose keys differ in bytes gives no user the data of another`() async throws {
        let cache = KeyedCache()
        cache.entities.withLock { $0[Array("jos\u{E9}".utf8)] = "first" }
        let gate = DispatchSemaphore(value: 0)
        cache.workQueue.async { gate.wait() }
        let service = app.start(network, nil)
        service.configure { $0.pipeline[.cleanup].cacheUsing(cache) }
        let resource = service.resource("/x")
        #expect(resource.latestData == nil)
        cache.user.withLock { $0 = "jose\u{301}" }
        gate.signal()
        let entity = (try? await resource.get(.cached))
        #expect(entity == nil)
    }

    private final class KeyedCache: EntityCache {
        let workQueue = DispatchQueue(label: "KeyedCache")
        let entities = Locked<[[UInt8]: String]>([:])
        let user = Locked("jos\u{E9}")

        func key(for resource: Resource) -> String? { user.withLock { $0 } }
        func readEntity(forKey key: String) -> Entity<Any>? {
            entities.withLock { $0[Array(key.utf8)] }.map { Entity(content: $0, headers: [:]) }
        }
        func writeEntity(_ entity: Entity<Any>, forKey key: String) {}
        func removeEntity(forKey key: String) {}
    }

    @Test func `The content of another resource is not that of the changed one`() async throws {
        let service = app.start(network, nil) { service in
            service.configure("/users/*", requestMethods: [.patch]) { $0.precondition = .unchanged }
        }
        let user = try await app.loaded(service, network)
        network.answer(
            .patch, "/users/1",
            with: .json(
                #"{"name": "Receipt 9", "stars": 9}"#,
                headers: ["Content-Location": "/receipts/9", "ETag": "\"receipt\""]),
            .response(204, headers: ["ETag": "\"4\""]))
        network.answer(.get, "/users/1", with: .json(#"{"name": "Grace", "stars": 0}"#, headers: ["ETag": "\"2\""]))
        _ = try? await user.mutate(.patch, body: .encoded(["name": "Grace"])) { $0.name = "Grace" }.value
        #expect(user.content?.name == "Grace")
        _ = try? await user.mutate(.patch, body: .encoded(["name": "Joan"])) { $0.name = "Joan" }.value
        #expect(network.writes.last?.value(forHTTPHeaderField: "If-Match") != "\"receipt\"")
    }

    @Test(arguments: [true, false])
    func `The content of a resource to which a 303 leads is not that of the changed one`(isRepeated: Bool) async throws
    {
        let refusals = Locked(isRepeated ? 1 : 0)
        let server = try LoopbackServer { exchange in
            switch (exchange.request.method, exchange.request.target) {
            case ("PATCH", _):
                let isRefused = refusals.withLock { left in
                    left -= 1
                    return left >= 0
                }
                if isRefused { return try exchange.respond(401) }
                try exchange.respond(303, headers: ["Location: /receipts/9"])
            case (_, "/receipts/9"):
                try exchange.respond(
                    headers: ["Content-Type: application/json", "ETag: \"receipt\""],
                    text: #"{"name": "Receipt 9", "stars": 9}"#)
            default:
                try exchange.respond(
                    headers: ["Content-Type: application/json", "ETag: \"1\""], text: #"{"name": "Ada", "stars": 0}"#)
            }
        }
        let service = Service(baseURL: server.url("/"), standardTransformers: [])
        service.decode("/users/*", as: DurableUser.self, requestMethods: [.get])
        let user: TypedResource<DurableUser> = service.resource("/users/1").typed()
        try await user.get(.always)
        if isRepeated { service.configure { $0.repeatRefusedRequests() } }
        _ = try? await user.mutate(.patch, body: .encoded(["name": "Grace"])) { $0.name = "Grace" }.value
        #expect(user.content?.name == "Grace")
    }

    /// A server that sends clients to a receipt after a PATCH, and has no receipt. Its resolver notes that it was asked.
    private func serverWithoutReceipt(
        _ status: Int, _ asked: Locked<Bool>
    ) throws -> (LoopbackServer, Service, TypedResource<DurableUser>) {
        let server = try LoopbackServer { exchange in
            switch (exchange.request.method, exchange.request.target) {
            case ("PATCH", _): try exchange.respond(303, headers: ["Location: /receipts/9"])
            case (_, "/receipts/9"): try exchange.respond(status)
            default:
                try exchange.respond(
                    headers: ["Content-Type: application/json", "ETag: \"1\""], text: #"{"name": "Ada", "stars": 0}"#)
            }
        }
        let service = Service(baseURL: server.url("/"), standardTransformers: [])
        service.decode("/users/*", as: DurableUser.self, requestMethods: [.get])
        service.configure("/list") { $0.tags = ["users"] }
        service.configure("/users/*", requestMethods: [.patch]) { $0.invalidates = ["users"] }
        service.resolveConflicts("/users/*", as: DurableUser.self) { _ in
            asked.withLock { $0 = true }
            return .giveUp
        }
        return (server, service, service.resource("/users/1").typed())
    }

    @Test(arguments: [404, 409])
    func `An error of a resource to which a 303 leads does not refuse the change`(_ status: Int) async throws {
        let asked = Locked(false)
        let (server, service, user) = try serverWithoutReceipt(status, asked)
        let list = service.resource("/list")
        try await user.get(.always)
        await list.load().completion()
        _ = try? await user.mutate(.patch, body: .encoded(["name": "Grace"])) { $0.name = "Grace" }.value
        #expect(user.content?.name == "Ada")
        #expect(user.isStale)
        #expect(list.isStale)
        #expect(!asked.withLock { $0 })
        await list.load().completion()
        await user.resource.request(.patch, text: "Grace").completion()
        #expect(list.isStale)
        withExtendedLifetime(server) {}
    }

    @Test(arguments: [404, 409])
    func `An error of a resource to which a 303 leads does not refuse a durable change`(_ status: Int) async throws {
        let asked = Locked(false)
        let (server, service, user) = try serverWithoutReceipt(status, asked)
        service.outbox = .inMemory()
        try await user.get(.always)
        let change = user.mutate(.patch, body: .encoded(["name": "Grace"]), durable: true) { $0.name = "Grace" }
        try await change.accepted()
        await service.outbox?.settled()
        #expect(service.outbox?.entries.map(\.state) == [.queued])
        #expect(!asked.withLock { $0 })
        await service.outbox?.close()
        withExtendedLifetime(server) {}
    }

    @Test func `The URL of a created resource is relative to the URL that answered`() async throws {
        let server = try LoopbackServer { exchange in
            switch (exchange.request.method, exchange.request.target) {
            case ("POST", "/users"): try exchange.respond(308, headers: ["Location: /v2/users/"])
            case ("POST", "/v2/users/"): try exchange.respond(201, headers: ["Location: 9"])
            default: try exchange.respond(204)
            }
        }
        let service = Service(baseURL: server.url("/"), standardTransformers: [])
        service.outbox = Outbox.inMemory()
        let users: TypedResource<[DurableUser]> = service.resource("/users").typed()
        let creation = users.mutate(.post, body: .encoded(DurableUser()), durable: true) { _ in }
        let change = creation.mutateCreated(.patch, body: .encoded(["name": "N"]))
        _ = try? await change.request.value
        #expect(server.requests.last.map { "\($0.method) \($0.target)" } == "PATCH /v2/users/9")
    }

    @Test func `The collection to which a POST was redirected is not the created resource`() async throws {
        let server = try LoopbackServer { exchange in
            switch (exchange.request.method, exchange.request.target) {
            case ("POST", "/users"): try exchange.respond(308, headers: ["Location: /v2/users/"])
            case ("POST", "/v2/users/"): try exchange.respond(201, headers: ["Location: /v2/users/"])
            default: try exchange.respond(204)
            }
        }
        let service = Service(baseURL: server.url("/"), standardTransformers: [])
        service.outbox = Outbox.inMemory()
        let users: TypedResource<[DurableUser]> = service.resource("/users").typed()
        let creation = users.mutate(.post, body: .encoded(DurableUser()), durable: true) { _ in }
        let early = creation.mutateCreated(.delete)
        try await early.accepted()
        _ = try await creation.request.value
        #expect(creation.createdURL == nil)
        await #expect(throws: RequestError.self) { _ = try await creation.mutateCreated(.delete).request.value }
        await service.outbox?.settled()
        #expect(service.outbox?.obstacle(for: early.entryID ?? "") == .unknownAddress)
        #expect(server.requests.map(\.method) == ["POST", "POST"])
    }

    @Test(arguments: [true, false])
    func `A seed is stale if its data is older than an invalidation`(isOlder: Bool) async throws {
        let service = app.start(network, nil) { service in
            service.configure("/users/*") { $0.tags = ["users"] }
        }
        let user: TypedResource<DurableUser> = service.resource("/users/1").typed()
        let list = service.resource("/list")
        let owner = NSObject()
        list.addObserver(owner: owner) { _, event in
            if case .newData(.network) = event { service.seed(DurableUser(name: "Seed"), for: user) }
        }
        network.answer(.get, "/list", with: .held)
        if !isOlder { service.invalidate(tagged: ["users"]) }
        let load = list.load()
        let sent = try await network.exchange(1)
        app.clock.advance(by: 1)
        if isOlder { service.invalidate(tagged: ["users"]) }
        app.clock.advance(by: 1)
        sent.respond(with: .response(200, body: Data("x".utf8)))
        await load.completion()
        try await Poll.until { user.content?.name == "Seed" }
        #expect(user.isStale == isOlder)
        extendLifetime(owner)
    }

    @Test(arguments: ["request", "change"])
    func `A write of one user is not sent as another user, also if the resource is the same for all`(
        kind: String
    ) async throws {
        let app = try await OutboxApp { service in
            service.configure("/authors/**") { $0.isPersonal = false }
        }
        try await app.load()
        app.network.handler = { $0.httpMethod == "GET" ? nil : .held }
        if kind == "request" {
            _ = app.author.resource.request(.post, data: Data("by ada".utf8), contentType: "text/plain")
        } else {
            app.author.mutate(.post, body: .data(Data("by ada".utf8), contentType: "text/plain")) { $0.stars += 1 }
            app.author.mutate(.post, body: .data(Data("by ada".utf8), contentType: "text/plain")) { $0.stars += 1 }
        }
        try await Poll.until { app.sent.count == 1 }
        try await app.signInBob()
        let exchange = try #require(app.network.exchanges.last)
        exchange.respond(with: .response(kind == "request" ? 401 : 204))
        for _ in 0..<100 { await mainQueueTurn() }
        #expect(!app.sent.contains { $0.value(forHTTPHeaderField: "Authorization") == "Bearer B" })
    }

    @Test(arguments: [(StubAnswer.failure(.networkConnectionLost), true), (.response(429), false)])
    func `If a retry of a change is refused, the server may have carried out the first attempt`(
        first: StubAnswer, isStale: Bool
    ) async throws {
        let stub = StubbedUser { $0.configure("/users/1", requestMethods: [.put]) { $0.retry = .standard } }
        try await stub.load()
        stub.network.answer(.put, "/users/1", with: first, .response(422))
        let change = stub.user.mutate(.put) { $0.name = "Grace" }
        try await stub.clock.waitForTimers(1)
        stub.clock.advance(by: 5)
        await #expect(throws: RequestError.self) { try await change.value }
        #expect(stub.network.requests.count { $0.httpMethod == "PUT" } == 2)
        #expect(stub.user.content?.name == "Ada")
        #expect(stub.user.isStale == isStale)
    }

    @Test func `A retry of a write is not sent as another user, also if the resource is the same for all`() async throws
    {
        let app = try await OutboxApp { service in
            service.configure("/authors/**") {
                $0.isPersonal = false
                $0.retry = .standard
                $0.retry.methods.insert(.put)
            }
        }
        app.network.handler = { _ in .response(503) }
        _ = app.author.resource.request(.put, data: Data("by ada".utf8), contentType: "text/plain")
        try await Poll.until { app.sent.count == 1 && app.author.resource.retry != nil }
        try await app.signInBob()
        for _ in 0..<20 {
            app.clock.advance(by: 5)
            for _ in 0..<10 { await mainQueueTurn() }
        }
        #expect(!app.sent.contains { $0.value(forHTTPHeaderField: "Authorization") == "Bearer B" })
    }

    @Test func `A durable change of a shared resource is not sent as another user after a refusal`() async throws {
        let app = try await OutboxApp { service in
            service.configure("/authors/**") { $0.isPersonal = false }
        }
        try await app.load()
        app.network.handler = { $0.httpMethod == "GET" ? nil : .held }
        app.author.mutate(.post, body: .data(Data("by ada".utf8), contentType: "text/plain"), durable: true) {
            $0.stars += 1
        }
        try await Poll.until { app.sent.count == 1 }
        try await app.signInBob()
        try #require(app.network.exchanges.last { $0.request.httpMethod == "POST" }).respond(with: .response(401))
        for _ in 0..<200 { await mainQueueTurn() }
        #expect(!app.sent.contains { $0.value(forHTTPHeaderField: "Authorization") == "Bearer B" })
        #expect(app.outbox.entries.map(\.principal) == ["ada"])
    }

    // MARK: Kills

    @Test(arguments: [true, false], [true, false])
    func `After a kill before the cache has a confirmed change, its old data is not fresh`(
        isBeforeSettling: Bool, isSetBack: Bool
    ) async throws {
        let (folder, time) = (try TestFolder(), app.clock.wallTime)
        let (cache, copy) = (folder.url.appendingPathComponent("cache"), folder.url.appendingPathComponent("copy"))
        func start(
            _ network: StubNetwork, _ store: any OutboxStore, _ cache: URL
        ) -> (Service, TypedResource<DurableUser>) {
            let service = app.start(network, Outbox(store)) { service in
                service.configure { $0.expirationTime = 3600 }
                service.configure { $0.pipeline[.model].cacheUsing(.file(at: cache, of: DurableUser.self)) }
            }
            return (service, service.resource("/users/1").typed())
        }
        let records = MemoryRecordStore()
        let store = CopyingStore(records, isBeforeSettling: isBeforeSettling, from: cache, to: copy)
        let (first, _) = start(network, store, cache)
        let user = try await app.loaded(first, network)
        await first.flushCaches()
        network.answer(.patch, "/users/1", with: .response(204, headers: ["ETag": "\"2\""]))
        _ = try await user.rename("Grace").request.value
        await first.outbox?.settled()
        let entries = try #require(store.copied.withLock { $0 })
        #expect(try await RecordOutboxStore(records, folder: nil).load().entries.isEmpty)

        let later = MemoryRecordStore()
        try await RecordOutboxStore(later, folder: nil).apply(entries.map { .write($0) })
        // The second start takes the data for stale, and the third, because nobody has loaded it.
        for number in 0..<2 {
            if isSetBack { app.clock.setWallTime(time + [-1000, 10][number]) }
            let network = StubNetwork()
            let (service, user) = start(network, RecordOutboxStore(later, folder: nil), copy)
            await service.outbox?.isLoaded()
            let content = (try? await user.get(.cached))
            #expect(content?.name == (isBeforeSettling ? "Ada" : "Grace"))
            #expect(user.isStale)
            #expect(service.outbox?.entries.isEmpty == true)
            await service.outbox?.settled()
            await service.flushCaches()
            #expect(try await RecordOutboxStore(later, folder: nil).load().entries.isEmpty)
            #expect(network.writes.isEmpty)
            await service.outbox?.close()
        }
    }

    @Test func `After a kill, a load that fails does not make data fresh that lacks a confirmed change`() async throws {
        let (folder, gated, records) = (try TestFolder(), GatedCache(), MemoryRecordStore())
        func start(_ network: StubNetwork, _ outbox: Outbox?) -> (Service, TypedResource<DurableUser>) {
            let service = app.start(network, outbox) { service in
                service.configure { $0.expirationTime = 3600 }
                service.configure("/users/1") {
                    $0.pipeline[.model].cacheUsing(.file(at: folder.url, of: DurableUser.self))
                }
                service.configure("/users/2") { $0.pipeline[.model].cacheUsing(gated) }
            }
            return (service, service.resource("/users/1").typed())
        }
        let (first, _) = start(network, nil)
        _ = try await app.loaded(first, network)
        await first.flushCaches()
        let addresses = (1...2).map { Outbox.Address.url("http://api.test/users/\($0)") }
        var entry = Outbox.Entry(
            scope: "users", request: Outbox.StoredRequest(method: "PATCH", address: addresses[0]),
            edits: addresses.map { Outbox.StoredEdit(address: $0, delta: Data()) })
        (entry.number, entry.state) = (1, .confirmed)
        try await RecordOutboxStore(records, folder: nil).apply([.write(entry)])

        let offline = StubNetwork()
        offline.answer(.get, "/users/1", with: .failure(.notConnectedToInternet))
        let (second, user) = start(offline, Outbox(RecordOutboxStore(records, folder: nil)))
        await second.outbox?.isLoaded()
        user.resource.beginReadingCache()
        try await Poll.until { user.content != nil }
        await user.resource.load().completion()
        gated.gate.signal()
        await second.outbox?.settled()
        await second.flushCaches()
        #expect(try await RecordOutboxStore(records, folder: nil).load().entries.isEmpty)
        await second.outbox?.close()

        let (third, again) = start(StubNetwork(), nil)
        #expect((try? await again.get(.cached))?.name == "Ada")
        #expect(again.isStale)
        withExtendedLifetime(third) {}
    }

    /// A cache without entities, whose reads wait.
    private final class GatedCache: EntityCache {
        let gate = DispatchSemaphore(value: 0)
        let workQueue = DispatchQueue(label: "GatedCache")

        func key(for resource: Resource) -> String? { "key" }

        func readEntity(forKey key: String) -> Entity<Any>? {
            gate.wait()
            gate.signal()
            return nil
        }

        func writeEntity(_ entity: Entity<Any>, forKey key: String) {}
        func removeEntity(forKey key: String) {}
    }

    /// A confirmation that arrives after its user has left concerns the data that the caches have for this user.
    @Test func `A change that is confirmed after a change of the user makes the cached data of its user stale`()
        async throws
    {
        let folder = try TestFolder()
        let app = try await OutboxApp { service in
            service.configure { $0.expirationTime = 3600 }
            service.configure { $0.pipeline[.model].cacheUsing(.file(at: folder.url, of: Author.self)) }
        }
        try await app.load()
        await app.service.flushCaches()
        app.network.answer(.patch, "/authors/1", with: .held)
        app.author.mutate(.patch, body: .encoded(["name": "Grace"]), durable: true) { $0.name = "Grace" }
        try await Poll.until { app.sent.count == 1 }
        app.store.hold()
        try #require(app.network.exchanges.last).respond(with: .response(204))
        try await Poll.until { app.store.waitingCount == 1 }
        try await app.session.signIn("bob", with: Credential("B"))
        app.store.release()
        await app.outbox.settled()
        #expect(app.outbox.entries.isEmpty)
        #expect(try await app.storedEntries().map(\.state) == [.confirmed])
        try await app.session.signIn("ada", with: Credential("A"))
        await app.outbox.settled()
        #expect((try? await app.author.get(.cached)) == Author())
        #expect(app.author.isStale)
        #expect(try await app.storedEntries().isEmpty)
        #expect(app.sent.count == 1)
    }

    /// A store that copies a folder and its entries when the confirmation of an entry is stored, or its removal: the state
    /// after a kill at this time.
    private final class CopyingStore: WrappingOutboxStore {
        let base: RecordOutboxStore
        private let records: MemoryRecordStore
        private let isBeforeSettling: Bool
        private let (source, target): (URL, URL)
        let copied = Locked<[Outbox.Entry]?>(nil)

        init(_ records: MemoryRecordStore, isBeforeSettling: Bool, from source: URL, to target: URL) {
            base = RecordOutboxStore(records, folder: nil)
            (self.records, self.isBeforeSettling) = (records, isBeforeSettling)
            (self.source, self.target) = (source, target)
        }

        func apply(_ changes: [OutboxStoreChange]) async throws {
            let isRemoval = changes.contains { if case .remove = $0 { true } else { false } }
            let isEnd = changes.contains { if case .write(let entry) = $0 { entry.state == .confirmed } else { true } }
            let stored = try await RecordOutboxStore(records, folder: nil).load().entries
            try await base.apply(changes)
            guard isBeforeSettling ? isEnd : isRemoval, copied.withLock({ $0 }) == nil else { return }
            // The process may end before the removal is stored.
            let now = try await RecordOutboxStore(records, folder: nil).load().entries
            copied.withLock { $0 = isBeforeSettling ? now : stored }
            try FileManager.default.copyItem(at: source, to: target)
        }
    }

    @Test func `A change of one user that is repeated is not sent as another user`() async throws {
        let app = try await OutboxApp()
        try await app.load()
        app.network.answer(.patch, "/authors/1", with: .response(500))
        let change = app.author.mutate(.patch, body: .json(["name": "by ada"])) { $0.name = "by ada" }
        await #expect(throws: RequestError.self) { try await change.value }
        let again = change.request.repeated()
        try await app.signInBob()
        let info = await again.start().completion()
        #expect(app.sent.count == 1)
        #expect(info.response.isCancellation)
    }

    @Test(arguments: [
        (["Location: /users/9", "location: /users/9"], "PATCH /users/9"),
        (["Location: /users/8", "Location: /users/9"], "POST /users"),
        (["Location: /files/Smith, John"], "PATCH /files/Smith,%20John"),
    ])
    func `Equal locations are the address of a created resource, and contradictory ones are none`(
        _ headers: [String], _ last: String
    ) async throws {
        let server = try LoopbackServer { exchange in
            let isCreation = exchange.request.method == "POST"
            try exchange.respond(isCreation ? 201 : 204, headers: isCreation ? headers : [])
        }
        let service = Service(baseURL: server.url("/"), standardTransformers: [])
        service.outbox = Outbox.inMemory()
        let users: TypedResource<[DurableUser]> = service.resource("/users").typed()
        let creation = users.mutate(.post, body: .encoded(DurableUser()), durable: true) { _ in }
        try await creation.mutateCreated(.patch, body: .encoded(["name": "N"])).accepted()
        _ = try? await creation.request.value
        await service.outbox?.settled()
        #expect(server.requests.last.map { "\($0.method) \($0.target)" } == last)
        #expect((creation.createdURL == nil) == last.hasPrefix("POST"))
    }

    @Test func `A redirected write makes the URL that answered stale, and the places that are relative to it`()
        async throws
    {
        let server = try LoopbackServer { exchange in
            switch (exchange.request.method, exchange.request.target) {
            case ("POST", "/users"): try exchange.respond(308, headers: ["Location: /v2/users/"])
            case ("POST", "/v2/users/"): try exchange.respond(201, headers: ["Location: 9"])
            default: try exchange.respond(headers: ["Cache-Control: max-age=60"], text: "x")
            }
        }
        let service = Service(baseURL: server.url("/"), standardTransformers: [])
        service.configure { $0.freshness = .http }
        let (written, created) = (service.resource("/v2/users/"), service.resource("/v2/users/9"))
        let other = service.resource("/9")
        for resource in [written, created, other] { await resource.load().completion() }
        await service.resource("/users").request(.post).completion()
        #expect([written, created, other].map(\.isUpToDate) == [false, false, true])
    }

    @Test func `A redirected DELETE does not load what it has deleted`() async throws {
        let server = try LoopbackServer { exchange in
            switch (exchange.request.method, exchange.request.target) {
            case ("DELETE", "/x"): try exchange.respond(308, headers: ["Location: /v2/x"])
            case ("DELETE", _): try exchange.respond(204)
            default: try exchange.respond(headers: ["Cache-Control: max-age=60"], text: "x")
            }
        }
        let service = Service(baseURL: server.url("/"), standardTransformers: [])
        service.configure { $0.freshness = .http }
        let (deleted, owner) = (service.resource("/v2/x"), NSObject())
        deleted.addObserver(owner: owner) { _, _ in }
        await deleted.load().completion()
        await service.resource("/x").request(.delete).completion()
        #expect(deleted.isStale)
        #expect(deleted.loadRequests.isEmpty)
        extendLifetime(owner)
    }

    @Test func `A redirected write invalidates groups of the server that answered it, and a 303 invalidates none`()
        async throws
    {
        let other = try LoopbackServer { exchange in
            let isWrite = exchange.request.method == "POST"
            try exchange.respond(
                headers: [(isWrite ? "Cache-Group-Invalidation" : "Cache-Groups") + #": "g""#], text: "x")
        }
        let elsewhere = other.url("/post").absoluteString
        let server = try LoopbackServer { exchange in
            switch exchange.request.target {
            case "/moved": try exchange.respond(308, headers: ["Location: \(elsewhere)"])
            case "/done": try exchange.respond(303, headers: ["Location: /receipt"])
            case "/receipt": try exchange.respond(headers: [#"Cache-Group-Invalidation: "g""#], text: "x")
            default: try exchange.respond(headers: [#"Cache-Groups: "g""#], text: "x")
            }
        }
        let service = Service(baseURL: server.url("/"), standardTransformers: [])
        let (own, foreign) = (service.resource("/own"), service.resource(absoluteURL: other.url("/x")))
        for resource in [own, foreign] { await resource.load().completion() }
        await service.resource("/done").request(.post).completion()
        #expect([own, foreign].map(\.isStale) == [false, false])
        await service.resource("/moved").request(.post).completion()
        #expect([own, foreign].map(\.isStale) == [false, true])
    }

    @Test(arguments: [200, 404, 500])
    func `A write that a 303 answers makes all its URLs stale, and the groups that the 303 names`(_ status: Int)
        async throws
    {
        let server = try LoopbackServer { exchange in
            let path = exchange.request.target.split(separator: "?").first.map(String.init)
            switch (exchange.request.method, path) {
            case ("POST", "/users"): try exchange.respond(307, headers: ["Location: /users/"])
            case ("POST", _):
                try exchange.respond(303, headers: ["Location: /receipt", #"Cache-Group-Invalidation: "g""#])
            case (_, "/receipt"): try exchange.respond(status, text: "x")
            case (_, "/list"):
                try exchange.respond(headers: ["Cache-Control: max-age=60", #"Cache-Groups: "g""#], text: "x")
            default: try exchange.respond(headers: ["Cache-Control: max-age=60"], text: "x")
            }
        }
        let service = Service(baseURL: server.url("/"), standardTransformers: [])
        service.configure { $0.freshness = .http }
        // The URLs that are sent have a credential, and are not those of the resources.
        service.authenticate(with: APIKey(.query("key")))
        try await service.signIn("ada", with: Credential("secret"))
        let resources = ["/users", "/users/", "/list", "/other"].map { service.resource($0) }
        for resource in resources { await resource.load().completion() }
        await service.resource("/users").request(.post).completion()
        #expect(resources.map(\.isUpToDate) == [false, false, false, true])
        #expect(!service.knownResources.contains { $0.url.absoluteString.contains("secret") })
    }
}
