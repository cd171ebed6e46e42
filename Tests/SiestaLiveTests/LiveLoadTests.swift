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

/// The loads of live resources that may have missed something.
@MainActor @Suite(.timeLimit(.test))
struct LiveLoadTests {
    private let owner = Owner()

    @Test func `After a break, observed resources are loaded once, and live again`() async throws {
        let live = LiveService()
        let order = try await live.observe(1, by: owner)
        #expect(live.loads(of: 1) == 2)
        live.stream?.fail(.networkConnectionLost)
        try await Poll.until { !order.live.isLive }
        guard case .failed(let error, let next) = order.live else { throw LiveTests.Failure() }
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

    @Test(arguments: [FreshnessRule.fixed, .http])
    func `While a resource is live, a failed load counts for the retry time`(rule: FreshnessRule) async throws {
        let live = LiveService()
        live.service.configure("/orders/*") { $0.freshness = rule }
        let order = try await live.observe(1, by: owner)
        live.network.answer(
            .get, "/orders/1", with: .failure(.timedOut),
            .json(#"{"state":"new","count":0}"#, headers: ["ETag": "\"1\""]))
        await order.load().completion()
        #expect(order.latestError != nil)
        #expect(order.live.isLive)
        #expect(order.isUpToDate)
        live.clock.advance(by: 10)
        #expect(order.live.isLive)
        #expect(order.isStale)
        #expect(try await order.get().content as? LiveService.Order == .init(state: "new"))
        await order.loadIfNeeded()?.completion()
        #expect(order.latestError == nil)
    }

    @Test func `A flood of invalidations leads to one load in a second`() async throws {
        let live = LiveService()
        let order = try await live.observe(1, by: owner)
        let before = live.loads(of: 1)
        for second in 1...5 {
            for _ in 0..<200 { live.send("1", "invalidate - - -") }
            for _ in 0..<20 { await mainQueueTurn() }
            live.clock.advance(by: 1)
            try await Poll.until { !order.isLoading }
            #expect(live.loads(of: 1) <= before + second + 1)
        }
        try await Poll.until {
            live.clock.advance(by: 1)
            return order.live.isLive
        }
    }

    @Test func `Loads that never end do not pile up`() async throws {
        let live = LiveService()
        let order = try await live.observe(1, by: owner)
        live.network.answer(.get, "/orders/1", with: .held)
        let (before, exchanges) = (live.loads(of: 1), live.network.exchanges.count)
        for _ in 0..<60 {
            live.send("1", "invalidate - - -")
            for _ in 0..<20 { await mainQueueTurn() }
            live.clock.advance(by: 1)
        }
        #expect(2...7 ~= live.loads(of: 1) - before)
        live.answer(1, "loaded", version: 9)
        for exchange in live.network.exchanges[exchanges...] { exchange.respond(with: .failure(.timedOut)) }
        try await Poll.until {
            live.clock.advance(by: 1)
            return order.live.isLive
        }
        #expect(order.order?.state == "loaded")
    }

    @Test func `With many resources, loads after a break are spread`() async throws {
        let live = LiveService()
        for number in 1...40 { _ = try await live.observe(number, by: owner) }
        let before = live.network.requests.count
        live.stream?.fail(.networkConnectionLost)
        try await Poll.until { !live.order(1).live.isLive }
        try await live.clock.waitForTimers(1)
        live.clock.advance(by: 1)
        try await Poll.until { live.streamCount == 2 }
        try await Poll.until {
            live.clock.advance(by: 0.1)
            return (1...40).allSatisfy { live.order($0).live.isLive }
        }
        #expect(live.network.requests.count == before + 41)
    }

    @Test func `Data that arrives from a cache while the stream is open is loaded`() async throws {
        let live = LiveService()
        _ = try await live.observe(1, by: owner)
        live.answer(2, "newer", version: 7)
        let order = live.order(2)
        order.addObserver(owner: owner) { _, _ in }
        let entity = Entity<Any>(
            content: LiveService.Order(state: "stored"), contentType: "application/json", headers: ["etag": "\"3\""])
        live.service.seed(entity, for: order)
        try await Poll.until { order.live.isLive }
        #expect(order.order?.state == "newer")
        #expect(live.loads(of: 2) == 1)
    }

    @Test func `After slow loads have ended, the next load does not wait for the delay between them`() async throws {
        let live = LiveService()
        let order = try await live.observe(1, by: owner)
        live.network.answer(.get, "/orders/1", with: .held)
        let exchanges = live.network.exchanges.count
        for _ in 0..<40 {
            live.send("1", "invalidate - - -")
            for _ in 0..<20 { await mainQueueTurn() }
            live.clock.advance(by: 1)
        }
        live.answer(1, "loaded", version: 9)
        let json = StubAnswer.json(#"{"state":"slow","count":0}"#, headers: ["ETag": "\"2\""])
        for exchange in live.network.exchanges[exchanges...] { exchange.respond(with: json) }
        try await Poll.until { !order.isLoading }
        live.clock.advance(by: 2)
        try await Poll.until { order.live.isLive }
        #expect(order.order?.state == "loaded")
    }

    @Test(arguments: [404, 410])
    func `A resource that the server does not have is loaded once for each event`(_ status: Int) async throws {
        let live = LiveService()
        let order = try await live.observe(1, by: owner)
        live.network.answer(.delete, "/orders/1", with: .response(204))
        _ = try await order.typed(as: LiveService.Order.self).mutate(.delete).value
        live.network.answer(.get, "/orders/1", with: .response(status))
        let loads = live.loads(of: 1)
        live.send("1", #"replace - - {"state":"other","count":0}"#)
        try await Poll.until {
            live.clock.advance(by: 0.1)
            return live.loads(of: 1) > loads && !order.isLoading
        }
        for _ in 0..<9 {
            live.clock.advance(by: 30)
            for _ in 0..<20 { await mainQueueTurn() }
        }
        #expect(live.loads(of: 1) == loads + 1)
        #expect(order.latestData == nil)
    }

    @Test func `The version of an update is kept in caches, so that a patch applies afterwards`() async throws {
        let live = LiveService()
        let order = try await live.observe(1, by: owner)
        live.send("1", #"replace 5 - {"state":"paid","count":5}"#, id: "e5")
        try await Poll.until { order.order?.state == "paid" }
        let later = LiveService()
        later.network.answer(.get, "/events", with: .stream(headers: ["Last-Event-ID": "e5"]))
        let stored = later.order(1)
        stored.addObserver(owner: owner) { _, _ in }
        later.service.seed(try #require(order.latestData), for: stored)
        try await Poll.until { stored.live.isLive }
        later.send("1", #"replace 5 - {"state":"again","count":5}"#, id: "e5")
        later.send("1", #"merge 6 5 {"state":"sent"}"#, id: "e6")
        try await Poll.until { stored.order?.state == "sent" }
        #expect(later.loads(of: 1) == 0)
    }

    @Test func `After a reset, an attempt that a person makes begins without an identifier, too`() async throws {
        let live = LiveService()
        let order = try await live.observe(1, by: owner)
        live.send("1", #"replace 2 - {"state":"paid","count":0}"#, id: "e2")
        try await Poll.until { order.order?.state == "paid" }
        live.clock.advance(by: 30)  // The next round of loads does not wait.
        live.answer(1, "fresh", version: 9)
        live.network.answer(.get, "/events", with: .stream(headers: ["Last-Event-ID": "e2"]))
        live.send("1", "reset - - -", id: "e3")
        try await Poll.until { !order.live.isLive }
        order.retryNow()
        try await Poll.until { live.streamCount == 2 && order.live.isLive }
        #expect(order.order?.state == "fresh")
        #expect(live.stream?.request.value(forHTTPHeaderField: "Last-Event-ID") == nil)
    }
}
