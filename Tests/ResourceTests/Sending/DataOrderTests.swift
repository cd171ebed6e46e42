import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing
import Waiting

/// The order of the data that loads, caches and the app bring: older data never replaces newer data.
@MainActor @Suite(.timeLimit(.test))
struct DataOrderTests {
    private let stub = StubbedResource()
    private let cache = InMemoryCache()
    private let recorder = ObserverRecorder()
    private var resource: Resource { stub.resource }
    private var typed: TypedResource<String> { resource.typed() }
    private var now: TimeInterval { stub.clock.wallTime }
    private var stored: Entity<Any>? { cache.entities[resource.url.absoluteString] }

    private func useCache() {
        let cache = cache
        stub.service.configure { $0.pipeline[.cleanup].cacheUsing(cache) }
    }

    /// Begins a load whose response a test sends.
    @discardableResult
    private func beginLoad() -> any Request {
        stub.network.answer(.get, "/thing", with: .held)
        return resource.load()
    }

    private func answer(_ index: Int, with answer: StubAnswer) throws {
        try stub.exchange(index).respond(with: answer)
    }

    // MARK: Pushed data and loads

    @Test func `The response to a load that began before data was pushed does not replace this data`() async throws {
        let load = beginLoad()
        resource.addObserver(recorder)
        stub.clock.advance(by: 1)
        stub.service.seed("pushed", for: typed)
        stub.clock.advance(by: 1)
        try answer(0, with: .text("older"))
        #expect(await load.completion().text == "older")
        #expect(typed.content == "pushed")
        #expect(resource.timestamp == now - 1)
        #expect(recorder.events == [.observerAdded, .newData(.cache), .notModified])
    }

    @Test func `A load that began before data was pushed returns the pushed data`() async throws {
        stub.network.answer(.get, "/thing", with: .held)
        let task = Task { try await typed.load() }
        await mainQueueTurn()
        stub.service.seed("pushed", for: typed)
        try answer(0, with: .text("older"))
        #expect(try await task.value == "pushed")
    }

    @Test func `The response to a load that began after data was pushed replaces this data`() async throws {
        stub.service.seed("pushed", for: typed)
        let load = beginLoad()
        try answer(0, with: .text("newer"))
        await load.completion()
        #expect(typed.content == "newer")
    }

    @Test(arguments: [0.5, 1.5])
    func `The timestamp of pushed data decides whether a load began before it`(_ age: Double) async throws {
        stub.clock.advance(by: 10)
        let load = beginLoad()
        stub.clock.advance(by: 1)
        stub.service.seed("pushed", for: typed, timestamp: now - age)
        #expect(typed.content == "pushed")
        try answer(0, with: .text("loaded"))
        await load.completion()
        #expect(typed.content == (age < 1 ? "pushed" : "loaded"))
    }

    @Test func `Of two loads, pushed data replaces the one that began before it`() async throws {
        let first = beginLoad()
        stub.clock.advance(by: 1)
        let timestamp = now
        stub.clock.advance(by: 1)
        let second = beginLoad()
        stub.service.seed("pushed", for: typed, timestamp: timestamp)
        try answer(0, with: .text("first"))
        await first.completion()
        #expect(typed.content == "pushed")
        try answer(1, with: .text("second"))
        await second.completion()
        #expect(typed.content == "second")
    }

    @Test func `Data with a timestamp in the future counts as old, and a running load replaces it`() async throws {
        let load = beginLoad()
        stub.service.seed("pushed", for: typed, timestamp: now + 100)
        try answer(0, with: .text("loaded"))
        await load.completion()
        #expect(typed.content == "loaded")
    }

    @Test func `An earlier load that fails leaves no error beside pushed data`() async throws {
        let load = beginLoad()
        stub.service.seed("pushed", for: typed)
        try answer(0, with: .response(500))
        await load.completion()
        #expect(resource.latestError == nil)
        #expect(typed.content == "pushed")
        #expect(resource.isUpToDate)
    }

    @Test func `A 304 to an earlier load does not confirm pushed data, and nothing is sent again`() async throws {
        await stub.load(.text("old", headers: ["ETag": "\"1\""]))
        stub.clock.advance(by: 5)
        let load = beginLoad()
        stub.clock.advance(by: 1)
        stub.service.seed("pushed", for: typed)
        stub.clock.advance(by: 1)
        try answer(1, with: .notModified)
        await load.completion()
        #expect(typed.content == "pushed")
        #expect(resource.timestamp == now - 1)
        #expect(stub.network.requests.count == 2)
    }

