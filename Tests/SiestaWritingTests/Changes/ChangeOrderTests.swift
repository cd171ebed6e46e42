import Foundation
import Siesta
import SiestaCore
import SiestaTesting
import SiestaWriting
import TestDoubles
import TestKit
import Testing
import Waiting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The order of changes and loads that overlap: a load is newer than a change only if it began after the end of the change.
@MainActor @Suite(.timeLimit(.test))
struct ChangeOrderTests {
    private let stub = StubbedUser()
    private let recorder = ObserverRecorder()
    private var user: TypedResource<User> { stub.user }
    private let first = User(name: "First"), second = User(name: "Second")

    init() {
        for method in [RequestMethod.get, .patch] { stub.hold(method) }
    }

    private func change(_ settlement: ChangeOptions.Settlement = .response) -> Change<User> {
        var options = ChangeOptions()
        options.settlement = settlement
        return user.mutate(.patch, body: .data(Data()), options: options) { $0.stars = 5 }
    }

    private func answer(_ index: Int, with answer: StubAnswer) async throws {
        try await stub.network.exchange(index + 1).respond(with: answer)
    }

    @Test func `Scopes are compared byte by byte, so that equal strings may be two scopes`() async throws {
        for scope in ["jos\u{e9}", "jose\u{301}", "jos\u{e9}"] {
            var options = ChangeOptions()
            options.scope = scope
            user.mutate(.patch, body: .data(Data()), options: options) { $0.stars += 1 }
        }
        _ = try await stub.network.exchange(2)
        for _ in 0..<10 { await mainQueueTurn() }
        #expect(stub.network.requests.count == 2)
    }

    @Test(arguments: [StubAnswer.response(502), .failure(.networkConnectionLost)])
    func `A response that may be older than a change whose response is lost is stale`(lost: StubAnswer) async throws {
        try await stub.load()
        var options = ChangeOptions()
        options.isConcurrent = true
        let earlier = user.mutate(.patch, body: .data(Data()), options: options) { $0.name = "First" }
        let later = user.mutate(.patch, body: .data(Data()), options: options) { $0.stars = 1 }
        try await answer(2, with: lost)
        await #expect(throws: RequestError.self) { try await later.value }
        try await answer(1, with: first.json)
        _ = try await earlier.value
        #expect(user.content == first)
        #expect(user.isStale)
    }

    @Test func `If a load was sent after a change and is answered after it, the result of the change is stale`()
        async throws
    {
        try await stub.load()
        stub.hold(.get)
        let change = change()
        let load = Task { try await user.get(.always) }
        _ = try await stub.network.exchange(3)
        user.resource.addObserver(recorder)
        try await answer(1, with: first.json)
        _ = try await change.value
        #expect(user.content == first)
        #expect(user.isStale)
        try await answer(2, with: second.json)
        #expect(try await load.value == first)
        #expect(user.content == first)
        #expect(user.isStale)
        #expect(recorder.events == [.observerAdded, .newData(.network), .notModified])
    }

    @Test func `Nobody joins a load that was sent after a change and not answered before it`() async throws {
        try await stub.load()
        stub.hold(.get)
        let change = change()
        user.resource.load()
        _ = try await stub.network.exchange(3)
        try await answer(1, with: first.json)
        _ = try await change.value
        let fresh = Task { try await user.get() }
        try await answer(3, with: second.json)
        #expect(try await fresh.value == second)
        try await answer(2, with: User().json)
        while user.resource.isLoading { await mainQueueTurn() }
        #expect(user.content == second)
        #expect(user.isUpToDate)
    }

    @Test func `The response to a load that was sent before a change does not replace the result of the change`()
        async throws
    {
        try await stub.load()
        stub.hold(.get)
        let load = Task { try await user.get(.always) }
        _ = try await stub.network.exchange(2)
        let change = change()
        try await answer(2, with: second.json)
        _ = try await change.value
        try await answer(1, with: first.json)
        #expect(try await load.value == second)
        #expect(user.content == second)
        #expect(user.isUpToDate)
    }

    @Test func `If a load was sent after a change and is answered before it, the result of the change is stale`()
        async throws
    {
        try await stub.load()
        stub.hold(.get)
        let change = change()
        let load = user.resource.load()
        try await answer(2, with: second.json)
        _ = await load.response
        #expect(user.content == User(name: "Second", stars: 5))
        try await answer(1, with: first.json)
        _ = try await change.value
        #expect(user.content == first)
        #expect(user.isStale)
    }

    @Test func `The response to a load that was sent after the answer to a change is fresh`() async throws {
        try await stub.load()
        stub.hold(.get)
        let change = change()
        try await answer(1, with: first.json)
        _ = try await change.value
        let load = user.resource.load()
        try await answer(2, with: second.json)
        _ = await load.response
        #expect(user.content == second)
        #expect(user.isUpToDate)
    }

    @Test func `A 304 to a load that overlaps a change confirms nothing`() async throws {
        try await stub.load()
        stub.hold(.get)
        let change = change()
        let load = user.resource.load()
        try await answer(1, with: first.json(etag: "\"2\""))
        _ = try await change.value
        try await answer(2, with: .notModified)
        _ = await load.response
        #expect(user.content == first)
        #expect(user.isStale)
        #expect(stub.network.requests.count == 3)
    }

    @Test func `A load that overlaps a change and fails leaves the result of the change, and no error`() async throws {
        try await stub.load()
        stub.hold(.get)
        let change = change()
        let load = user.resource.load()
        try await answer(1, with: first.json)
        _ = try await change.value
        try await answer(2, with: .response(500))
        _ = await load.response
        #expect(user.content == first)
        #expect(user.resource.latestError == nil)
        #expect(user.isStale)
    }

