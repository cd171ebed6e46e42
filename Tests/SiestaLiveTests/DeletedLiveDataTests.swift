import Foundation
import SiestaCore
import SiestaTesting
import SiestaWriting
import TestDoubles
import TestKit
import Testing
import Waiting

@testable import SiestaLive

/// Live resources that the server has deleted.
@MainActor @Suite(.timeLimit(.test))
struct DeletedLiveDataTests {
    private let owner = Owner()
    private let live = LiveService()

    /// Observes version 4 of an order, and deletes it.
    private func deletedOrder() async throws -> Resource {
        let order = try await live.observe(1, by: owner, version: 4)
        live.network.answer(.delete, "/orders/1", with: .response(204))
        _ = try await order.typed(as: LiveService.Order.self).mutate(.delete).value
        try #require(order.latestData == nil)
        return order
    }

    /// Loses the connection, and waits until another one has brought the resource of the fence up to date.
    private func reconnect() async throws {
        live.stream?.fail(.networkConnectionLost)
        try await Poll.until { !live.order(99).live.isLive }
        try await live.reconnect()
        try await Poll.until { live.order(99).live.isLive }
    }

    @Test(arguments: [false, true])
    func `An older update does not bring back what this client has deleted`(afterNewConnection: Bool) async throws {
        let order = try await deletedOrder()
        let fence = try await Fence(live)
        if afterNewConnection { try await reconnect() }
        let loads = live.loads(of: 1)
        live.send("1", #"replace 4 - {"state":"pushed","count":0}"#)
        try await fence.pass()
        live.clock.advance(by: 2)
        try await fence.pass()
        #expect(order.latestData == nil)
        #expect(live.loads(of: 1) == loads)
    }

    @Test(arguments: [false, true])
    func `An event before a deletion does not lead to a load after it`(isOwn: Bool) async throws {
        let order = try await live.observe(1, by: owner)
        let fence = try await Fence(live)
        if isOwn {
            let before = live.loads(of: 1)
            live.send("1", "invalidate - - -")
            try await Poll.until {
                if live.loads(of: 1) == before { live.clock.advance(by: 0.1) }
                return live.loads(of: 1) > before && !order.isLoading
            }
            live.send("1", "invalidate - - -")  // Its load is due a second after the last one.
            try await fence.pass()
            live.network.answer(.delete, "/orders/1", with: .response(204))
        }
        live.network.answer(.get, "/orders/1", with: .response(404))
        let requests = live.loads(of: 1)
        if isOwn {
            _ = try await order.typed(as: LiveService.Order.self).mutate(.delete).value
        } else {
            live.stream?.send("event: 1\ndata: invalidate - - -\n\nevent: 1\ndata: remove - - -\n\n")
            try await Poll.until { order.latestData == nil }
        }
        try await fence.pass()
        live.clock.advance(by: 2)
        try await fence.pass()
        #expect(live.loads(of: 1) == requests + (isOwn ? 1 : 0))  // The DELETE.
        #expect(order.latestData == nil)
        #expect(order.latestError == nil)
    }

    @Test(arguments: ["-", "5"])
    func `After a deletion by this client, an update that may be newer leads to a load`(version: String) async throws {
        let order = try await deletedOrder()
        live.answer(1, "loaded", version: 5)
        live.send("1", #"replace \#(version) - {"state":"pushed","count":0}"#)
        try await Poll.until {
            live.clock.advance(by: 0.1)
            return order.latestData != nil
        }
        #expect(order.order?.state == "loaded")
    }

    @Test func `A deleted resource does not come back with an older version after a new connection`() async throws {
        let order = try await live.observe(1, by: owner)
        let fence = try await Fence(live)
        live.send("1", #"replace 4 - {"state":"paid","count":4}"#, id: "4")
        live.send("1", "remove 5 - -", id: "5")
        try await Poll.until { order.latestData == nil }
        try await reconnect()
        live.send("1", #"replace 4 - {"state":"paid","count":4}"#, id: "4")
        try await fence.pass()
        #expect(order.latestData == nil)
    }

    @Test func `After a deletion by this client, a resource is not live`() async throws {
        let order = try await deletedOrder()
        #expect(order.live.description == "catching up")
    }

    @Test func `A deletion without a version that arrives twice tells nobody`() async throws {
        let order = try await live.observe(1, by: owner)
        let fence = try await Fence(live)
        live.send("1", "remove - - -")
        try await Poll.until { order.latestData == nil }
        let recorder = ObserverRecorder()
        order.addObserver(recorder)
        recorder.clear()
        live.send("1", "remove - - -")
        try await fence.pass()
        #expect(recorder.events.isEmpty)
    }
}
