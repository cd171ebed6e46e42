import CacheTorture
import Foundation
import SiestaCaches
import SiestaCore
import SiestaOutboxStorage
import SiestaSessions
import SiestaTesting
import SiestaWriting
import TestKit
import Testing
import Waiting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Durable changes, as an app uses them: new services on the same folder.
@MainActor @Suite(.timeLimit(.test))
struct OutboxTests {
    private let folder: TestFolder
    private let clock = TestClock()
    private let connection = NetworkStatus()

    init() throws {
        folder = try TestFolder()
    }

    private struct User: Codable, Sendable, Equatable {
        var name = "Ada"
        var stars = 0
    }

    /// Starts the app: a service with a cache and an outbox.
    private func start(_ network: StubNetwork, _ configure: (Service) -> Void = { _ in }) -> Service {
        let service = clock.whileCurrent {
            Service(baseURL: "http://api.test", standardTransformers: [], networking: network)
        }
        let cache = folder.url.appendingPathComponent("cache")
        service.configure { $0.pipeline[.rawData].cacheUsing(.file(at: cache)) }
        service.decode("/users/*", as: User.self, requestMethods: [.get])
        service.networkStatus = connection
        configure(service)
        service.outbox = Outbox(at: folder.url.appendingPathComponent("outbox"))
        return service
    }

    private func stop(_ service: Service) async throws {
        try await PersistentCache.file(at: folder.url.appendingPathComponent("cache")).storage.flush()
        await service.outbox?.settled()
        await service.outbox?.close()
    }

    private func user(_ service: Service) -> TypedResource<User> { service.resource("/users/1").typed() }

