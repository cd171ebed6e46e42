import Dispatch
import Foundation
import SiestaCore
import SiestaTesting
import SiestaWriting
import TestDoubles
import TestKit
import Testing
import Waiting

@testable import SiestaLive

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Live resources whose data becomes old by something other than an update.
@MainActor @Suite(.timeLimit(.test))
struct LiveStateTests {
    private let owner = Owner()
    /// The stream is never silent for too long. Otherwise, a new connection would cause loads.
    private let live = LiveService { $0.silenceLimit = .infinity }

    /// Lets time pass until an order that was loaded is live.
    private func loads(_ order: Resource, state: String) async throws {
        try await Poll.until {
            live.clock.advance(by: 0.1)
            return order.order?.state == state && order.live.isLive
        }
        #expect(order.isUpToDate)
    }

    @Test func `A change of the configuration while events are being read hides no event`() async throws {
        live.service.configure("/orders/1") { [service = live.service, update = LiveService.update] in
            $0.live = .eventSource("/events") { event, url in
                guard event.data == "slow" else { return try update(event, url) }
                DispatchQueue.main.sync { MainActor.assumeIsolated { service.invalidateConfiguration() } }
                DispatchQueue.main.sync {}  // The resource follows the source of the new configuration now.
                return nil
            }
            $0.live?.silenceLimit = .infinity
        }
        let order = try await live.observe(1, by: owner)
        live.answer(1, "paid", version: 2)
        let update = #"replace 2 - {"state":"paid","count":0}"#
        live.stream?.send("event: 1\ndata: slow\n\nevent: 1\ndata: \(update)\n\n")
        try await loads(order, state: "paid")
    }

    @Test(arguments: [false, true])
    func `After a deletion, a load for which an update asks is repeated if it fails`(isOwn: Bool) async throws {
        let order = try await live.observe(1, by: owner)
        if isOwn {
            live.network.answer(.delete, "/orders/1", with: .response(204))
            _ = try await order.typed(as: LiveService.Order.self).mutate(.delete).value
        } else {
            live.send("1", "remove 2 -")
            try await Poll.until { order.latestData == nil }
        }
        live.network.answer(
            .get, "/orders/1", with: .response(503),
            .json(#"{"state":"again","count":0}"#, headers: ["ETag": "\"5\""]))
        live.send("1", "invalidate 5 -")
        try await loads(order, state: "again")
    }

    @Test func `A live resource is loaded after a change whose response has no content`() async throws {
        let order = try await live.observe(1, by: owner)
        live.network.answer(.patch, "/orders/1", with: .response(204))
        live.answer(1, "theirs", version: 2)
        _ = try await order.typed(as: LiveService.Order.self).mutate(.patch, body: .json(["state": "mine"])) {
            $0.state = "mine"
        }.value
        try await loads(order, state: "theirs")
    }

    /// Sends version 2 of an order, and then a HEAD request, whose response names a version.
    private func orderAfterHead(version: Int) async throws -> Resource {
        live.service.configure("/orders/*") { $0.freshness = .http }
        let order = try await live.observe(1, by: owner)
        live.send("1", #"replace 2 - {"state":"paid","count":0}"#)
        try await Poll.until { order.order?.state == "paid" }
        live.answer(1, "theirs", version: version)
        live.network.answer(.head, "/orders/1", with: .response(200, headers: ["ETag": "\"\(version)\""]))
        await order.request(.head).completion()
        return order
    }

    @Test func `A HEAD that names the version of the last update leaves the data fresh`() async throws {
        let order = try await orderAfterHead(version: 2)
        #expect(order.isUpToDate)
        #expect(order.live.isLive)
    }

    @Test func `A live resource is loaded after a HEAD that names another version`() async throws {
        try await loads(orderAfterHead(version: 3), state: "theirs")
    }

    @Test func `A patch of the present version does not wait for a load, whose response does not replace it`()
        async throws
    {
        let order = try await live.observe(1, by: owner)
        live.network.answer(.get, "/orders/1", with: .held)
        let load = order.load()
        let exchange = try await live.network.exchange(live.network.exchanges.count)
        live.send("1", #"merge 2 1 {"state":"paid"}"#)
        try await Poll.until { order.order?.state == "paid" }
        #expect(order.isLoading)
        exchange.respond(with: .json(#"{"state":"new","count":7}"#, headers: ["ETag": "\"1\""]))
        await load.completion()
        #expect(order.order == LiveService.Order(state: "paid"))
        #expect(order.live.isLive)
    }

    @Test func `After a change, a resource is not live if the load that the app starts fails`() async throws {
        let order = try await live.observe(1, by: owner)
        live.network.answer(.patch, "/orders/1", with: .response(204))
        live.network.answer(.get, "/orders/1", with: .response(503))
        let change = order.typed(as: LiveService.Order.self).mutate(.patch, body: .json(["state": "mine"])) {
            $0.state = "mine"
        }
        change.request.onSuccess { _ in order.load() }
        _ = try await change.value
        try await Poll.until { order.latestError != nil && !order.isLoading }
        #expect(order.live.description == "catching up")
        live.answer(1, "theirs", version: 2)
        try await loads(order, state: "theirs")
    }
}