    @Test func `A load that was cancelled before the end of a change leaves fresh data`() async throws {
        try await stub.load()
        stub.hold(.get)
        let change = change()
        user.resource.load().cancel()
        try await answer(1, with: first.json)
        _ = try await change.value
        #expect(user.content == first)
        #expect(user.isUpToDate)
    }

    @Test func `Edits become part of data that was loaded while the change was running, and the data is stale`()
        async throws
    {
        try await stub.load()
        stub.hold(.get)
        let change = change(.edit)
        let load = user.resource.load()
        try await answer(2, with: second.json)
        _ = await load.response
        try await answer(1, with: .response(204))
        _ = try await change.value
        #expect(user.content == User(name: "Second", stars: 5))
        #expect(user.isStale)
    }

    @Test func `If data is pushed while a change is running, the result of the change is stale`() async throws {
        try await stub.load()
        let change = change()
        stub.clock.advance(by: 1)
        stub.service.seed(second, for: user)
        try await answer(1, with: first.json)
        _ = try await change.value
        #expect(user.content == first)
        #expect(user.isStale)
    }

    @Test func `A local override ends with the response to a load, whatever changes run`() async throws {
        try await stub.load()
        stub.hold(.get)
        let load = user.resource.load()
        let change = change()
        user.resource.overrideLocalContent(with: User(name: "Mine"))
        try await answer(1, with: second.json)
        _ = await load.response
        #expect(user.content == User(name: "Second", stars: 5))
        change.cancel()
    }

    @Test func `Resources that a change also edits follow the same rule`() async throws {
        try await stub.load()
        try await stub.loadList()
        stub.hold(.get, "/users")
        let edit = stub.list.edit { $0.removeLast() }
        let change = user.mutate(.patch, body: .data(Data()), also: [edit]) { $0.stars = 5 }
        let load = stub.list.resource.load()
        try await answer(2, with: first.json)
        _ = try await change.value
        #expect(stub.list.content?.count == 1)
        #expect(stub.list.isStale)
        #expect(user.isUpToDate)
        try await answer(3, with: .json("[\(second.text)]"))
        _ = await load.response
        #expect(stub.list.content?.count == 1)
        #expect(stub.list.isStale)
    }

    @Test func `Changes that overlap each other leave a list that both edit as fresh as it was`() async throws {
        try await stub.load()
        try await stub.loadList()
        let other = stub.service.resource("/users/2", as: User.self)
        stub.hold(.patch, "/users/2")
        let changes = [user, other].map { resource in
            resource.mutate(.patch, body: .data(Data()), also: [stub.list.edit { $0.removeLast() }])
        }
        for index in [3, 2] { try await answer(index, with: .response(204)) }
        for change in changes { _ = try await change.value }
        #expect(stub.list.content == [])
        #expect(stub.list.isUpToDate)
    }

    @Test(arguments: [204, 500])
    func `The response to a load that overlaps a change is stale, also if there was no data to edit`(
        status: Int
    ) async throws {
        try await stub.load()
        stub.hold(.get, "/users")
        let load = stub.list.resource.load()
        _ = try await stub.network.exchange(2)
        let change = user.mutate(.patch, body: .data(Data()), also: [stub.list.edit { $0.removeLast() }]) {
            $0.stars = 5
        }
        try await answer(2, with: .response(status))
        _ = await change.request.response
        try await answer(1, with: .json("[\(second.text)]"))
        _ = await load.response
        #expect(stub.list.content == [second])
        #expect(stub.list.isStale)
    }

    @Test(arguments: [204, 500])
    func `Data that is still in a cache when a change of it ends is stale`(status: Int) async throws {
        let cache = InMemoryCache()
        func start() -> StubbedUser { StubbedUser { $0.configure("/users") { $0.pipeline[.model].cacheUsing(cache) } } }
        try await start().loadList()
        try await Poll.until { !cache.entities.isEmpty }
        let stub = start()
        try await stub.load()
        stub.network.answer(.patch, "/users/1", with: .response(status))
        let edit = stub.list.edit { $0.removeLast() }
        _ = await stub.user.mutate(.patch, body: .data(Data()), also: [edit]) { $0.stars = 5 }.request.response
        #expect((try? await stub.list.get(.cached))?.count == 2)
        #expect(stub.list.isStale)
    }

    @Test func `A refusal before a retry that does not begin says nothing about the attempt before it`() async throws {
        let trying = TryingService {
            ($0.retry, $0.pacing) = (.standard, Pacing(concurrentRequests: 1))
            ($0.retry.timeLimit, $0.expirationTime) = (2, 1000)
        }
        trying.network.handler = {
            $0.httpMethod == "GET" && $0.url?.path != "/long" ? .text("old") : .held
        }
        let thing = trying.service.resource("/thing", as: Data.self)
        let other = trying.service.resource("/other", as: Data.self)
        for resource in [thing.resource, other.resource] { _ = try await trying.completion(of: resource.load()) }
        let edit = other.edit { $0 = Data("new".utf8) }
        let change = thing.mutate(.put, body: .data(Data()), also: [edit]) { $0 = Data("new".utf8) }
        await trying.settle()
        try #require(trying.sentCount == 3)
        trying.network.exchanges[2].respond(with: .failure(.networkConnectionLost))
        await trying.pass(0.6)
        try #require(trying.sentCount == 4)
        trying.service.resource("/long").load()  // It takes the place for which the second retry waits.
        trying.network.exchanges[3].respond(with: .response(429))
        await trying.pass(2.2)
        #expect(change.request.isCompleted)
        #expect(trying.sentCount == 5)
        #expect(other.isStale)
    }
}
