import Foundation
import SiestaCore
import SiestaTesting
import SiestaWriting
import TestKit
import Testing
import Waiting

@testable import SiestaLive

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What a resource keeps of its last stream: after its observers have left, after a wipe, and for another source.
@MainActor @Suite(.timeLimit(.test))
struct LiveReturnTests {
    private let owner = Owner()
    private let live = LiveService { $0.lingerTime = 0 }

    // MARK: Removals

    enum Removal: CaseIterable { case update, ownChange }

    /// Observes version 4 of an order, and removes it.
    private func removedOrder(by removal: Removal) async throws -> Resource {
        let order = try await live.observe(1, by: owner, version: 4)
        switch removal {
        case .update: live.send("1", "remove 5 - -")
        case .ownChange:
            live.network.answer(.delete, "/orders/1", with: .response(204))
            _ = try await order.typed(as: LiveService.Order.self).mutate(.delete).value
        }
        try await Poll.until { order.latestData == nil }
        return order
    }

    @Test(arguments: Removal.allCases, [true, false])
    func `An older update does not bring back what was removed before the observers left`(
        removal: Removal, whileStreamIsOpen: Bool
    ) async throws {
        var fence = whileStreamIsOpen ? try await Fence(live) : nil
        let order = try await removedOrder(by: removal)
        order.removeObservers(ownedBy: owner)
        live.clock.advance(by: 0)
        try #require(order.live.description == "off")
        order.addObserver(owner: owner) { _, _ in }
        try await Poll.until { order.live.description == "catching up" }
        #expect(live.streamCount == (whileStreamIsOpen ? 1 : 2))
        if fence == nil { fence = try await Fence(live) }
        live.send("1", #"replace 4 - {"state":"replayed","count":0}"#)
        try await fence?.pass()
        #expect(order.latestData == nil)
    }

    // MARK: Wipes

    @Test func `After a wipe with the caches, an update with the version from before is applied`() async throws {
        let order = try await live.observe(1, by: owner, version: 12)
        live.service.wipeResources(includingCaches: true)
        try await Poll.until { live.streamCount == 2 && order.live.description == "catching up" }
        let (fence, loads) = (try await Fence(live), live.loads(of: 1))
        live.send("1", #"replace 12 - {"state":"pushed","count":0}"#)
        try await fence.pass()
        #expect(order.order?.state == "pushed")
        #expect(order.live.isLive)
        #expect(live.loads(of: 1) == loads)
    }

    // MARK: Other sources

    @Test func `The place in one stream is not sent to another one`() async throws {
        let order = try await live.observe(1, by: owner)
        live.send("1", #"replace 2 - {"state":"paid","count":0}"#, id: "7")
        try await Poll.until { order.order?.state == "paid" }
        live.network.answer(.get, "/others", with: .stream())
        live.answer(1, "missed", version: 3)
        live.service.configure("/orders/*") {
            $0.live = .eventSource("/others", update: LiveService.update)
            $0.live?.replaysMissedEvents = true
        }
        try await Poll.until { live.network.requests.contains { $0.url?.path == "/others" } }
        let request = live.network.requests.last { $0.url?.path == "/others" }
        #expect(request?.value(forHTTPHeaderField: "Last-Event-ID") == nil)
        try await Poll.until {
            live.clock.advance(by: 0.1)
            return order.live.isLive
        }
        #expect(order.order?.state == "missed")
    }

    @Test func `A resource leaves its stream if its new source is a hub that its data does not name`() async throws {
        let order = try await live.observe(1, by: owner)
        let stream = try #require(live.stream)
        live.service.configure("/orders/*") { $0.live = .mercure() }
        for _ in 0..<5 { await mainQueueTurn() }
        try #require(order.live.description == "off")
        try await Poll.until { stream.isCancelled }
    }

    // MARK: Versions

    @Test(arguments: [false, true])
    func `A resource that joins while the stream is lost has the version of its data when the stream continues`(
        wasLive: Bool
    ) async throws {
        let other = try await live.observe(2, by: owner)
        let (guest, order) = (Owner(), live.order(1))
        if wasLive { _ = try await live.observe(1, by: guest, version: 3) }
        live.send("2", #"replace 2 - {"state":"paid","count":0}"#, id: "e2")
        try await Poll.until { other.order?.state == "paid" }
        live.stream?.fail(.networkConnectionLost)
        try await Poll.until { !other.live.isLive }
        order.removeObservers(ownedBy: guest)
        live.clock.advance(by: 0)
        try #require(order.live.description == "off")
        live.answer(1, "five", version: 5)
        await order.load().completion()
        order.addObserver(owner: owner) { _, _ in }
        live.network.answer(.get, "/events", with: .stream(headers: ["Last-Event-ID": "e2"]))
        live.network.answer(.get, "/orders/1", with: .held)
        let loads = live.loads(of: 1)
        try await live.reconnect()
        try await Poll.until { live.loads(of: 1) == loads + 1 }
        live.send("1", wasLive ? #"merge 4 3 {"state":"four"}"# : #"replace 4 - {"state":"four","count":0}"#)
        live.send("2", #"replace 3 - {"state":"fence","count":0}"#)
        try await Poll.until { other.order?.state == "fence" }
        #expect(order.order?.state == "five")
    }
}