    private func loaded(_ service: Service, _ network: StubNetwork) async throws -> TypedResource<User> {
        network.answer(.get, "/users/1", with: .json(#"{"name": "Ada", "stars": 0}"#, headers: ["ETag": "\"1\""]))
        let user = user(service)
        try await user.get(.always)
        return user
    }

    private func changes(_ network: StubNetwork) -> [URLRequest] { network.requests.filter { $0.httpMethod != "GET" } }

    @Test func `A durable change is on the disk before it is sent, and leaves the outbox when it is confirmed`()
        async throws
    {
        let network = StubNetwork()
        let service = start(network)
        let user = try await loaded(service, network)
        network.answer(.patch, "/users/1", with: .json(#"{"name": "Grace", "stars": 0}"#, headers: ["ETag": "\"2\""]))
        let change = user.mutate(.patch, body: .encoded(["name": "Grace"]), durable: true) { $0.name = "Grace" }
        #expect(user.content?.name == "Grace")
        #expect(changes(network).isEmpty)
        try await change.accepted()
        #expect(try await change.value?.name == "Grace")
        #expect(service.outbox?.entries.isEmpty == true)
        #expect(!user.resource.isOptimistic)
        let sent = try #require(changes(network).first)
        #expect(sent.value(forHTTPHeaderField: "Idempotency-Key") == change.entryID.map { "\"\($0)\"" })
    }

    @Test(arguments: [true, false])
    func `After a restart, the condition of a later change is the version that a load has found`(
        isConfigured: Bool
    ) async throws {
        connection.isConnected = false
        let configure = { (service: Service) in
            guard isConfigured else { return }
            service.configure("/users/*", requestMethods: [.put]) { $0.precondition = .unchanged }
        }
        let first = StubNetwork()
        let service = start(first, configure)
        let user = try await loaded(service, first)
        var options = ChangeOptions()
        if !isConfigured { options.precondition = .unchanged }
        for name in ["A", "B"] {
            try await user.mutate(.put, body: .encoded(User(name: name)), options: options, durable: true) {
                $0.name = name
            }.accepted()
        }
        try await stop(service)
        let second = StubNetwork()
        connection.isConnected = true
        second.answer(.put, "/users/1", with: .response(204), .response(204))
        second.answer(
            .get, "/users/1", with: .json(#"{"name": "A", "stars": 0}"#, headers: ["ETag": "\"2\""]),
            .json(#"{"name": "B", "stars": 0}"#, headers: ["ETag": "\"3\""]))
        let restarted = start(second, configure)
        await restarted.outbox?.isLoaded()
        await restarted.outbox?.settled()
        #expect(changes(second).map { $0.value(forHTTPHeaderField: "If-Match") } == ["\"1\"", "\"2\""])
    }

    @Test func `After a restart, a change is shown over the cached data, and sent with its key`() async throws {
        connection.isConnected = false
        let first = StubNetwork()
        let service = start(first)
        let user = try await loaded(service, first)
        let change = user.mutate(.patch, body: .encoded(["name": "Grace"]), durable: true) { $0.name = "Grace" }
        user.mutate(.patch, body: .encoded(["stars": 5]), durable: true) { $0.stars = 5 }
        try await change.accepted()
        let key = try #require(change.entryID)
        try await stop(service)
        #expect(changes(first).isEmpty)

        let second = StubNetwork()
        let restarted = start(second)
        let again = self.user(restarted)
        _ = again.content
        await restarted.outbox?.isLoaded()
        second.answer(.get, "/users/1", with: .failure(.notConnectedToInternet))
        await again.loadIfNeeded()?.completion()
        #expect(again.content == User(name: "Grace", stars: 5))
        #expect(again.resource.pendingChanges.count == 2)
        #expect(restarted.outbox?.entries.map(\.state) == [.queued, .queued])
        second.answer(
            .patch, "/users/1", with: .json(#"{"name": "Grace", "stars": 0}"#), .json(#"{"name": "Grace", "stars": 5}"#)
        )
        let pending = again.resource.pendingChanges
        connection.isConnected = true
        for change in pending { _ = try await change.request.value }
        #expect(changes(second).map { $0.value(forHTTPHeaderField: "Idempotency-Key") }.first == "\"\(key)\"")
        #expect(changes(second).count == 2)
        #expect(again.content == User(name: "Grace", stars: 5))
        #expect(!again.resource.isOptimistic)
    }

    @Test func `An attempt without an answer is repeated with the same key, after a wait`() async throws {
        let network = StubNetwork()
        let service = start(network)
        let user = try await loaded(service, network)
        network.answer(
            .patch, "/users/1", with: .failure(.networkConnectionLost), .response(503),
            .json(#"{"name": "G", "stars": 0}"#))
        let change = user.mutate(.patch, body: .encoded(["name": "G"]), durable: true) { $0.name = "G" }
        for count in 2...4 {
            _ = try await network.exchange(count)
            await service.outbox?.settled()
            clock.advance(by: 10)
        }
        _ = try await change.value
        #expect(Set(changes(network).map { $0.value(forHTTPHeaderField: "Idempotency-Key") }).count == 1)
        #expect(changes(network).count == 3)
    }

    @Test func `A refused change stays visible until the app decides`() async throws {
        let network = StubNetwork()
        let service = start(network)
        let user = try await loaded(service, network)
        let outbox = try #require(service.outbox)
        network.answer(.patch, "/users/1", with: .response(422))
        let change = user.mutate(.patch, body: .encoded(["name": "G"]), durable: true) { $0.name = "G" }
        await #expect(throws: RequestError.self) { try await change.value }
        #expect(change.state == .refused)
        #expect(user.content?.name == "G")
        guard case .refused(422, _) = try #require(outbox.entries.first).state else {
            Issue.record("not refused")
            return
        }
        let id = try #require(change.entryID)
        network.answer(.patch, "/users/1", with: .json(#"{"name": "G", "stars": 1}"#))
        try await outbox.retry(id)
        await outbox.settled()
        #expect(outbox.entries.isEmpty)
        #expect(Set(changes(network).map { $0.value(forHTTPHeaderField: "Idempotency-Key") }).count == 2)
    }

    @Test func `A change that the app drops disappears from the disk and the screen`() async throws {
        connection.isConnected = false
        let network = StubNetwork()
        let service = start(network)
        let user = try await loaded(service, network)
        let change = user.mutate(.patch, body: .encoded(["name": "G"]), durable: true) { $0.name = "G" }
        try await change.accepted()
        try await service.outbox?.drop(#require(change.entryID))
        #expect(user.content == User())
        let other = user.mutate(.patch, body: .encoded(["name": "H"]), durable: true) { $0.name = "H" }
        try await other.accepted()
        other.cancel()
        #expect(user.content == User())
        try await stop(service)
        let restarted = start(StubNetwork())
        await restarted.outbox?.isLoaded()
        #expect(restarted.outbox?.entries.isEmpty == true)
    }

    @Test func `A second outbox on the folder accepts nothing`() async throws {
        let first = start(StubNetwork())
        await first.outbox?.isLoaded()
        let network = StubNetwork()
        let second = start(network)
        let user = try await loaded(second, network)
        let change = user.mutate(.patch, body: .encoded(["name": "G"]), durable: true) { $0.name = "G" }
        await #expect(throws: (any Error).self) { try await change.accepted() }
        #expect(user.content == User())
        #expect(second.outbox?.failure != nil)
        extendLifetime(first)
    }

    @Test func `An outbox that could not be opened leaves the folder to others`() async throws {
        let first = start(StubNetwork())
        await first.outbox?.isLoaded()
        let second = start(StubNetwork())
        await second.outbox?.isLoaded()
        try await stop(first)
        let file = folder.url.appendingPathComponent("photo")
        try Data("photo".utf8).write(to: file)
        let change = user(second).mutate(.put, body: .file(file, contentType: "image/png"), durable: true)
        await #expect(throws: (any Error).self) { try await change.accepted() }
        await #expect(throws: (any Error).self) { try await second.outbox?.discardUnreadable() }
        let third = start(StubNetwork())
        await third.outbox?.isLoaded()
        #expect(third.outbox?.failure == nil)
        extendLifetime(second)
    }

    @Test func `A full outbox refuses a change`() async throws {
        connection.isConnected = false
        let network = StubNetwork()
        let service = start(network)
        let user = try await loaded(service, network)
        service.outbox?.entryLimit = 1
        user.mutate(.patch, body: .encoded(["name": "G"]), durable: true) { $0.name = "G" }
        let second = user.mutate(.patch, body: .encoded(["stars": 1]), durable: true) { $0.stars = 1 }
        await #expect(throws: OutboxError.tooManyEntries(limit: 1)) { try await second.accepted() }
        #expect(user.content == User(name: "G", stars: 0))
    }

    @Test func `Without an outbox, a durable change fails, and nothing is shown`() async throws {
        let network = StubNetwork()
        let service = start(network)
        service.outbox = nil
        let user = try await loaded(service, network)
        let change = user.mutate(.patch, body: .encoded(["name": "G"]), durable: true) { $0.name = "G" }
        await #expect(throws: RequestError.self) { try await change.value }
        #expect(user.content == User())
    }

    // MARK: Principals

    @Test func `A change is shown and sent only for the principal who made it`() async throws {
        connection.isConnected = false
        let network = StubNetwork()
        let session = clock.whileCurrent { UserSession(BearerToken()) }
        let service = start(network) { $0.authenticate(sharing: session) }
        try await session.signIn("ada", with: Credential("A"))
        let user = try await loaded(service, network)
        let change = user.mutate(.patch, body: .encoded(["name": "G"]), durable: true) { $0.name = "G" }
        try await change.accepted()
        await session.signOut()
        #expect(user.content == nil)
        #expect(!user.resource.isOptimistic)
        try await session.signIn("bob", with: Credential("B"))
        connection.isConnected = true
        try await user.get(.always)
        await service.outbox?.settled()
        #expect(user.content == User())
        #expect(changes(network).isEmpty)
        #expect(service.outbox?.entries.map(\.principal) == ["ada"])
        network.answer(.patch, "/users/1", with: .json(#"{"name": "G", "stars": 0}"#))
        try await session.signIn("ada", with: Credential("A2"))
        await service.outbox?.settled()
        #expect(changes(network).map { $0.value(forHTTPHeaderField: "Authorization") } == ["Bearer A2"])
        #expect(service.outbox?.entries.isEmpty == true)
    }

    @Test func `After a restart, a change that is confirmed before its resource is used changes the cached data`()
        async throws
    {
        connection.isConnected = false
        let first = StubNetwork()
        let service = start(first)
        let user = try await loaded(service, first)
        var options = ChangeOptions()
        options.settlement = .edit
        let change = user.mutate(.put, body: .encoded(User(name: "Mine")), options: options, durable: true) {
            $0.name = "Mine"
        }
        try await change.accepted()
        try await stop(service)

        connection.isConnected = true
        let second = StubNetwork()
        second.answer(.put, "/users/1", with: .response(204))
        second.answer(.get, "/users/1", with: .failure(.notConnectedToInternet))
        let restarted = start(second)
        await restarted.outbox?.isLoaded()
        await restarted.outbox?.settled()
        let again = self.user(restarted)
        await again.resource.loadIfNeeded()?.completion()
        #expect(again.content == User(name: "Mine"))
        #expect(!again.resource.isOptimistic)
    }

    // MARK: Conflicts

    @Test func `A conflict after a restart is decided by the resolver of the service`() async throws {
        connection.isConnected = false
        let first = StubNetwork()
        let precondition = { (service: Service) in
            service.configure("/users/*", requestMethods: [.put]) { $0.precondition = .unchanged }
        }
        let service = start(first, precondition)
        let user = try await loaded(service, first)
        let change = user.mutate(.put, body: .encoded(User(name: "Mine")), durable: true) { $0.name = "Mine" }
        try await change.accepted()
        try await stop(service)

        let second = StubNetwork()
        connection.isConnected = true
        second.answer(
            .put, "/users/1", with: .response(412), .json(#"{"name": "Mine", "stars": 9}"#, headers: ["ETag": "\"3\""]))
        second.answer(.get, "/users/1", with: .json(#"{"name": "Theirs", "stars": 9}"#, headers: ["ETag": "\"2\""]))
        let restarted = start(second) { service in
            precondition(service)
            service.resolveConflicts("/users/*", as: User.self) { conflict in
                var merged = conflict.theirs ?? User()
                merged.name = "Mine"
                return .send(merged)
            }
        }
        await restarted.outbox?.isLoaded()
        await restarted.outbox?.settled()
        #expect(restarted.outbox?.entries.isEmpty == true)
        #expect(changes(second).map { $0.value(forHTTPHeaderField: "If-Match") } == ["\"1\"", "\"2\""])
        #expect(self.user(restarted).content == User(name: "Mine", stars: 9))
    }

    @Test(arguments: [(true, true), (true, false), (false, true)])
    func `A conflict after a restart has the base if the cache has it, and in any case the edit of the user`(
        isCached: Bool, isOnView: Bool
    ) async throws {
        connection.isConnected = false
        let first = StubNetwork()
        let precondition = { (service: Service) in
            service.configure("/users/*", requestMethods: [.put]) { $0.precondition = .unchanged }
        }
        let service = start(first, precondition)
        let user = try await loaded(service, first)
        try await user.mutate(.put, body: .encoded(User(name: "Mine")), durable: true) { $0.name = "Mine" }.accepted()
        try await stop(service)
        if !isCached { try FileManager.default.removeItem(at: folder.url.appendingPathComponent("cache")) }

        let second = StubNetwork()
        var seen: [User?] = []
        let restarted = start(second) { service in
            precondition(service)
            service.resolveConflicts("/users/*", as: User.self) { conflict in
                seen = [conflict.base, conflict.mine, conflict.theirs]
                return .giveUp
            }
        }
        await restarted.outbox?.isLoaded()
        second.answer(.get, "/users/1", with: .json(#"{"name": "Theirs", "stars": 9}"#, headers: ["ETag": "\"2\""]))
        second.answer(.put, "/users/1", with: .response(412))
        if isOnView {
            await self.user(restarted).resource.loadIfNeeded()?.completion()
            await self.user(restarted).resource.load().completion()
        }
        connection.isConnected = true
        await restarted.outbox?.settled()
        let theirs = User(name: "Theirs", stars: 9)
        let unknown = [nil, User(name: "Mine", stars: 9), theirs]
        #expect(seen == (isCached ? [User(), User(name: "Mine"), theirs] : unknown))
    }

    @Test func `After a restart, the condition of a later change is the version that the earlier one has made`()
        async throws
    {
        connection.isConnected = false
        let first = StubNetwork()
        let precondition = { (service: Service) in
            service.configure("/users/*", requestMethods: [.put]) { $0.precondition = .unchanged }
        }
        let service = start(first, precondition)
        let user = try await loaded(service, first)
        user.mutate(.put, body: .encoded(User(name: "A")), durable: true) { $0.name = "A" }
        try await user.mutate(.put, body: .encoded(User(name: "B")), durable: true) { $0.name = "B" }.accepted()
        try await stop(service)

        let second = StubNetwork()
        connection.isConnected = true
        second.answer(
            .put, "/users/1", with: .json(#"{"name": "A", "stars": 0}"#, headers: ["ETag": "\"2\""]),
            .json(#"{"name": "B", "stars": 0}"#, headers: ["ETag": "\"3\""]))
        let restarted = start(second, precondition)
        await restarted.outbox?.isLoaded()
        await restarted.outbox?.settled()
        #expect(changes(second).map { $0.value(forHTTPHeaderField: "If-Match") } == ["\"1\"", "\"2\""])
    }

    @Test func `After a restart, the base of a later change is the result of the earlier one`() async throws {
        connection.isConnected = false
        let first = StubNetwork()
        let precondition = { (service: Service) in
            service.configure("/users/*", requestMethods: [.put]) { $0.precondition = .unchanged }
        }
        let service = start(first, precondition)
        let user = try await loaded(service, first)
        user.mutate(.put, body: .encoded(User(name: "A")), durable: true) { $0.name = "A" }
        try await user.mutate(.put, body: .encoded(User(name: "B")), durable: true) { $0.name = "B" }.accepted()
        try await stop(service)

        let second = StubNetwork()
        connection.isConnected = true
        second.answer(
            .put, "/users/1", with: .json(#"{"name": "A", "stars": 0}"#, headers: ["ETag": "\"2\""]), .response(412))
        second.answer(.get, "/users/1", with: .json(#"{"name": "A", "stars": 1}"#, headers: ["ETag": "\"3\""]))
        var bases: [User?] = []
        let restarted = start(second) { service in
            precondition(service)
            service.resolveConflicts("/users/*", as: User.self) { conflict in
                bases.append(conflict.base)
                return .giveUp
            }
        }
        await restarted.outbox?.isLoaded()
        await restarted.outbox?.settled()
        #expect(bases == [User(name: "A")])
    }

    @Test func `A conflict that nobody decides waits for the app`() async throws {
        let network = StubNetwork()
        let service = start(network)
        let user = try await loaded(service, network)
        network.answer(.patch, "/users/1", with: .response(409))
        let change = user.mutate(.patch, body: .encoded(["name": "G"]), durable: true) { $0.name = "G" }
        await #expect(throws: RequestError.self) { try await change.value }
        #expect(change.state == .conflict)
        #expect(service.outbox?.entries.map(\.state) == [.conflict(status: 409)])
        #expect(user.content?.name == "G")
    }

    // MARK: Created resources, files

    @Test func `A change of a created resource is sent to the URL that the server has named`() async throws {
        connection.isConnected = false
        let network = StubNetwork()
        let service = start(network)
        let users: TypedResource<[User]> = service.resource("/users").typed()
        let create = users.mutate(
            .post, body: .encoded(User(name: "New")), also: [users.replace(by: [User(name: "New")])], durable: true
        ) { _ in }
        let rename = create.mutateCreated(
            .patch, path: "name", body: .encoded(["name": "N"]), also: [users.edit { $0[0].name = "N" }])
        try await rename.accepted()
        #expect(users.content == [User(name: "N")])
        #expect(service.outbox?.obstacle(for: rename.entryID ?? "") == .creation(id: create.entryID ?? ""))
        network.answer(.post, "/users", with: .response(201, headers: ["Location": "/users/7"]))
        network.answer(.patch, "/users/7/name", with: .response(204))
        connection.isConnected = true
        _ = try await rename.request.value
        #expect(changes(network).map { $0.url?.path } == ["/users", "/users/7/name"])
        #expect(create.createdURL == "http://api.test/users/7")
        let later = create.mutateCreated(.delete)
        network.answer(.delete, "/users/7", with: .response(204))
        _ = try await later.request.value
    }

    @Test func `A durable change whose body is a stream is refused, and shows nothing`() async throws {
        let network = StubNetwork()
        let service = start(network)
        let user = try await loaded(service, network)
        let before = user.content
        let body = RequestBody { _ in .init(.stream { throw CocoaError(.fileReadUnknown) }, contentType: "a/b") }
        var failure: RequestError?
        let change = user.mutate(.put, body: body, durable: true) { $0.name = "Mine" }.onFailure { failure = $0 }
        try await Poll.until { failure != nil }
        #expect(failure?.code == .unencodableBody)
        #expect(change.state == .failed)
        #expect(user.content == before)
        #expect(service.outbox?.entries.isEmpty == true)
        let again = await change.request.repeated().start().response
        guard case .failure(let error) = again.response else { Issue.record("no failure"); return }
        #expect(error.code == .unencodableBody)
        #expect(user.content == before)
        #expect(network.requests.count == 1)
    }

    @Test(arguments: [true, false])
    func `A file is sent as it was, or the change is refused`(isCopied: Bool) async throws {
        connection.isConnected = false
        let network = StubNetwork()
        let service = start(network)
        let user = try await loaded(service, network)
        let file = folder.url.appendingPathComponent("photo")
        try Data("first".utf8).write(to: file)
        var options = ChangeOptions()
        options.copiesFile = isCopied
        let change = user.mutate(.put, body: .file(file, contentType: "image/png"), options: options, durable: true)
        try await change.accepted()
        try Data("changed".utf8).write(to: file)
        network.answer(.put, "/users/1", with: .response(204))
        connection.isConnected = true
        await service.outbox?.settled()
        if isCopied {
            #expect(service.outbox?.entries.isEmpty == true)
            #expect(changes(network).count == 1)
        } else {
            guard case .refused(nil, _) = try #require(service.outbox?.entries.first).state else {
                Issue.record("not refused")
                return
            }
            #expect(changes(network).isEmpty)
            #expect(!user.isStale)
        }
    }
}
