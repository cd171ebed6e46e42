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

/// Updates, loads and the responses to changes, of which the version tells the newest.
@MainActor @Suite(.timeLimit(.test))
struct LiveVersionTests {
    private let owner = Owner()
    private let live = LiveService()

    /// Begins a change of the state of an order.
    private func rename(
        _ order: Resource, to state: String, response: StubAnswer,
        settledBy settlement: ChangeOptions.Settlement = .response
    ) -> Change<LiveService.Order> {
        live.network.answer(.patch, "/orders/1", with: response)
        var options = ChangeOptions()
        options.settlement = settlement
        return order.typed(as: LiveService.Order.self).mutate(.patch, body: .json(["state": state]), options: options) {
            $0.state = state
        }
    }

    /// A response with a version, which is also the count of the order.
    private func response(_ state: String, version: Int) -> StubAnswer {
        .json(#"{"state":"\#(state)","count":\#(version)}"#, headers: ["ETag": "\"\(version)\""])
    }

    /// Begins a change whose response does not arrive yet. Returns its exchange, too.
    private func heldRename(_ order: Resource) async throws -> (Change<LiveService.Order>, StubExchange) {
        let number = live.network.exchanges.count + 1
        let change = rename(order, to: "mine", response: .held)
        return (change, try await live.network.exchange(number))
    }

    @Test func `The version of a change counts although a change without content followed`() async throws {
        let order = try await live.observe(1, by: owner)
        let fence = try await Fence(live)
        _ = try await rename(order, to: "one", response: response("one", version: 3)).value
        _ = try await rename(order, to: "two", response: .response(204), settledBy: .edit).value
        live.send("1", #"replace 2 - {"state":"older","count":2}"#)
        try await fence.pass()
        #expect(order.order == LiveService.Order(state: "two", count: 3))
    }

    @Test func `The version of a change counts although a deletion followed`() async throws {
        let order = try await live.observe(1, by: owner)
        let fence = try await Fence(live)
        _ = try await rename(order, to: "one", response: response("one", version: 5)).value
        live.network.answer(.delete, "/orders/1", with: .response(204))
        _ = try await order.typed(as: LiveService.Order.self).mutate(.delete).value
        let recorder = ObserverRecorder()
        order.addObserver(recorder)
        recorder.clear()
        live.send("1", "remove 2 -")
        live.send("1", #"replace 3 - {"state":"older","count":3}"#)
        try await fence.pass()
        #expect(order.latestData == nil)
        #expect(recorder.events.isEmpty)
    }

    @Test(arguments: [false, true])
    func `The response to a change does not replace a newer load`(whileStreamIsLost: Bool) async throws {
        let order = try await live.observe(1, by: owner)
        _ = try await rename(order, to: "first", response: .response(204), settledBy: .edit).value
        if whileStreamIsLost {
            live.stream?.fail(.networkConnectionLost)
            try await Poll.until { !order.live.isLive }
        }
        let (change, exchange) = try await heldRename(order)
        live.network.answer(.get, "/orders/1", with: response("theirs", version: 4))
        await order.load().completion()
        var counts: Set<Int?> = []
        order.addObserver(owner: owner) { resource, _ in counts.insert(resource.order?.count) }
        exchange.respond(with: response("mine", version: 3))
        _ = try await change.value
        #expect(order.order == LiveService.Order(state: "theirs", count: 4))
        #expect(counts == [4])
    }

    @Test func `The response to a change does not undo a newer removal`() async throws {
        let order = try await live.observe(1, by: owner)
        let (change, exchange) = try await heldRename(order)
        live.send("1", "remove 3 -")
        try await Poll.until { order.latestData == nil }
        exchange.respond(with: response("mine", version: 2))
        _ = try await change.value
        #expect(order.latestData == nil)
    }
}