    @Test func `The cache keeps pushed data, too`() async throws {
        useCache()
        _ = (try? await resource.get(.cached))
        let load = beginLoad()
        stub.service.seed("pushed", for: typed)
        try answer(0, with: .text("older"))
        await load.completion()
        #expect(typed.content == "pushed")
        try await Poll.until { stored?.content as? String == "pushed" }
        #expect(try await Poll.untilUnchanged { stored?.content as? String } == "pushed")
    }

    @Test func `Pushed data that waits for a cache counts from the moment at which it was pushed`() async throws {
        let endRead = cache.holdReads()
        useCache()
        let load = beginLoad()
        stub.clock.advance(by: 1)
        stub.service.seed("pushed", for: typed)
        stub.clock.advance(by: 1)
        try answer(0, with: .text("older"))
        await load.completion()
        endRead()
        try await Poll.until { typed.content == "pushed" }
        #expect(resource.timestamp == now - 1)
    }

    @Test func `A load that waits for a cache begins when it asks the network`() async throws {
        let endRead = cache.holdReads()
        useCache()
        stub.network.answer(.get, "/thing", with: .held)
        let load = try #require(resource.loadIfNeeded())
        stub.clock.advance(by: 1)
        stub.service.seed("pushed", for: typed, timestamp: now - 100)
        stub.clock.advance(by: 1)
        endRead()
        try await Poll.until { stub.network.requests.count == 1 }
        try answer(0, with: .text("newer"))
        await load.completion()
        #expect(typed.content == "newer")
    }

    @Test func `Data that is pushed while the network is asked replaces what a load finds that waited for a cache`()
        async throws
    {
        let endRead = cache.holdReads()
        useCache()
        stub.network.answer(.get, "/thing", with: .held)
        let load = try #require(resource.loadIfNeeded())
        endRead()
        try await Poll.until { stub.network.requests.count == 1 }
        stub.clock.advance(by: 1)
        stub.service.seed("pushed", for: typed)
        try answer(0, with: .text("older"))
        await load.completion()
        #expect(typed.content == "pushed")
    }

    @Test func `After a wipe, pushed data and loads count as after the first start`() async throws {
        let wiped = beginLoad()
        stub.service.seed("pushed", for: typed)
        resource.wipe()
        let load = beginLoad()
        try answer(0, with: .text("wiped"))
        try answer(1, with: .text("loaded"))
        await load.completion()
        await wiped.completion()
        #expect(typed.content == "loaded")
    }

    @Test func `A local override still ends with the response to an earlier load`() async throws {
        stub.service.seed("pushed", for: typed)
        stub.clock.advance(by: 1)
        let load = beginLoad()
        resource.overrideLocalContent(with: "mine")
        try answer(0, with: .text("loaded"))
        await load.completion()
        #expect(typed.content == "loaded")
    }

    // MARK: Data from other responses

    @Test(arguments: [true, false])
    func `An element of a list does not replace an element that was asked for later`(_ isObserver: Bool) async throws {
        let list = stub.service.resource("/list")
        stub.network.answer(.get, "/list", with: .held)
        if isObserver {
            list.addObserver(owner: recorder) { list, event in
                if event == .newData(.network) { stub.service.seed(list.text, for: typed) }
            }
        }
        let listLoad = list.load()
        if !isObserver { listLoad.onNewData { _ in stub.service.seed(list.text, for: typed) } }
        stub.clock.advance(by: 1)
        let load = beginLoad()
        stub.clock.advance(by: 1)
        try answer(1, with: .text("newer"))
        await load.completion()
        stub.clock.advance(by: 1)
        try answer(0, with: .text("older"))
        await listLoad.completion()
        #expect(list.text == "older")
        #expect(typed.content == "newer")
    }

    @Test func `An element of a list does not overtake a running load that began later`() async throws {
        let list = stub.service.resource("/list")
        stub.network.answer(.get, "/list", with: .held)
        let listLoad = list.load().onNewData { _ in stub.service.seed(list.text, for: typed) }
        stub.clock.advance(by: 1)
        let load = beginLoad()
        stub.clock.advance(by: 1)
        try answer(0, with: .text("older"))
        await listLoad.completion()
        #expect(typed.content == "older")
        #expect(resource.timestamp == now - 2)
        try answer(1, with: .text("newer"))
        await load.completion()
        #expect(typed.content == "newer")
    }

