import Foundation
import Observation
import SiestaCore
import SiestaLists
import SiestaTesting
import SiestaWriting
import TestDoubles
import TestKit
import Testing
import Waiting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Resources that a change has deleted on the server.
@MainActor
@Suite(.timeLimit(.test))
struct DeletedResourceTests {
    private func options(_ settlement: ChangeOptions.Settlement) -> ChangeOptions {
        var options = ChangeOptions()
        options.settlement = settlement
        return options
    }

    /// Expects that the user has no data, and that the next `loadIfNeeded()` loads it.
    private func expectGone(_ stub: StubbedUser) {
        #expect(stub.user.resource.latestData == nil)
        #expect(stub.user.content == nil)
        #expect(stub.user.snapshot.source == nil)
        #expect(stub.user.resource.latestError == nil)
        #expect(stub.user.isStale)
        #expect(!stub.user.resource.isOptimistic)
        #expect(stub.user.resource.pendingChanges.isEmpty)
    }

    private static let answers: [StubAnswer] = [
        .response(204), .response(204, headers: ["ETag": "\"2\""]), .response(202), User().json(etag: "\"2\""),
        .json(#"{"status": "deleted"}"#),
    ]

    @Test func `A repeated DELETE of a missing resource makes the data stale that depends on it`() async throws {
        let stub = StubbedUser {
            $0.configure("/users") { $0.tags = ["users"] }
            $0.configure("/users/*", requestMethods: [.delete]) {
                $0.invalidates = ["users"]
                $0.repeatRefusedRequests()
            }
        }
        try await stub.load()
        try await stub.loadList()
        stub.network.answer(.delete, "/users/1", with: .response(401), .response(404))
        _ = try await stub.user.mutate(.delete).value
        #expect(stub.list.isStale)
    }

    @Test(arguments: 0..<5, [ChangeOptions.Settlement.response, .edit, .reload])
    func `After a successful DELETE, the resource has no data`(
        number: Int, settlement: ChangeOptions.Settlement
    ) async throws {
        let stub = StubbedUser()
        try await stub.load()
        let recorder = ObserverRecorder()
        stub.user.resource.addObserver(recorder)
        recorder.clear()
        stub.network.answer(.delete, "/users/1", with: Self.answers[number])
        let change = stub.user.mutate(.delete, options: options(settlement))
        #expect(stub.user.content == User())
        #expect(try await change.value == nil)
        #expect(change.state == .succeeded)
        expectGone(stub)
        #expect(recorder.events == [.newData(.wipe)])
        #expect(stub.network.requests.map(\.httpMethod) == ["GET", "DELETE"])
    }

    @Test(arguments: [ChangeOptions.Settlement.response, .edit, .reload])
    func `An edit of a resource that is deleted disappears with its data`(
        settlement: ChangeOptions.Settlement
    ) async throws {
        let stub = StubbedUser()
        try await stub.load()
        try await stub.loadList()
        let recorder = ObserverRecorder()
        stub.user.resource.addObserver(recorder)
        recorder.clear()
        stub.network.answer(.delete, "/users/1", with: User(name: "Deleted").json(etag: "\"2\""))
        stub.network.answer(.get, "/users", with: .json("[\(User(id: 2, name: "Bob").text)]"))
        let item = stub.list.edit { $0.removeAll { $0.id == 1 } }
        let change = stub.user.mutate(.delete, also: [item], options: options(settlement)) { $0.name = "Deleted" }
        #expect(stub.user.content?.name == "Deleted")
        _ = try await change.value
        expectGone(stub)
        #expect(stub.list.content?.map(\.id) == [2])
        #expect(recorder.events == [.newData(.localOverride), .newData(.wipe)])
    }

    @Test(arguments: [204, 404], [ChangeOptions.Settlement.response, .edit])
    func `After a DELETE, a resource has the content by which the change replaces it`(
        status: Int, settlement: ChangeOptions.Settlement
    ) async throws {
        let stub = StubbedUser()
        try await stub.load()
        stub.network.answer(.delete, "/users/1", with: .response(status))
        let off = User(name: "Nobody")
        let change = stub.user.mutate(.delete, also: [stub.user.replace(by: off)], options: options(settlement))
        #expect(try await change.value == off)
        #expect(stub.user.isStale == (settlement == .response || status == 404))
        stub.network.answer(.get, "/users/1", with: User(name: "Server").json)
        try await stub.user.get(.always)
        #expect(stub.network.requests.last?.value(forHTTPHeaderField: "If-None-Match") == nil)
        #expect(stub.user.content?.name == "Server")
    }

    @Test func `A DELETE with a precondition loads nothing`() async throws {
        let stub = StubbedUser { $0.configure { $0.precondition = .unchanged } }
        try await stub.load()
        stub.network.answer(.delete, "/users/1", with: .response(204))
        _ = try await stub.user.mutate(.delete) { $0.name = "" }.value
        expectGone(stub)
        #expect(stub.network.requests.last?.value(forHTTPHeaderField: "If-Match") == "\"1\"")
    }

    @Test(arguments: [404, 410])
    func `A DELETE of a resource that does not exist has the same effect`(status: Int) async throws {
        let stub = StubbedUser { service in
            service.configure("/users/*", requestMethods: [.delete]) { $0.invalidates = ["tag"] }
            service.configure("/users/2") { $0.tags = ["tag"] }
        }
        try await stub.load()
        try await stub.loadList()
        let other: TypedResource<User> = stub.service.resource("/users/2").typed()
        other.content = User(id: 2)
        stub.network.answer(.delete, "/users/1", with: .response(status))
        let change = stub.user.mutate(.delete, also: [stub.list.edit { $0.removeAll { $0.id == 1 } }])
        _ = try await change.value
        #expect(other.isStale)
        #expect(change.state == .succeeded)
        expectGone(stub)
        #expect(stub.list.content?.map(\.id) == [2])
        #expect(stub.list.isStale)
    }

    @Test(arguments: [403, 405, 422, 500])
    func `A DELETE that fails leaves the data`(status: Int) async throws {
        let stub = StubbedUser()
        try await stub.load()
        stub.network.answer(.delete, "/users/1", with: .response(status))
        await #expect(throws: RequestError.self) { try await stub.user.mutate(.delete).value }
        #expect(stub.user.content == User())
        #expect(stub.user.isStale == (status == 500))
    }

    @Test(arguments: [true, false])
    func `A DELETE that is cancelled leaves the data`(isSent: Bool) async throws {
        let stub = StubbedUser()
        try await stub.load()
        stub.hold(.patch)
        stub.hold(.delete)
        if !isSent { stub.user.mutate(.patch, body: .encoded(["stars": 1])) { $0.stars = 1 } }
        let change = stub.user.mutate(.delete)
        _ = try await stub.network.exchange(2)
        change.cancel()
        #expect(stub.user.content == User(stars: isSent ? 0 : 1))
        #expect(stub.user.isStale == isSent)
    }

    // MARK: Loads

    @Test(arguments: [404, 410])
    func `A later load of a deleted resource fails, and there is still no data`(status: Int) async throws {
        let stub = StubbedUser()
        try await stub.load()
        stub.network.answer(.delete, "/users/1", with: .response(204))
        _ = try await stub.user.mutate(.delete).value
        stub.network.answer(.get, "/users/1", with: .response(status))
        let error = await #expect(throws: RequestError.self) { try await stub.user.get() }
        #expect(error?.httpStatusCode == status)
        #expect(stub.network.requests.last?.value(forHTTPHeaderField: "If-None-Match") == nil)
        #expect(stub.user.content == nil)
        #expect(stub.user.resource.latestError?.httpStatusCode == status)
    }

    @Test func `A resource that exists again is loaded`() async throws {
        let stub = StubbedUser()
        try await stub.load()
        stub.network.answer(.delete, "/users/1", with: .response(204))
        _ = try await stub.user.mutate(.delete).value
        stub.network.answer(.get, "/users/1", with: User(name: "New").json)
        #expect(try await stub.user.get().name == "New")
    }

    @Test func `A load that began before the end of a DELETE does not bring the data back, not even into a cache`()
        async throws
    {
        let cache = InMemoryCache()
        let stub = StubbedUser { $0.configure { $0.pipeline[.rawData].cacheUsing(cache) } }
        try await stub.load()
        stub.hold(.delete)
        stub.hold(.get)
        let change = stub.user.mutate(.delete)
        let load = stub.user.resource.load()
        let late = try await stub.network.exchange(3)
        try await stub.network.exchange(2).respond(with: .response(204))
        _ = try await change.value
        late.respond(with: User(name: "Old").json(etag: "\"1\""))
        _ = await load.response
        expectGone(stub)
        stub.user.resource.wipe()  // Reads the cache again, after all that was written before.
        #expect((try? await stub.user.get(.cached)) == nil)
    }

    @Test func `Of many deleted resources, none gets data that was asked for before`() async throws {
        let stub = StubbedUser()
        let users: [TypedResource<User>] = (0..<1100).map { stub.service.resource("/users/\($0)").typed() }
        let owner = NSObject()
        stub.list.resource.addObserver(owner: owner) { list, event in
            guard case .newData = event else { return }
            for user in list.typed(as: [User].self).content ?? [] { stub.service.seed(user, for: users[user.id]) }
        }
        stub.hold(.get, "/users")
        let load = stub.list.resource.load()
        let late = try await stub.network.exchange(1)
        stub.clock.advance(by: 1)
        stub.network.handler = { $0.httpMethod == "DELETE" ? .response(204) : nil }
        for user in users { _ = try await user.mutate(.delete).value }
        late.respond(with: .json("[\(users.indices.map { User(id: $0).text }.joined(separator: ","))]"))
        _ = await load.response
        #expect(stub.list.content?.count == users.count)
        #expect(users.count { $0.content != nil } == 0)
    }

    @Test(arguments: [PipelineStageKey.rawData, .model])
    func `After a relaunch from a cache, a deleted resource has no data`(stage: PipelineStageKey) async throws {
        let cache = InMemoryCache()
        let stub = StubbedUser { $0.configure { $0.pipeline[stage].cacheUsing(cache) } }
        try await stub.load()
        try await Poll.until { !cache.entities.isEmpty }
        stub.network.answer(.delete, "/users/1", with: User().json(etag: "\"1\""))
        _ = try await stub.user.mutate(.delete).value
        try await Poll.until { cache.entities.isEmpty }
        let next = StubbedUser { $0.configure { $0.pipeline[stage].cacheUsing(cache) } }
        #expect((try? await next.user.get(.cached)) == nil)
    }

    @Test func `A placeholder of a deleted resource is removed`() async throws {
        let stub = StubbedUser()
        stub.user.resource.placeholder = Entity(content: User(name: "Placeholder"), contentType: "x/y")
        stub.network.answer(.delete, "/users/1", with: .response(204))
        _ = try await stub.user.mutate(.delete).value
        #expect(stub.user.resource.placeholder == nil)
    }

    // MARK: Other changes

    @Test func `A change that waits behind a DELETE is made of no data`() async throws {
        let stub = StubbedUser()
        try await stub.load()
        stub.hold(.delete)
        stub.hold(.put)
        let deletion = stub.user.mutate(.delete)
        let edit = stub.user.mutate(.put, body: .encoded(["stars": 1])) { $0.stars = 1 }
        let new = User(name: "New")
        let creation = stub.user.mutate(.put, body: .encoded(new), also: [stub.user.replace(by: new)]) { $0.stars = 5 }
        #expect(stub.user.content == User(name: "New"))
        edit.cancel()
        try await stub.network.exchange(2).respond(with: .response(204))
        _ = try await deletion.value
        #expect(stub.user.content == User(name: "New"))
        #expect(stub.user.resource.isOptimistic)
        try await stub.network.exchange(3).respond(with: .response(204))
        #expect(try await creation.value == User(name: "New"))
        #expect(!stub.user.resource.isOptimistic)
    }

    @Test func `A second DELETE that waits behind the first one has succeeded, too`() async throws {
        let stub = StubbedUser()
        try await stub.load()
        stub.network.answer(.delete, "/users/1", with: .response(204), .response(404))
        let changes = (0..<2).map { _ in stub.user.mutate(.delete) }
        for change in changes { _ = try await change.value }
        expectGone(stub)
        #expect(stub.network.requests.count == 3)
    }

    @Test(arguments: [ChangeOptions.Settlement.response, .reload])
    func `An observer may cancel the change, load the resource and make another change when the data is removed`(
        settlement: ChangeOptions.Settlement
    ) async throws {
        let stub = StubbedUser()
        try await stub.load()
        try await stub.loadList()
        stub.network.answer(.delete, "/users/1", with: .response(204))
        stub.network.answer(.put, "/users/1", with: User(name: "Again").json)
        stub.hold(.get)
        let item = stub.list.edit { $0.removeAll { $0.id == 1 } }
        let deletion = stub.user.mutate(.delete, also: [item], options: options(settlement))
        let owner = NSObject()
        var creation: Change<User>?
        var load: (any Request)?
        stub.user.resource.addObserver(owner: owner) { _, event in
            guard event == .newData(.wipe) else { return }
            deletion.cancel()
            load = stub.user.resource.load()
            let new = stub.user.replace(by: User(name: "Again"))
            creation = stub.user.mutate(.put, body: .data(Data("{}".utf8)), also: [new])
        }
        _ = await deletion.request.response
        #expect(!deletion.isPending)
        #expect(try await #require(creation).value?.name == "Again")
        for exchange in stub.network.exchanges where !exchange.isCompleted {
            exchange.respond(with: User(name: "Old").json)
        }
        _ = await load?.response
        #expect(stub.user.content?.name == "Again")
    }

    // MARK: What shows the resource

    @Test func `Observation announces that the data of a deleted resource is removed`() async throws {
        let stub = StubbedUser()
        try await stub.load()
        stub.network.answer(.delete, "/users/1", with: .response(204))
        let change = stub.user.mutate(.delete)
        let (changes, continuation) = AsyncStream<Void>.makeStream()
        withObservationTracking {
            _ = stub.user.content
        } onChange: {
            continuation.finish()
        }
        for await _ in changes {}
        _ = try await change.value
        expectGone(stub)
    }

    @Test func `If freshness follows HTTP, an observed resource that was deleted is not loaded`() async throws {
        let stub = StubbedUser { $0.configure { $0.freshness = .http } }
        try await stub.load(User().json(etag: "\"1\""))
        let owner = NSObject()
        stub.user.resource.addObserver(owner: owner) { _, _ in }
        stub.network.answer(.delete, "/users/1", with: .response(204))
        _ = try await stub.user.mutate(.delete).value
        expectGone(stub)
        #expect(stub.network.requests.count == 2)
    }

    @Test func `A selection of a deleted resource has no value`() async throws {
        let stub = StubbedUser()
        try await stub.load()
        let owner = NSObject()
        let name = stub.user.select(\.name)
        var values: [String?] = []
        name.addObserver(owner: owner) { values.append($1) }
        stub.network.answer(.delete, "/users/1", with: .response(204))
        _ = try await stub.user.mutate(.delete).value
        #expect(name.value == nil)
        #expect(values.last == .some(nil))
    }

    @Test func `A list whose page is deleted has no items of it`() async throws {
        let stub = StubbedUser()
        try await stub.loadList()
        let items = PagedResource(stub.list, next: .pageNumber(size: 2))
        let owner = NSObject()
        items.addObserver(owner: owner) { _, _ in }
        items.loadIfNeeded()
        #expect(items.items.count == 2)
        stub.network.answer(.delete, "/users", with: .response(204))
        _ = try await stub.list.mutate(.delete).value
        #expect(items.items.isEmpty)
    }

    @Test func `A list whose page is deleted shows the content that a later change creates`() async throws {
        let stub = StubbedUser()
        try await stub.loadList()
        let items = PagedResource(stub.list, next: .pageNumber(size: 2))
        let owner = NSObject()
        items.addObserver(owner: owner) { _, _ in }
        items.loadIfNeeded()
        stub.hold(.delete, "/users")
        stub.hold(.put, "/users")
        let deletion = stub.list.mutate(.delete)
        let new = stub.list.replace(by: [User(id: 7)])
        stub.list.mutate(.put, body: .data(Data("[]".utf8)), also: [new, stub.list.edit { $0.append(User(id: 8)) }])
        let late = stub.list.mutate(.patch) { $0.removeAll { $0.id == 8 } }
        #expect(items.items.map(\.id) == [7])
        late.cancel()
        #expect(items.items.map(\.id) == [7, 8])
        try await stub.network.exchange(2).respond(with: .response(204))
        _ = try await deletion.value
        #expect(items.items.map(\.id) == [7, 8])
    }

    @Test func `A list that shows a deleted item loads without it, and the item is not loaded`() async throws {
        let stub = StubbedUser { service in
            service.configure("/users/*", requestMethods: [.delete]) { $0.invalidates = [.collection] }
        }
        try await stub.load()
        try await stub.loadList()
        let owner = NSObject()
        let items = PagedResource(stub.list, next: .pageNumber(size: 2))
        items.addObserver(owner: owner) { _, _ in }
        items.loadIfNeeded()
        stub.user.resource.addObserver(owner: owner) { _, _ in }
        #expect(items.items.map(\.id) == [1, 2])
        stub.network.answer(.delete, "/users/1", with: .response(204))
        stub.hold(.get, "/users")
        _ = try await stub.user.mutate(.delete).value
        let load = try await stub.network.exchange(4)
        #expect(load.request.url?.path == "/users")
        load.respond(with: .json("[\(User(id: 2, name: "Bob").text)]"))
        _ = try await stub.list.get()
        #expect(items.items.map(\.id) == [2])
        expectGone(stub)
        #expect(stub.network.requests.count == 4)
    }
}
