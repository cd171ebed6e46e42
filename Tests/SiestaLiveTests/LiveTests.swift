import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing
import Waiting

@testable import SiestaLive

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@MainActor
@Suite(.timeLimit(.minutes(1)))
struct LiveTests {
    let owner = Owner()

    @Test func `Without an observer, there is no stream`() async throws {
        let live = LiveService()
        live.answer(1, "new", version: 1)
        await live.order(1).load().completion()
        for _ in 0..<5 { await mainQueueTurn() }
        #expect(live.streamCount == 0)
        #expect(live.order(1).live.description == "off")
    }

    @Test func `An update replaces the data, and observers hear of it as of a load`() async throws {
        let live = LiveService()
        let order = try await live.observe(1, by: owner)
        let recorder = ObserverRecorder()
        order.addObserver(recorder)
        recorder.clear()
        live.send("1", #"replace 2 - {"state":"paid","count":0}"#)
        try await Poll.until { order.order?.state == "paid" }
        #expect(recorder.events == [.newData(.network)])
        #expect(order.live.isLive)
        #expect(order.isUpToDate)
    }

    @Test func `While the stream is open, data is fresh; afterwards it has the age of the break`() async throws {
        let live = LiveService()
        let order = try await live.observe(1, by: owner)
        live.clock.advance(by: 10_000)
        #expect(order.isUpToDate)
        #expect(order.loadIfNeeded() == nil)
        #expect(order.freshness.reason == .guaranteed)
        live.stream?.fail(.networkConnectionLost)
        try await Poll.until { !order.live.isLive }
        #expect(order.isUpToDate)
        live.clock.setWallTime(live.clock.wallTime + 1)
        #expect(live.loads(of: 1) == 2)
    }

    @Test func `An update that arrives twice changes nothing and tells nobody`() async throws {
        let live = LiveService()
        let order = try await live.observe(1, by: owner)
        let recorder = ObserverRecorder()
        order.addObserver(recorder)
        live.send("1", #"replace 3 - {"state":"paid","count":0}"#)
        try await Poll.until { order.order?.state == "paid" }
        recorder.clear()
        live.send("1", #"replace 3 - {"state":"paid","count":0}"#)
        live.send("1", #"replace 2 - {"state":"old","count":0}"#)
        live.send("1", #"invalidate 3 -"#)
        live.send("1", #"merge 4 3 {"count":5}"#)
        try await Poll.until { order.order?.count == 5 }
        #expect(recorder.events == [.newData(.network)])
        #expect(live.loads(of: 1) == 2)
    }

    @Test func `Patches and merges apply to the version that they name`() async throws {
        let live = LiveService()
        let order = try await live.observe(1, by: owner)
        live.send("1", #"merge 2 1 {"count":5}"#)
        live.send("1", #"patch 3 2 [{"op":"replace","path":"/state","value":"sent"}]"#)
        live.send("1", #"merge 4 3 {"count":6}"#)
        try await Poll.until { order.order?.count == 6 }
        #expect(order.order == .init(state: "sent", count: 6))
        #expect(live.loads(of: 1) == 2)
    }

    @Test(arguments: [
        #"merge 9 8 {"count":5}"#, #"patch 2 1 [{"op":"remove","path":"/missing"}]"#, "patch 2 1 nonsense",
        #"merge 2 1 {"state":null}"#, "replace 2 - nonsense", "unreadable - - -",
    ])
    func `An update that cannot be applied leads to one load`(_ text: String) async throws {
        let live = LiveService()
        let order = try await live.observe(1, by: owner)
        live.answer(1, "theirs", version: 9)
        live.clock.advance(by: 2)
        live.send("1", text)
        try await Poll.until { order.order?.state == "theirs" && order.live.isLive }
        #expect(live.loads(of: 1) == 3)
    }

    @Test func `Updates that arrive during a load follow its response`() async throws {
        let live = LiveService()
        let order = try await live.observe(1, by: owner)
        live.network.answer(.get, "/orders/1", with: .held)
        let load = order.load()
        let exchange = try await live.network.exchange(live.network.exchanges.count)
        live.send("1", #"merge 2 1 {"count":2}"#)
        live.send("1", #"merge 3 2 {"count":3}"#)
        live.send("1", #"merge 4 3 {"count":4}"#)
        for _ in 0..<20 { await mainQueueTurn() }
        exchange.respond(with: .json(#"{"state":"new","count":2}"#, headers: ["ETag": "\"2\""]))
        await load.completion()
        try await Poll.until { order.order?.count == 4 }
        #expect(order.live.isLive)
    }

    @Test func `A load that began before an update does not replace it`() async throws {
        let live = LiveService()
        let order = try await live.observe(1, by: owner)
        live.network.answer(.get, "/orders/1", with: .held)
        let load = order.load()
        let exchange = try await live.network.exchange(live.network.exchanges.count)
        live.send("1", #"replace 5 - {"state":"paid","count":0}"#)
        try await Poll.until { order.order?.state == "paid" }
        exchange.respond(with: .json(#"{"state":"older","count":0}"#, headers: ["ETag": "\"4\""]))
        await load.completion()
        #expect(order.order?.state == "paid")
        #expect(order.live.isLive)
    }

    @Test func `A deleted resource has no data`() async throws {
        let live = LiveService()
        let order = try await live.observe(1, by: owner)
        live.send("1", "remove 2 - -")
        try await Poll.until { order.latestData == nil }
        #expect(!order.live.isLive)
    }

    @Test func `All resources of a source share one stream`() async throws {
        let live = LiveService()
        let orders = try await [1, 2, 3].asyncMap { try await live.observe($0, by: owner) }
        #expect(live.streamCount == 1)
        live.send("all", #"replace 2 - {"state":"paid","count":0}"#)
        try await Poll.until { orders.allSatisfy { $0.order?.state == "paid" } }
    }

    @Test func `A route finds the resource of an event`() async throws {
        let live = LiveService { $0 = .eventSource("/events", route: { "/orders/\($0.type)" }, update: LiveService.update) }
        let first = try await live.observe(1, by: owner)
        let second = try await live.observe(2, by: owner)
        live.send("2", #"replace 2 - {"state":"paid","count":0}"#)
        try await Poll.until { second.order?.state == "paid" }
        #expect(first.order?.state == "new")
    }

    @Test func `The stream is closed some time after the last observer has gone`() async throws {
        let live = LiveService { $0.lingerTime = 30 }
        var owner: Owner? = Owner()
        let order = try await live.observe(1, by: try #require(owner))
        order.removeObservers(ownedBy: owner)
        owner = nil
        live.clock.advance(by: 29)
        let stream = try #require(live.stream)
        #expect(!stream.isCancelled)
        live.clock.advance(by: 2)
        try await Poll.until { stream.isCancelled }
        #expect(order.live.description == "off")
        #expect(order.isUpToDate)
        live.clock.advance(by: 31)
        #expect(!order.isUpToDate)
    }

    @Test func `After a break, observed resources are loaded once, and live again`() async throws {
        let live = LiveService()
        let order = try await live.observe(1, by: owner)
        #expect(live.loads(of: 1) == 2)
        live.stream?.fail(.networkConnectionLost)
        try await Poll.until { !order.live.isLive }
        guard case .failed(let error, let next) = order.live else { throw Failure() }
        #expect((error?.cause as? URLError)?.code == .networkConnectionLost)
        #expect(next != nil)
        live.answer(1, "changed", version: 2)
        try await live.reconnect()
        try await Poll.until { order.live.isLive }
        #expect(order.order?.state == "changed")
        #expect(live.loads(of: 1) == 3)
        #expect(live.streamCount == 2)
    }

    @Test func `A server that confirms the last event leaves no gap`() async throws {
        let live = LiveService()
        let order = try await live.observe(1, by: owner)
        live.send("1", #"replace 2 - {"state":"paid","count":0}"#, id: "e2")
        try await Poll.until { order.order?.state == "paid" }
        live.network.answer(.get, "/events", with: .stream(headers: ["Last-Event-ID": "e2"]))
        live.stream?.finish()
        try await Poll.until { !order.live.isLive }
        try await live.reconnect()
        try await Poll.until { order.live.isLive }
        #expect(live.loads(of: 1) == 2)
    }

    @Test func `A reset begins again without an identifier`() async throws {
        let live = LiveService()
        let order = try await live.observe(1, by: owner)
        live.send("1", #"replace 2 - {"state":"paid","count":0}"#, id: "e2")
        try await Poll.until { order.order?.state == "paid" }
        live.answer(1, "fresh", version: 9)
        live.send("1", "reset - - -", id: "e3")
        try await Poll.until { !order.live.isLive }
        try await live.reconnect()
        try await Poll.until { order.live.isLive }
        #expect(order.order?.state == "fresh")
        #expect(live.stream?.request.value(forHTTPHeaderField: "Last-Event-ID") == nil)
    }

    @Test func `While there is no stream, resources are polled`() async throws {
        let live = LiveService { $0.pollingInterval = 7 }
        let order = try await live.observe(1, by: owner)
        live.network.answer(.get, "/events", with: .response(404))
        live.stream?.fail(.networkConnectionLost)
        try await Poll.until { !order.live.isLive }
        let loads = live.loads(of: 1)
        for number in 1...3 {
            live.clock.advance(by: 7)
            try await Poll.until { live.loads(of: 1) == loads + number && !order.isLoading }
        }
        #expect(order.live.description == "polling")
    }

    @Test func `Pending changes stay on top`() async throws {
        let live = LiveService()
        let order = try await live.observe(1, by: owner)
        order.overrideLocalContent(with: LiveService.Order(state: "mine"))
        #expect(order.order?.state == "mine")
        live.send("1", #"replace 2 - {"state":"theirs","count":0}"#)
        try await Poll.until { order.order?.state == "theirs" }
    }

    @Test func `Loops over states hear of the changes`() async throws {
        let live = LiveService()
        let order = try await live.observe(1, by: owner)
        var states = 0
        let task = Task { for await _ in order.states { states += 1 } }
        try await Poll.until { states == 1 }
        live.stream?.fail(.networkConnectionLost)
        try await Poll.until { states >= 2 }
        task.cancel()
    }

    struct Failure: Error {}
}

extension Sequence {
    @MainActor fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await transform(element)) }
        return values
    }
}
