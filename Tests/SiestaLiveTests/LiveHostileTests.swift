import Dispatch
import Foundation
import Observation
import SiestaCore
import SiestaTesting
import TestKit
import Testing
import Waiting

@testable import SiestaLive

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Servers, connections and code of the app that do what nobody expects.
@MainActor
@Suite(.timeLimit(.test))
struct LiveHostileTests {
    private let owner = Owner()

    // MARK: Events for others

    @Test func `Configurations with the same stream keep their own functions`() async throws {
        let live = LiveService()
        live.service.configure("/users/*") {
            $0.live = .eventSource("/events", route: { $0.type == "user" ? "/users/\($0.data)" : nil }) { _, _ in
                .replace(#"{"state":"a user","count":0}"#)
            }
        }
        live.service.decode("/users/*", as: LiveService.Order.self)
        let order = try await live.observe(1, by: owner)
        live.network.answer(.get, "/users/1", with: .json(#"{"state":"new","count":0}"#))
        let user = live.service.resource("/users/1")
        user.addObserver(owner: owner) { _, _ in }
        user.loadIfNeeded()
        try await Poll.until { user.live.isLive }
        live.stream?.send("event: user\ndata: 1\n\n")
        try await Poll.until { user.order?.state == "a user" }
        live.send("1", #"replace 2 - {"state":"paid","count":0}"#)
        try await Poll.until { order.order?.state == "paid" }
        #expect(user.order?.state == "a user")
        #expect(live.streamCount == 1)
    }

    /// Observes a user whose events come from the same address as those of the orders, and waits until the user is live.
    private func observeUser(of live: LiveService, _ change: @escaping @MainActor (inout LiveSource) -> Void)
        async throws -> Resource
    {
        live.service.configure("/users/*") {
            var source = LiveSource.eventSource("/events", update: LiveService.update)
            change(&source)
            $0.live = source
        }
        live.network.answer(.get, "/users/1", with: .json("{}"))
        let user = live.service.resource("/users/1")
        user.addObserver(owner: owner) { _, _ in }
        user.loadIfNeeded()
        try await Poll.until { user.live.isLive }
        return user
    }

    @Test func `Only the resources whose own configuration says so are polled`() async throws {
        let live = LiveService()
        let order = try await live.observe(1, by: owner)
        let user = try await observeUser(of: live) { $0.pollingInterval = 7 }
        #expect(live.streamCount == 2)
        live.network.answer(.get, "/events", with: .response(404))
        let streams = live.network.exchanges.filter { $0.request.url?.path == "/events" }
        for stream in streams { stream.fail(.networkConnectionLost) }
        try await Poll.until { !order.live.isLive && !user.live.isLive }
        let loads = live.loads(of: 1)
        let requests = live.network.requests.count { $0.url?.path == "/users/1" }
        live.clock.advance(by: 7)
        try await Poll.until { live.network.requests.count { $0.url?.path == "/users/1" } == requests + 1 }
        #expect(live.loads(of: 1) == loads)
        #expect(order.live.description == "failed")
        #expect(user.live.description == "polling")
    }

    @Test func `Each resource lingers for the time of its own configuration`() async throws {
        let live = LiveService { $0.lingerTime = 30 }
        let guest = Owner()
        let order = try await live.observe(1, by: guest)
        let user = try await observeUser(of: live) { $0.lingerTime = 100 }
        order.removeObservers(ownedBy: guest)
        user.removeObservers(ownedBy: owner)
        live.clock.advance(by: 31)
        #expect(order.live.description == "off")
        #expect(user.live.isLive)
        live.clock.advance(by: 70)
        #expect(user.live.description == "off")
        #expect(live.streamCount == 1)
    }

    @Test(arguments: [TimeInterval.nan, .infinity, -1, 0])
    func `A time without meaning opens no second stream`(_ time: TimeInterval) async throws {
        let live = LiveService {
            $0.pollingInterval = time
            if !(time <= 0) { $0.silenceLimit = time }
        }
        let order = try await live.observe(1, by: owner)
        live.clock.advance(by: 1)
        await order.load().completion()
        #expect(order.live.isLive)
        #expect(live.streamCount == 1)
    }

    @Test(arguments: [
        "/orders/../orders/1", "/orders/1/", "/orders/1?x", "/ORDERS/1", "https://evil.test/orders/1",
        "https://api.test:8443/orders/1", "/users/1", "", "/", "://", "\u{1}\n",
        String(repeating: "/x", count: 100_000),
        "/orders/a" + String(repeating: "\u{301}\u{323}", count: 100_000),
    ])
    func `A route to something else changes nothing`(_ path: String) async throws {
        let live = LiveService {
            $0 = .eventSource("/events", route: { $0.type == "bad" ? path : "/orders/\($0.type)" }) { event, _ in
                .replace(event.data)
            }
        }
        let order = try await live.observe(1, by: owner)
        let recorder = ObserverRecorder()
        order.addObserver(recorder)
        recorder.clear()
        live.send("bad", #"{"state":"evil","count":0}"#)
        live.send("1", #"{"state":"paid","count":0}"#)
        try await Poll.until { order.order?.state == "paid" }
        #expect(recorder.events == [.newData(.network)])
    }

    @Test func `A wipe by code that is told of an update removes the update`() async throws {
        let live = LiveService()
        let order = try await live.observe(1, by: owner)
        let service = live.service
        nonisolated(unsafe) var isWiped = false
        nonisolated(unsafe) var isFirst = true
        withObservationTracking {
            _ = order.latestData
        } onChange: {
            MainActor.assumeIsolated {
                if exchange(&isFirst, with: false) { service.wipeResources(includingCaches: true) }
            }
            isWiped = true
        }
        live.send("1", #"replace 2 - {"state":"paid","count":0}"#)
        try await Poll.until { isWiped }
        #expect(order.latestData == nil)
    }

    @Test func `An event that is being read when everything is wiped has no effect`() async throws {
        let live = LiveService()
        live.service.configure("/orders/1") { [service = live.service] in
            $0.live = .eventSource("/events") { event, _ in
                DispatchQueue.main.sync { MainActor.assumeIsolated { service.wipeResources(includingCaches: true) } }
                return .replace(event.data)
            }
        }
        let order = try await live.observe(1, by: owner)
        live.stream?.send("data: {\"state\":\"of the last user\",\"count\":1}\n\n")
        try await Poll.until { live.streamCount == 2 }
        #expect(order.latestData == nil)
    }

    @Test func `An event for many resources spreads their loads`() async throws {
        let live = LiveService()
        var orders: [Resource] = []
        for number in 1...40 { orders.append(try await live.observe(number, by: owner)) }
        live.clock.advance(by: 2)
        let before = live.network.requests.count
        live.send("all", "invalidate - -")
        try await Poll.until { orders.allSatisfy { !$0.live.isLive } }
        #expect(live.network.requests.count == before)
        try await Poll.until {
            live.clock.advance(by: 0.1)
            return orders.allSatisfy(\.live.isLive)
        }
        #expect(live.network.requests.count == before + 40)
    }

    // MARK: Updates that wait

    @Test(arguments: [true, false])
    func `A patch that waits for a load is applied if the load brings nothing`(_ isCancelled: Bool) async throws {
        let live = LiveService()
        let order = try await live.observe(1, by: owner)
        let fence = try await Fence(live)
        live.network.answer(.get, "/orders/1", with: .held)
        let load = order.load()
        let exchange = try await live.network.exchange(live.network.exchanges.count)
        live.send("1", #"merge - - {"count":2}"#)
        try await fence.pass()
        #expect(order.order?.count == 0)
        if isCancelled { load.cancel() } else { exchange.respond(with: .failure(.networkConnectionLost)) }
        try await Poll.until { order.order?.count == 2 }
        #expect(order.live.isLive)
    }

    @Test(arguments: [("-", "-", "-", 3), ("2", "1", "3", 3), ("4", "3", "3", 4)])
    func `A replacement contains the patches before it that wait for a load, except those to newer versions`(
        _ version: String, _ base: String, _ replacement: String, _ count: Int
    ) async throws {
        let live = LiveService()
        let order = try await live.observe(1, by: owner)
        live.network.answer(.get, "/orders/1", with: .held)
        let load = order.load()
        let exchange = try await live.network.exchange(live.network.exchanges.count)
        live.send("1", #"merge \#(version) \#(base) {"count":\#(version == "4" ? 4 : 2)}"#)
        live.send("1", #"replace \#(replacement) - {"state":"paid","count":3}"#)
        try await Poll.until { order.order?.state == "paid" }
        exchange.respond(with: .json(#"{"state":"old","count":0}"#, headers: ["ETag": "\"1\""]))
        await load.completion()
        // This one follows a patch that is still being applied.
        live.send("1", #"merge - - {"state":"sent"}"#)
        try await Poll.until { order.order?.state == "sent" }
        #expect(order.order?.count == count)
    }

    @Test func `Updates that wait have a limited size`() async throws {
        let live = LiveService()
        let order = try await live.observe(1, by: owner)
        live.network.answer(.get, "/orders/1", with: .held)
        let load = order.load()
        let exchange = try await live.network.exchange(live.network.exchanges.count)
        let text = String(repeating: "x", count: 3 << 20)
        live.answer(1, "whole", version: 3)
        live.send("1", #"merge - - {"state":"\#(text)"}"#)
        live.send("1", #"merge - - {"state":"\#(text)"}"#)
        try await Poll.until { !order.live.isLive }
        exchange.respond(with: .json(#"{"state":"old","count":0}"#, headers: ["ETag": "\"1\""]))
        await load.completion()
        try await Poll.until {
            live.clock.advance(by: 1)
            return order.live.isLive
        }
        #expect(order.order?.state == "whole")
    }

    @Test func `Patches that arrive together are applied together`() async throws {
        let live = LiveService()
        let order = try await live.observe(1, by: owner)
        let loads = live.loads(of: 1)
        let recorder = ObserverRecorder()
        order.addObserver(recorder)
        recorder.clear()
        let updates = [
            #"merge 2 1 {"count":2}"#, #"merge 3 2 {"state":"sent"}"#,
            #"patch 4 3 [{"op":"replace","path":"/count","value":4}]"#,
        ]
        live.stream?.send(updates.map { "event: 1\ndata: \($0)\n\n" }.joined())
        try await Poll.until { order.order?.count == 4 }
        #expect(order.order?.state == "sent")
        #expect(recorder.events == [.newData(.network)])
        #expect(live.loads(of: 1) == loads)
        #expect(order.live.isLive)
    }

    @Test(
        arguments: [
            (2, 1, 3, 2, true), (2, 1, 4, 3, false), (2, 1, 2, 2, false), (2, 1, nil, 2, true),
            (nil, nil, nil, nil, true),
            (nil, nil, 2, nil, false), (2, 1, nil, nil, true), (2, 1, 3, nil, true), (2, 1, 1, nil, false),
            (nil, 1, 3, 2, false),
        ] as [(Int?, Int?, Int?, Int?, Bool)])
    func `A patch follows another one if it applies to its result`(
        _ version: Int?, _ base: Int?, _ next: Int?, _ nextBase: Int?, _ follows: Bool
    ) {
        let first = LiveUpdate.merge("{}", base: base.map { LiveVersion($0) }, version: version.map { LiveVersion($0) })
        let second = LiveUpdate.patch(
            "[]", base: nextBase.map { LiveVersion($0) }, version: next.map { LiveVersion($0) })
        #expect(second.follows(first) == follows)
        #expect(!LiveUpdate.replace("{}").follows(first))
    }

    // MARK: Connections

    @Test(arguments: [204, 404])
    func `After an end for good, new observers open no connection`(_ status: Int) async throws {
        let live = LiveService { $0.lingerTime = 0 }
        live.network.answer(.get, "/events", with: .response(status))
        let guest = Owner()
        live.order(1).addObserver(owner: guest) { _, _ in }
        try await Poll.until { live.order(1).live.description == "failed" }
        for number in 2...20 {
            live.order(number).addObserver(owner: guest) { _, _ in }
            for _ in 0..<5 { await mainQueueTurn() }
        }
        #expect(live.order(20).live.description == "failed")
        #expect(live.streamCount == 1)
        for number in 1...20 { live.order(number).removeObservers(ownedBy: guest) }
        live.clock.advance(by: 0)
        live.network.answer(.get, "/events", with: .stream())
        let order = try await live.observe(1, by: owner)
        #expect(order.live.isLive)
    }

    @Test func `A stream that the network cancels is opened again after a delay`() async throws {
        let live = LiveService()
        let order = try await live.observe(1, by: owner)
        live.network.answer(.get, "/events", with: .failure(.cancelled))
        live.stream?.fail(.cancelled)
        try await Poll.until { order.live.description == "failed" }
        for _ in 0..<100 { await mainQueueTurn() }
        #expect(live.streamCount == 1)
        live.network.answer(.get, "/events", with: .stream())
        try await live.reconnect()
        try await Poll.until { order.live.isLive }
        #expect(live.streamCount == 2)
    }

    @Test func `A load that is scheduled survives a change of the stream`() async throws {
        let live = LiveService { $0.lingerTime = 0 }
        let order = try await live.observe(1, by: owner)
        live.send("1", "invalidate - -")
        try await Poll.until { order.live.description == "catching up" }
        order.removeObservers(ownedBy: owner)
        live.clock.advance(by: 0)
        #expect(order.live.description == "off")
        live.answer(1, "fresh", version: 5)
        order.addObserver(owner: owner) { _, _ in }
        try await Poll.until { order.live.description == "catching up" }
        #expect(live.streamCount == 2)
        live.clock.advance(by: 1)
        try await Poll.until { order.live.isLive }
        #expect(order.order?.state == "fresh")
    }

    @Test func `An attempt that a person makes goes on after the last event`() async throws {
        let live = LiveService()
        let order = try await live.observe(1, by: owner)
        let fence = try await Fence(live)
        live.send("1", #"replace 2 - {"state":"paid","count":0}"#, id: "e2")
        live.send("nobody", "replace 2 -", id: "e3")
        try await fence.pass()
        let loads = live.loads(of: 1)
        live.network.answer(.get, "/events", with: .stream(headers: ["Last-Event-ID": "e3"]))
        live.stream?.fail(.networkConnectionLost)
        try await Poll.until { order.live.description == "failed" }
        order.retryNow()
        try await Poll.until { order.live.isLive }
        #expect(live.stream?.request.value(forHTTPHeaderField: "Last-Event-ID") == "e3")
        #expect(live.loads(of: 1) == loads)
    }

    @Test func `A stream for data from different moments begins at the present`() async throws {
        let live = LiveService()
        for (number, id) in [(1, "a"), (2, "b")] {
            live.network.answer(
                .get, "/orders/\(number)",
                with: .json(#"{"state":"new","count":0}"#, headers: ["Last-Event-ID": id]))
            await live.order(number).load().completion()
        }
        let orders = [live.order(1), live.order(2)]
        for order in orders { order.addObserver(owner: owner) { _, _ in } }
        try await Poll.until { orders.allSatisfy(\.live.isLive) }
        #expect(live.stream?.request.value(forHTTPHeaderField: "Last-Event-ID") == nil)
        #expect(live.loads(of: 1) == 2)
        #expect(live.loads(of: 2) == 2)
    }

    @Test func `A connection that is lost again and again causes few loads`() async throws {
        let live = LiveService()
        let order = try await live.observe(1, by: owner)
        let before = live.loads(of: 1)
        for number in 2...31 {
            live.stream?.fail(.networkConnectionLost)
            try await Poll.until { order.live.description == "failed" && !order.isLoading }
            order.retryNow()
            try await Poll.until { live.streamCount == number && order.live.description != "connecting" }
            live.clock.advance(by: 0.5)
        }
        try await Poll.until {
            live.clock.advance(by: 0.5)
            return order.live.isLive
        }
        #expect(live.loads(of: 1) - before <= 6)
    }

    @Test func `A reset of a sequence begins it again, and loads the resource`() async throws {
        let live = LiveService()
        var iterations = 0
        let (updates, continuation) = AsyncStream.makeStream(of: LiveUpdate.self)
        live.service.configure("/orders/7") {
            $0.live = .sequence { _ in
                iterations += 1
                return iterations == 1 ? updates : AsyncStream { _ in }
            }
        }
        let order = try await live.observe(7, by: owner)
        live.answer(7, "fresh", version: 9)
        continuation.yield(.reset)
        try await Poll.until { !order.live.isLive }
        try await live.reconnect()
        try await Poll.until { order.live.isLive }
        #expect(order.order?.state == "fresh")
        #expect(iterations == 2)
    }

    @Test func `An endless line after a reset does not end the source`() async throws {
        let live = LiveService()
        let order = try await live.observe(1, by: owner)
        live.stream?.send("event: all\ndata: reset - - -\n\ndata: " + String(repeating: "x", count: 5 << 20))
        try await Poll.until { !order.live.isLive }
        try await live.reconnect()
        try await Poll.until { order.live.isLive }
        #expect(live.streamCount == 2)
    }

    @Test func `The wall clock does not matter`() async throws {
        let live = LiveService()
        let order = try await live.observe(1, by: owner)
        for (number, change) in [-1e6, 1e8, -1e9].enumerated() {
            live.clock.setWallTime(live.clock.wallTime + change)
            #expect(order.isUpToDate)
            live.send("1", #"replace \#(number + 2) - {"state":"s","count":\#(number + 2)}"#)
            try await Poll.until { order.order?.count == number + 2 }
            #expect(order.isUpToDate)
            #expect(order.live.isLive)
            live.answer(1, "s", version: number + 2)
            live.stream?.fail(.networkConnectionLost)
            try await Poll.until { !order.live.isLive }
            try await live.reconnect()
            try await Poll.until { order.live.isLive }
        }
    }

    @Test func `A resource that has missed something while nobody observed it is loaded for its next observer`()
        async throws
    {
        let live = LiveService { $0.lingerTime = 100_000 }
        let guest = Owner()
        let order = try await live.observe(1, by: guest)
        order.removeObservers(ownedBy: guest)
        live.stream?.fail(.networkConnectionLost)
        try await Poll.until { order.live.description == "failed" }
        live.answer(1, "missed", version: 2)
        try await Poll.until {
            live.clock.advance(by: 0.1)
            return order.live.description == "catching up"
        }
        live.clock.advance(by: 2)
        let loads = live.loads(of: 1)
        order.addObserver(owner: owner) { _, _ in }
        try await Poll.until { order.live.isLive }
        #expect(order.order?.state == "missed")
        #expect(live.loads(of: 1) == loads + 1)
    }

    @Test func `A success ends the wait for which a failed load has asked`() async throws {
        let live = LiveService()
        let order = try await live.observe(1, by: owner)
        live.clock.advance(by: 2)
        live.network.answer(.get, "/orders/1", with: .response(503, headers: ["Retry-After": "3600"]))
        live.send("1", "invalidate - -")
        try await Poll.until { order.latestError != nil }
        live.answer(1, "second", version: 2)
        await order.load().completion()
        #expect(order.live.isLive)
        live.answer(1, "third", version: 3)
        live.send("1", "invalidate - -")
        try await Poll.until { !order.live.isLive }
        live.clock.advance(by: 2)
        try await Poll.until { order.order?.state == "third" }
        #expect(order.live.isLive)
    }

    // MARK: Code of the app

    @Test func `An update counts although an observer has replaced its data`() async throws {
        let live = LiveService()
        let order = try await live.observe(1, by: owner)
        var isReplaced = false
        order.addObserver(owner: owner) { order, event in
            guard event == .newData(.network), !isReplaced else { return }
            isReplaced = true
            order.overrideLocalContent(with: LiveService.Order(state: "mine"))
        }
        live.send("1", #"replace - - {"state":"paid","count":0}"#)
        try await Poll.until { order.order?.state == "mine" }
        live.send("1", #"replace - - {"state":"paid","count":0}"#)
        try await Poll.until { order.order?.state == "paid" }
    }

    @Test func `An observer that is added while a stream begins opens no second one`() async throws {
        let live = LiveService()
        let order = try await live.observe(1, by: owner)
        live.stream?.fail(.networkConnectionLost)
        try await Poll.until { order.live.description == "failed" }
        withObservationTracking {
            _ = order.live
        } onChange: {
            MainActor.assumeIsolated { _ = live.order(2).addObserver(owner: live.network) { _, _ in } }
        }
        order.retryNow()
        #expect(live.order(2).live.description == "connecting")
        try await Poll.until { live.streamCount == 2 }
        for _ in 0..<20 { await mainQueueTurn() }
        #expect(live.streamCount == 2)
        live.send("1", #"replace 2 - {"state":"paid","count":0}"#)
        try await Poll.until { order.order?.state == "paid" }
    }

    @Test func `Observers may leave, wipe and load while updates arrive`() async throws {
        let live = LiveService { $0.lingerTime = 0 }
        let order = live.order(1)
        let other = try await live.observe(2, by: owner)
        let (guest, passer) = (Owner(), Owner())
        var count = 0
        other.addObserver(owner: guest) { [service = live.service] other, event in
            guard event == .newData(.network) else { return }
            count += 1
            switch count % 4 {
            case 0: order.load()
            case 1: service.wipeResources(matching: "/orders/1")
            case 2: order.removeObservers(ownedBy: passer)
            default: order.addObserver(owner: passer) { _, _ in }
            }
        }
        for number in 2...40 {
            live.send("all", #"replace \#(number) - {"state":"s","count":\#(number)}"#)
            live.send("1", #"merge \#(number + 100) - {"count":\#(number + 100)}"#)
            live.clock.advance(by: 0.1)
            for _ in 0..<(number % 5) { await mainQueueTurn() }
        }
        try await Poll.until { other.order?.count == 40 }
        #expect(other.live.isLive)
    }

    @Test func `After the last observer has gone, nothing keeps the service`() async throws {
        weak var service: Service?
        do {
            let live = LiveService()
            let guest = Owner()
            let order = try await live.observe(1, by: guest)
            live.send("1", #"merge 2 1 {"count":5}"#)
            try await Poll.until { order.order?.count == 5 }
            order.removeObservers(ownedBy: guest)
            live.clock.advance(by: 31)
            let stream = try #require(live.stream)
            try await Poll.until { stream.isCompleted }
            service = live.service
        }
        try await Poll.until { service == nil }
    }
}
