import Foundation
import Observation
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

    @Test func `If a load is cancelled, an invalidation behind an update that waits for it counts`() async throws {
        let live = LiveService()
        let order = try await live.observe(1, by: owner)
        live.network.answer(
            .get, "/orders/1", with: .held,
            .json(#"{"state":"theirs","count":3}"#, headers: ["ETag": "\"3\""]))
        live.clock.advance(by: 2)
        live.send("1", "invalidate - - -")
        try await Poll.until { order.isLoading }
        live.send("1", #"merge 2 1 {"count":2}"#)
        live.send("1", "invalidate 3 - -")
        for _ in 0..<20 { await mainQueueTurn() }
        order.resource.loadRequests.first?.cancel()
        try await Poll.until { order.order?.count == 2 }
        try await Poll.until {
            live.clock.advance(by: 1)
            return order.order?.count == 3 && order.live.isLive
        }
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

    @Test func `A load that brings the same content as a newer version outdates the updates before it`() async throws {
        let live = LiveService()
        live.service.configure("/orders/*") { $0.changeDetection = .equatable }
        let order = try await live.observe(1, by: owner)
        let fence = try await Fence(live)
        live.send("1", #"replace 2 - {"state":"paid","count":0}"#)
        try await Poll.until { order.order?.state == "paid" }
        live.answer(1, "paid", version: 4)
        await order.load().completion()
        live.send("1", #"replace 3 - {"state":"late","count":0}"#)
        try await fence.pass()
        #expect(order.order?.state == "paid")
    }

    @Test func `A deleted resource has no data`() async throws {
        let live = LiveService()
        let order = try await live.observe(1, by: owner)
        live.send("1", "remove 2 - -")
        try await Poll.until { order.latestData == nil }
        #expect(!order.live.isLive)
    }

    @Test func `A deleted resource does not come back with an older version`() async throws {
        let live = LiveService()
        let order = try await live.observe(1, by: owner)
        let fence = try await Fence(live)
        live.send("1", #"replace 4 - {"state":"paid","count":4}"#)
        live.send("1", "remove 5 - ")
        try await Poll.until { order.latestData == nil }
        let recorder = ObserverRecorder()
        order.addObserver(recorder)
        recorder.clear()
        live.send("1", #"replace 4 - {"state":"paid","count":4}"#)
        live.send("1", "remove 5 - ")
        try await fence.pass()
        #expect(recorder.events.isEmpty)
        live.send("1", #"replace 6 - {"state":"new","count":6}"#)
        try await Poll.until { order.order?.count == 6 }
    }

    @Test func `All resources of a source share one stream`() async throws {
        let live = LiveService()
        let orders = try await [1, 2, 3].asyncMap { try await live.observe($0, by: owner) }
        #expect(live.streamCount == 1)
        live.send("all", #"replace 2 - {"state":"paid","count":0}"#)
        try await Poll.until { orders.allSatisfy { $0.order?.state == "paid" } }
    }

    @Test func `A route finds the resource of an event`() async throws {
        let live = LiveService {
            $0 = .eventSource("/events", route: { "/orders/\($0.type)" }, update: LiveService.update)
        }
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

    @Test func `The stream is also closed if the last observer or its owner was released`() async throws {
        let live = LiveService()
        var guest: Owner? = Owner()
        var recorder: ObserverRecorder? = ObserverRecorder()
        let order = try await live.observe(1, by: try #require(guest))
        order.addObserver(try #require(recorder))
        let stream = try #require(live.stream)
        guest = nil
        live.clock.advance(by: 40)
        #expect(order.live.isLive)
        recorder = nil
        try await Poll.until {
            live.clock.advance(by: 1)
            return stream.isCompleted
        }
        #expect(order.live.description == "off")
        withExtendedLifetime((guest, recorder)) {}
    }

    @Test func `The stream stays open for the linger time of the last observer, not of an earlier one`() async throws {
        let live = LiveService()
        let order = try await live.observe(1, by: owner)
        order.removeObservers(ownedBy: owner)
        live.clock.advance(by: 29)
        order.addObserver(owner: owner) { _, _ in }
        live.clock.advance(by: 0.5)
        order.removeObservers(ownedBy: owner)
        live.clock.advance(by: 29)
        #expect(order.live.isLive)
        live.clock.advance(by: 2)
        #expect(order.live.description == "off")
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
        // One of the attempts to connect again may still be running.
        try await Poll.until { order.live.description == "polling" }
    }

    @Test func `Resources are polled while the first connection is being opened`() async throws {
        let live = LiveService { $0.pollingInterval = 7 }
        live.network.answer(.get, "/events", with: .held)
        live.answer(1, "new", version: 1)
        let order = live.order(1)
        order.addObserver(owner: owner) { _, _ in }
        await order.load().completion()
        try await Poll.until { live.streamCount == 1 }
        live.answer(1, "changed", version: 2)
        live.clock.advance(by: 7)
        try await Poll.until { order.order?.state == "changed" }
        #expect(order.live.description == "connecting")
    }

    @Test func `Pending changes stay on top`() async throws {
        let live = LiveService()
        let order = try await live.observe(1, by: owner)
        order.overrideLocalContent(with: LiveService.Order(state: "mine"))
        #expect(order.order?.state == "mine")
        live.send("1", #"replace 2 - {"state":"theirs","count":0}"#)
        try await Poll.until { order.order?.state == "theirs" }
    }

    @Test func `Data that the app sets is fresh while the resource is live`() async throws {
        let live = LiveService()
        let order = try await live.observe(1, by: owner)
        order.overrideLocalContent(with: LiveService.Order(state: "mine"))
        live.clock.advance(by: 100)
        #expect(order.live.isLive)
        #expect(order.loadIfNeeded() == nil)
        live.stream?.fail(.networkConnectionLost)
        try await Poll.until { !order.live.isLive }
        #expect(order.loadIfNeeded() == nil)
        live.clock.advance(by: 31)
        #expect(order.isStale)
    }

    @Test func `Live data that a HEAD confirms stays fresh`() async throws {
        let live = LiveService()
        live.service.configure("/orders/*") { $0.freshness = .http }
        let order = try await live.observe(1, by: owner)
        live.network.answer(
            .head, "/orders/1", with: .response(200, headers: ["ETag": "\"1\"", "Cache-Control": "max-age=10"]))
        await order.request(.head).completion()
        #expect(order.latestData?.header(forKey: "Cache-Control") == "max-age=10")
        live.clock.advance(by: 100)
        #expect(order.live.isLive)
        #expect(order.loadIfNeeded() == nil)
    }

    @Test func `Observed resources leave a source that the configuration does not name any more`() async throws {
        let live = LiveService()
        let order = try await live.observe(1, by: owner)
        live.network.answer(.get, "/others", with: .stream())
        live.service.configure("/orders/*") { $0.live = .eventSource("/others", update: LiveService.update) }
        try await Poll.until { live.network.requests.contains { $0.url?.path == "/others" } }
        live.service.configure("/orders/*") { $0.live = nil }
        try await Poll.until { order.live.description == "off" }
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

    @Test func `Snapshots contain the state, and Observation tracks it`() async throws {
        let live = LiveService()
        #expect(live.order(1).snapshot.live.description == "off")
        let order = try await live.observe(1, by: owner)
        #expect(order.snapshot.live.isLive)
        let (changes, change) = AsyncStream.makeStream(of: Void.self)
        withObservationTracking {
            _ = order.live
        } onChange: {
            change.yield()
        }
        live.stream?.fail(.networkConnectionLost)
        for await _ in changes { break }
        try await Poll.until { order.snapshot.live.description == "failed" }
    }

    @Test func `Views and tools learn that a connection was lost, until the data has caught up again`() async throws {
        let live = LiveService()
        #expect(live.order(1).pushStatus == nil)
        let order = try await live.observe(1, by: owner)
        #expect(order.pushStatus?.phase == .current)
        #expect(order.pushStatus?.isResuming == false)
        live.stream?.fail(.networkConnectionLost)
        try await Poll.until { order.pushStatus?.phase == .interrupted }
        #expect(order.pushStatus?.error?.isCancellation == false)
        #expect(order.pushStatus?.date != nil)
        live.network.answer(.get, "/orders/1", with: .held)
        try await live.reconnect()
        try await Poll.until { order.pushStatus?.phase == .catchingUp && live.loads(of: 1) == 3 }
        #expect(order.pushStatus?.isResuming == true)
        let load = live.network.exchanges.last { $0.request.url?.path == "/orders/1" }
        load?.respond(with: .json(#"{"state":"new","count":0}"#, headers: ["ETag": "\"1\""]))
        try await Poll.until { order.pushStatus?.phase == .current }
        #expect(order.pushStatus?.isResuming == false)
    }

    @Test func `Typed snapshots contain the state`() async throws {
        let live = LiveService()
        let order = live.service.resource("/orders/1", as: LiveService.Order.self)
        #expect(order.snapshot.live.description == "off")
        _ = try await live.observe(1, by: owner)
        #expect(order.snapshot.live.isLive)
    }

    @Test func `Observers of any owner hear of the changes`() async throws {
        final class Listener: SilentChangeObserver {
            var changes = 0
            func resourceChanged(_ resource: Resource, event: ResourceEvent) {}
            func resourceChangedSilently(_ resource: Resource) { changes += 1 }
        }
        let live = LiveService()
        let order = try await live.observe(1, by: owner)
        let (own, owned) = (Listener(), Listener())
        order.addObserver(own)
        order.addObserver(owned, owner: owner)
        live.stream?.fail(.networkConnectionLost)
        try await Poll.until { !order.live.isLive }
        #expect(own.changes > 0)
        #expect(owned.changes == own.changes)
    }

    @Test func `A sequence of the app brings updates, and is iterated again after its end`() async throws {
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
        continuation.yield(.replace(content: LiveService.Order(state: "pushed"), version: LiveVersion(2)))
        try await Poll.until { order.order?.state == "pushed" }
        continuation.finish()
        try await Poll.until { !order.live.isLive }
        try await live.reconnect()
        try await Poll.until { iterations == 2 }
        #expect(live.streamCount == 0)
    }

    @Test func `A hub is found by the response, and goes on after its last event`() async throws {
        let live = LiveService()
        live.service.configure("/orders/8") { $0.live = .mercure() }
        live.network.answer(
            .get, "/orders/8",
            with: .json(
                #"{"state":"new","count":0}"#,
                headers: ["Link": #"</hub>; rel="mercure"; last-event-id="urn:1", </o/8>; rel="self""#]))
        live.network.answer(.get, "/hub", with: .stream(headers: ["Last-Event-ID": "urn:1"]))
        let order = live.order(8)
        order.addObserver(owner: owner) { _, _ in }
        order.loadIfNeeded()
        try await Poll.until { order.live.isLive }
        let hub = try #require(live.network.exchanges.last)
        #expect(hub.request.url?.absoluteString == "https://api.test/hub?topic=https://api.test/o/8")
        #expect(hub.request.value(forHTTPHeaderField: "Last-Event-ID") == "urn:1")
        #expect(live.loads(of: 8) == 1)
        hub.send("id: urn:2\ndata: {\"state\":\"paid\",\"count\":1}\n\n")
        try await Poll.until { order.order?.state == "paid" }
        #expect(order.latestData?.header(forKey: "Last-Event-ID") == "urn:2")
    }

    @Test func `A hub is still known after one of its events has replaced the data`() async throws {
        let live = LiveService()
        live.service.configure("/orders/8") { $0.live = .mercure() }
        answer(live, 8, "new")
        live.network.answer(.get, "/hub", with: .stream())
        let (guest, order) = (Owner(), live.order(8))
        order.addObserver(owner: guest) { _, _ in }
        order.load()
        try await Poll.until {
            live.clock.advance(by: 0.1)
            return order.live.isLive
        }
        let first = try #require(hub(of: live))
        first.send("id: urn:2\ndata: {\"state\":\"paid\",\"count\":1}\n\n")
        try await Poll.until { order.order?.state == "paid" }
        order.removeObservers(ownedBy: guest)
        live.clock.advance(by: 31)
        try await Poll.until { first.isCancelled }
        order.addObserver(owner: owner) { _, _ in }
        try await Poll.until { hub(of: live) !== first }
        #expect(hub(of: live)?.request.value(forHTTPHeaderField: "Last-Event-ID") == "urn:2")
    }

    /// Observes the orders 8 and 9, which have a hub, and waits until they are live.
    private func observeOrders(of live: LiveService, topic: String) async throws -> [Resource] {
        live.service.configure("/orders/*") { $0.live = .mercure(topic: topic) }
        live.network.answer(.get, "/hub", with: .stream())
        let orders = [live.order(8), live.order(9)]
        for number in [8, 9] { answer(live, number, "new") }
        for order in orders {
            order.addObserver(owner: owner) { _, _ in }
            order.load()
        }
        try await Poll.until {
            live.clock.advance(by: 0.1)
            return orders.allSatisfy(\.live.isLive)
        }
        return orders
    }

    private func answer(_ live: LiveService, _ number: Int, _ state: String) {
        let link = #"</hub>; rel="mercure""#
        live.network.answer(
            .get, "/orders/\(number)", with: .json(#"{"state":"\#(state)","count":0}"#, headers: ["Link": link]))
    }

    private func hub(of live: LiveService) -> StubExchange? {
        live.network.exchanges.last { $0.request.url?.path == "/hub" }
    }

    @Test func `An update of a topic that several resources share replaces none of them`() async throws {
        let live = LiveService()
        let orders = try await observeOrders(of: live, topic: "https://api.test/orders/{id}")
        let loads = live.loads(of: 8) + live.loads(of: 9)
        answer(live, 8, "paid")
        hub(of: live)?.send("data: {\"state\":\"of the hub\",\"count\":1}\n\n")
        try await Poll.until {
            live.clock.advance(by: 0.1)
            return live.loads(of: 8) + live.loads(of: 9) == loads + 2 && orders.allSatisfy(\.live.isLive)
        }
        #expect(orders[0].order?.state == "paid")
        #expect(orders[1].order?.state == "new")
    }

    @Test func `An update of a topic that is the URL of a resource replaces this resource alone`() async throws {
        let live = LiveService()
        let orders = try await observeOrders(of: live, topic: "https://api.test/orders/8")
        let loads = (live.loads(of: 8), live.loads(of: 9))
        hub(of: live)?.send("data: {\"state\":\"paid\",\"count\":1}\n\n")
        try await Poll.until {
            live.clock.advance(by: 0.1)
            return orders[0].order?.state == "paid" && live.loads(of: 9) == loads.1 + 1
        }
        #expect(live.loads(of: 8) == loads.0)
        #expect(orders[1].order?.state == "new")
    }

    @Test func `An update of a hub without data leads to a load`() async throws {
        let live = LiveService()
        let orders = try await observeOrders(of: live, topic: "https://api.test/orders/8")
        answer(live, 8, "paid")
        hub(of: live)?.send("data\n\n")
        try await Poll.until {
            live.clock.advance(by: 0.1)
            return orders[0].order?.state == "paid"
        }
    }

    @Test func `An open stream goes on if the next response names its hub with another token`() async throws {
        let live = LiveService()
        live.service.configure("/orders/8") { $0.live = .mercure() }
        var loads = 0
        live.network.handler = { request in
            guard request.url?.path == "/orders/8" else { return .stream() }
            loads += 1
            let link = #"</hub?authorization=\#(loads)>; rel="mercure""#
            return .json(#"{"state":"new","count":0}"#, headers: ["Link": link])
        }
        let order = live.order(8)
        order.addObserver(owner: owner) { _, _ in }
        order.loadIfNeeded()
        try await Poll.until {
            live.clock.advance(by: 1)
            return order.live.isLive
        }
        #expect(live.network.requests.count { $0.url?.path == "/hub" } == 1)
        #expect(loads == 2)
    }

    @Test func `A hub with another origin is used only if it is permitted`() async throws {
        let live = LiveService()
        live.service.configure("/orders/8") { $0.live = .mercure() }
        live.network.answer(
            .get, "/orders/8",
            with: .json("{}", headers: ["Link": #"<https://evil.test/hub>; rel="mercure""#]))
        let order = live.order(8)
        order.addObserver(owner: owner) { _, _ in }
        await order.load().completion()
        for _ in 0..<10 { await mainQueueTurn() }
        #expect(live.network.requests.count == 1)
        #expect(order.live.description == "off")
    }

    @Test func `A wipe of the caches closes the stream, and begins again`() async throws {
        let live = LiveService()
        let order = try await live.observe(1, by: owner)
        live.service.wipeResources(includingCaches: true)
        #expect(order.latestData == nil)
        #expect(!order.live.isLive)
        try await Poll.until { live.streamCount == 2 }
        await order.load().completion()
        try await Poll.until {
            live.clock.advance(by: 1)
            return order.live.isLive
        }
    }

    struct Failure: Error {}

    @Test(arguments: ["Zürich", "a b", "50%"])
    func `A route names a resource by the path that the service takes`(name: String) async throws {
        let live = LiveService {
            $0 = .eventSource("/events", route: { "/orders/\($0.data)" }) { _, _ in
                .replace(#"{"state":"paid","count":0}"#)
            }
        }
        live.network.handler = { $0.url?.path == "/events" ? nil : .json(#"{"state":"new","count":0}"#) }
        let order = live.service.resource("/orders/\(name)")
        order.addObserver(owner: owner) { _, _ in }
        order.loadIfNeeded()
        try await Poll.until { order.live.isLive }
        live.send("message", name)
        try await Poll.until { order.order?.state == "paid" }
    }

    @Test func `A load that began before an update does not replace it, even if the update repeats the data`()
        async throws
    {
        let live = LiveService()
        let order = try await live.observe(1, by: owner)
        let fence = try await Fence(live)
        let update = #"replace - - {"state":"paid","count":0}"#
        live.send("1", update)
        try await Poll.until { order.order?.state == "paid" }
        live.network.answer(.get, "/orders/1", with: .held)
        let load = order.load()
        let exchange = try await live.network.exchange(live.network.exchanges.count)
        live.send("1", update)
        try await fence.pass()
        exchange.respond(with: .json(#"{"state":"open","count":0}"#, headers: ["ETag": "\"2\""]))
        await load.completion()
        #expect(order.order?.state == "paid")
        #expect(order.live.isLive)
    }

    @Test(arguments: [#"replace 2 - {"state":"paid","count":0}"#, #"merge 2 1 {"state":"paid"}"#])
    func `An update keeps the fields of the response that lead to other resources`(_ update: String) async throws {
        let live = LiveService()
        let headers = ["ETag": "\"1\"", "X-Next-Cursor": "c2"]
        live.network.answer(.get, "/orders/1", with: .json(#"{"state":"new","count":0}"#, headers: headers))
        let order = live.order(1)
        order.addObserver(owner: owner) { _, _ in }
        order.loadIfNeeded()
        try await Poll.until { order.live.isLive }
        live.send("1", update)
        try await Poll.until { order.order?.state == "paid" }
        #expect(order.latestData?.header(forKey: "X-Next-Cursor") == "c2")
        #expect(order.latestData?.etag == nil)
    }

    @Test func `The version of an update does not come from the fields of the last response`() async throws {
        let live = LiveService { $0.version = { $0.header(forKey: "X-Revision").map { LiveVersion($0) } } }
        live.network.answer(
            .get, "/orders/1", with: .json(#"{"state":"new","count":0}"#, headers: ["X-Revision": "1"]),
            .json(#"{"state":"loaded","count":0}"#, headers: ["X-Revision": "2"]))
        let order = live.order(1)
        order.addObserver(owner: owner) { _, _ in }
        order.loadIfNeeded()
        try await Poll.until { order.live.isLive }
        live.send("1", #"replace - - {"state":"paid","count":0}"#)
        try await Poll.until { order.order?.state == "paid" }
        live.clock.advance(by: 30)
        live.send("1", #"merge 2 1 {"state":"merged"}"#)
        try await Poll.until { order.order?.state != "paid" }
        #expect(order.order?.state == "loaded")
    }
}

extension Sequence {
    @MainActor fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value]
    {
        var values: [Value] = []
        for element in self { values.append(try await transform(element)) }
        return values
    }
}
