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

/// Changes of resources that follow the server.
@MainActor @Suite(.timeLimit(.test))
struct LiveChangeTests {
    private let owner = Owner()
    private let live = LiveService()

    private func rename(_ order: Resource) -> Change<LiveService.Order> {
        order.typed(as: LiveService.Order.self).mutate(.patch, body: .json(["state": "mine"])) { $0.state = "mine" }
    }

    /// Lets up to five seconds pass until a condition is true: less than until the next round of loads.
    private func pass(until condition: () -> Bool) async throws {
        for _ in 0..<50 where !condition() {
            live.clock.advance(by: 0.1)
            for _ in 0..<20 { await mainQueueTurn() }
        }
        try await Poll.until(condition)
    }

    @Test func `A change that ends before the catching-up load hides nothing that was missed`() async throws {
        let order = try await live.observe(1, by: owner)
        live.stream?.fail(.networkConnectionLost)
        try await Poll.until { !order.live.isLive }
        live.network.answer(.get, "/orders/1", with: .held)
        try await live.reconnect()
        try await Poll.until { live.loads(of: 1) == 3 }
        let load = try #require(live.network.exchanges.last { $0.request.url?.path == "/orders/1" })
        live.network.answer(.patch, "/orders/1", with: .response(204))
        var options = ChangeOptions()
        options.settlement = .edit
        _ = try await order.typed(as: LiveService.Order.self).mutate(
            .patch, body: .json(["state": "mine"]), options: options
        ) {
            $0.state = "mine"
        }.value
        let theirs = StubAnswer.json(#"{"state":"mine","count":7}"#, headers: ["ETag": "\"3\""])
        live.network.answer(.get, "/orders/1", with: theirs)
        load.respond(with: .json(#"{"state":"new","count":7}"#, headers: ["ETag": "\"2\""]))
        try await pass { order.order?.count == 7 && order.live.isLive }
        #expect(order.order?.state == "mine")
    }

    @Test func `The result of a change is as fresh as other data of a live resource`() async throws {
        let order = try await live.observe(1, by: owner)
        live.clock.advance(by: 100)
        live.network.answer(.patch, "/orders/1", with: .response(204))
        var options = ChangeOptions()
        options.settlement = .edit
        _ = try await order.typed(as: LiveService.Order.self).mutate(
            .patch, body: .json(["state": "mine"]), options: options
        ) {
            $0.state = "mine"
        }.value
        #expect(order.live.isLive)
        #expect(order.isUpToDate)
        live.clock.advance(by: 100)
        #expect(order.isUpToDate)
    }

    @Test func `Data that the app stores is as fresh as other data of a live resource`() async throws {
        let order = try await live.observe(1, by: owner)
        live.clock.advance(by: 100)
        live.service.seed(LiveService.Order(state: "stored"), for: order.typed(as: LiveService.Order.self))
        #expect(order.order?.state == "stored")
        live.clock.advance(by: 100)
        #expect(order.live.isLive)
        #expect(order.isUpToDate)
    }

    /// Makes a change, whose response arrives after an event. Returns the number of loads before the response.
    private func rename(
        _ order: Resource, event: String, response: StubAnswer, until condition: () -> Bool
    ) async throws -> Int {
        live.network.answer(.patch, "/orders/1", with: .held)
        let change = rename(order)
        try await Poll.until { live.network.requests.contains { $0.httpMethod == "PATCH" } }
        live.send("1", event)
        try await Poll.until(condition)
        let loads = live.loads(of: 1)
        try #require(live.network.exchanges.last { $0.request.httpMethod == "PATCH" }).respond(with: response)
        _ = try await change.value
        return loads
    }

    @Test(arguments: [
        StubAnswer.json(#"{"state":"mine","count":0}"#, headers: ["ETag": "\"2\""]),
        .response(204, headers: ["ETag": "\"3\""]),
    ])
    func `The response to a change does not replace a newer version`(response: StubAnswer) async throws {
        let order = try await live.observe(1, by: owner)
        var counts: [Int?] = []
        let loads = try await rename(order, event: #"replace 3 - {"state":"theirs","count":7}"#, response: response) {
            order.order?.count == 7
        }
        order.addObserver(owner: owner) { resource, _ in counts.append(resource.order?.count) }
        #expect(order.order == LiveService.Order(state: "theirs", count: 7))
        #expect(counts == [7])
        #expect(order.live.isLive)
        #expect(order.isUpToDate)
        for _ in 0..<5 { await mainQueueTurn() }
        #expect(live.loads(of: 1) == loads)
    }

    @Test func `If nobody knows which is newer, an update or the result of a change, the resource is loaded`()
        async throws
    {
        let order = try await live.observe(1, by: owner)
        let theirs = StubAnswer.json(#"{"state":"theirs","count":7}"#, headers: ["ETag": "\"3\""])
        live.network.answer(.get, "/orders/1", with: theirs)
        _ = try await rename(
            order, event: #"replace - - {"state":"theirs","count":7}"#,
            response: .json(#"{"state":"mine","count":0}"#, headers: ["ETag": "\"2\""])
        ) {
            order.order?.count == 7
        }
        try await pass { order.order?.count == 7 && order.order?.state == "theirs" && order.live.isLive }
    }

    @Test func `The event of a change that has ended is not applied again`() async throws {
        live.service.configure("/tags/*") { $0.live = .eventSource("/events", update: LiveService.update) }
        live.service.decode("/tags/*", as: [String].self, requestMethods: [.get])
        live.network.answer(.get, "/tags/9", with: .json(#"["a"]"#, headers: ["ETag": "\"1\""]))
        let tags: TypedResource<[String]> = live.service.resource("/tags/9").typed()
        var seen: [[String]] = []
        tags.resource.addObserver(owner: owner) { resource, _ in
            if let content = resource.latestData?.content as? [String] { seen.append(content) }
        }
        tags.resource.loadIfNeeded()
        try await Poll.until { tags.resource.live.isLive }
        live.network.answer(.post, "/tags/9", with: .json(#"["a","b"]"#, headers: ["ETag": "\"2\""]))
        _ = try await tags.mutate(.post, body: .json(["b"])) { $0.append("b") }.value
        live.send("9", #"patch 2 1 [{"op":"add","path":"/-","value":"b"}]"#)
        live.send("9", #"replace 3 - ["z"]"#)
        try await Poll.until { tags.content == ["z"] }
        #expect(!seen.contains(["a", "b", "b"]))
    }

    @Test func `If an update repeats the data during a change, the resource is loaded after the response`()
        async throws
    {
        let order = try await live.observe(1, by: owner)
        let fence = try await Fence(live)
        let update = #"replace - - {"state":"theirs","count":7}"#
        live.send("1", update)
        try await Poll.until { order.order?.count == 7 }
        live.network.answer(
            .get, "/orders/1", with: .json(#"{"state":"theirs","count":7}"#, headers: ["ETag": "\"3\""]))
        live.network.answer(.patch, "/orders/1", with: .held)
        let change = rename(order)
        try await Poll.until { live.network.requests.contains { $0.httpMethod == "PATCH" } }
        live.send("1", update)
        try await fence.pass()
        try #require(live.network.exchanges.last { $0.request.httpMethod == "PATCH" })
            .respond(with: .json(#"{"state":"mine","count":0}"#, headers: ["ETag": "\"2\""]))
        _ = try await change.value
        try await pass { order.order?.state == "theirs" && order.live.isLive }
    }
}