    @Test func `An element of a list replaces the response to a load that began before`() async throws {
        let list = stub.service.resource("/list")
        stub.network.answer(.get, "/list", with: .held)
        let load = beginLoad()
        stub.clock.advance(by: 1)
        let listLoad = list.load().onNewData { _ in stub.service.seed(list.text, for: typed) }
        stub.clock.advance(by: 1)
        try answer(1, with: .text("newer"))
        await listLoad.completion()
        try answer(0, with: .text("older"))
        await load.completion()
        #expect(typed.content == "newer")
    }

    @Test(arguments: [true, false])
    func `An element of a list from a cache is as old as the list`(_ hasData: Bool) async throws {
        let list = stub.service.resource("/list")
        cache.entities[list.url.absoluteString] = Entity(
            content: "cached", headers: ["Content-Type": "text/plain"], timestamp: now - 100)
        useCache()
        if hasData { await stub.load(.text("newer")) }
        list.addObserver(owner: recorder) { list, event in
            if event == .newData(.cache) { stub.service.seed(list.text, for: typed) }
        }
        _ = (try? await list.get(.cached))
        _ = (try? await resource.get(.cached))
        #expect(typed.content == (hasData ? "newer" : "cached"))
        #expect(resource.timestamp == now - (hasData ? 0 : 100))
        #expect(resource.isUpToDate == hasData)
    }

    @Test func `An element of a list that a load finds in a cache is as old as the list`() async throws {
        let list = stub.service.resource("/list")
        cache.entities[list.url.absoluteString] = Entity(
            content: "cached", headers: ["Content-Type": "text/plain"], timestamp: now - 20)
        useCache()
        await stub.load(.text("newer"))
        stub.clock.advance(by: 1)
        let load = try #require(list.loadIfNeeded())
        load.onSuccess { _ in stub.service.seed(list.text, for: typed) }
        await load.completion()
        #expect(list.text == "cached")
        #expect(typed.content == "newer")
    }

    @Test func `A local override stays if it is newer than pushed data that waits for a cache`() async throws {
        let endRead = cache.holdReads()
        useCache()
        let load = beginLoad()
        stub.clock.advance(by: 1)
        stub.service.seed("pushed", for: typed)
        stub.clock.advance(by: 1)
        try answer(0, with: .text("older"))
        await load.completion()
        resource.overrideLocalContent(with: "mine")
        endRead()
        _ = (try? await resource.get(.cached))
        for _ in 0..<10 { await mainQueueTurn() }
        #expect(typed.content == "mine")
    }

    @Test func `Data that is pushed after the hooks of a load counts from its own moment`() async throws {
        let list = stub.service.resource("/list")
        stub.network.answer(.get, "/list", with: .text("list"))
        let load = beginLoad()
        stub.clock.advance(by: 1)
        await list.load().completion()
        await mainQueueTurn()
        stub.service.seed("pushed", for: typed)
        try answer(0, with: .text("older"))
        await load.completion()
        #expect(typed.content == "pushed")
    }

    // MARK: Two loads

    @Test func `Of two loads that are answered in the wrong order, both return the data of the later one`()
        async throws
    {
        stub.network.answer(.get, "/thing", with: .held)
        let first = Task { try await typed.load() }
        await mainQueueTurn()
        let second = Task { try await typed.load() }
        await mainQueueTurn()
        try answer(1, with: .text("later"))
        #expect(try await second.value == "later")
        try answer(0, with: .text("earlier"))
        #expect(try await first.value == "later")
        #expect(typed.content == "later")
    }

    @Test func `Of two loads that are answered in the wrong order, the cache keeps the data of the later one`()
        async throws
    {
        useCache()
        _ = (try? await resource.get(.cached))
        let (first, second) = (beginLoad(), beginLoad())
        try answer(1, with: .text("later"))
        await second.completion()
        try answer(0, with: .text("earlier"))
        await first.completion()
        #expect(try await Poll.untilUnchanged { stored?.content as? String } == "later")
    }

    @Test func `A load whose data is wiped before its task continues throws a cancellation`() async throws {
        stub.network.answer(.get, "/thing", with: .held)
        let task = Task { try await typed.load() }
        await mainQueueTurn()
        resource.addObserver(owner: recorder) { resource, event in
            if event == .newData(.network) { stub.service.wipeResources(includingCaches: true) }
        }
        try answer(0, with: .text("of the first user"))
        let error = await #expect(throws: RequestError.self) { try await task.value }
        #expect(error?.isCancellation == true)
    }
}
