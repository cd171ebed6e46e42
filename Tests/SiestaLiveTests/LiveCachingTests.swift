import Foundation
import SiestaCaches
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

/// Live resources whose freshness follows HTTP, and caches of live resources.
@MainActor @Suite(.timeLimit(.test))
struct LiveCachingTests {
    private let owner = Owner()
    private let live = LiveService { $0.silenceLimit = .infinity }
    private let request = RequestHeaders()

    /// What the app configures, and changes later.
    private final class RequestHeaders {
        var language = "de"
    }

    private func configure(_ live: LiveService, _ change: @escaping (inout Configuration) -> Void = { _ in }) {
        live.service.configure("/orders/*") { [request] in
            $0.freshness = .http
            $0.headers["Accept-Language"] = request.language
            change(&$0)
        }
    }

    private func answer(_ live: LiveService, _ state: String, version: Int, _ headers: [String: String]) {
        let headers = headers.merging(["ETag": "\"\(version)\""]) { own, _ in own }
        live.network.answer(
            .get, "/orders/1", with: .json(#"{"state":"\#(state)","count":0}"#, headers: headers))
    }

    /// Observes an order whose response has header fields, and waits until it is live.
    private func order(_ headers: [String: String]) async throws -> Resource {
        answer(live, "new", version: 1, headers)
        let order = live.order(1)
        order.addObserver(owner: owner) { _, _ in }
        order.loadIfNeeded()
        try await Poll.until { order.live.isLive }
        return order
    }

    private func use(language: String) {
        request.language = language
        live.service.invalidateConfiguration()
    }

    @Test(
        arguments: ["no-store", "max-age=60"],
        [#"replace 2 - {"state":"paid","count":0}"#, #"merge 2 1 {"state":"paid"}"#])
    func `An update is stored only if the response that it updates may be stored`(
        _ rule: String, _ update: String
    ) async throws {
        let cache = InMemoryCache()
        configure(live) { $0.pipeline[.model].cacheUsing(cache) }
        let order = try await order(["Cache-Control": rule])
        live.send("1", update)
        try await Poll.until { order.order?.state == "paid" }
        try await live.service.settled()
        #expect(
            cache.entities.values.map { ($0.content as? LiveService.Order)?.state }
                == (rule == "no-store" ? [] : ["paid"]))
    }

    @Test(arguments: ["no-store", "max-age=60"])
    func `An update after a change is stored only if the response to the change may be stored`(
        _ rule: String
    ) async throws {
        let cache = InMemoryCache()
        configure(live) { $0.pipeline[.model].cacheUsing(cache) }
        let order = try await order(["Cache-Control": rule])
        let headers = ["Cache-Control": rule, "ETag": "\"2\""]
        live.network.answer(.patch, "/orders/1", with: .json(#"{"state":"mine","count":1}"#, headers: headers))
        _ = try await order.typed(as: LiveService.Order.self).mutate(.patch).value
        live.send("1", #"replace 3 - {"state":"paid","count":0}"#)
        try await Poll.until { order.order?.state == "paid" }
        try await live.service.settled()
        let stored = cache.entities.values.contains { ($0.content as? LiveService.Order)?.state == "paid" }
        #expect(stored == (rule != "no-store"))
    }

    @Test func `After an update, data that the server must confirm is stale as soon as the stream is lost`()
        async throws
    {
        configure(live)
        let order = try await order(["Cache-Control": "no-cache"])
        live.send("1", #"merge 2 1 {"count":2}"#)
        try await Poll.until { order.order?.count == 2 }
        #expect(order.isUpToDate)
        live.stream?.fail(.networkConnectionLost)
        try await Poll.until { !order.live.isLive }
        #expect(!order.isUpToDate)
    }

    @Test func `After an update, a resource still belongs to the groups of its response`() async throws {
        configure(live)
        let order = try await order(["Cache-Groups": #""all""#])
        live.send("1", #"merge 2 1 {"count":2}"#)
        try await Poll.until { order.order?.count == 2 }
        #expect(order.tags == ["all"])
    }

    @Test func `An update belongs to the request headers of the response that it updates`() async throws {
        configure(live)
        let order = try await order(["Cache-Control": "max-age=1000", "Vary": "Accept-Language"])
        live.send("1", #"merge 2 1 {"count":2}"#)
        try await Poll.until { order.order?.count == 2 }
        #expect(order.isUpToDate)
        use(language: "fr")
        #expect(!order.isUpToDate)
        #expect(order.loadIfNeeded() != nil)
    }

    @Test(
        arguments: zip(
            [
                ["Cache-Control": "max-age=1000"], ["Cache-Control": "no-cache"],
                ["Cache-Control": "max-age=1000", "Vary": "Accept-Language"],
            ], [0, 1, 1]))
    func `After the next start, an update is used as the response that it updates may be used`(
        _ headers: [String: String], _ loads: Int
    ) async throws {
        let cache = PersistentCache.memory(UUID().uuidString, of: LiveService.Order.self)
        configure(live) { $0.pipeline[.model].cacheUsing(cache) }
        let order = try await order(headers)
        live.send("1", #"merge 2 1 {"count":2}"#)
        try await Poll.until { order.order?.count == 2 }
        try await live.service.settled()
        let later = LiveService()
        later.clock.advance(by: 100)
        request.language = "fr"
        configure(later) { $0.pipeline[.model].cacheUsing(cache) }
        answer(later, "loaded", version: 3, headers)
        await later.order(1).loadIfNeeded()?.completion()
        #expect(later.loads(of: 1) == loads)
    }

    @Test func `Data that a cache has for other request headers is loaded, although the stream is open`() async throws {
        let headers = ["Cache-Control": "max-age=1000", "Vary": "Accept-Language"]
        let cache = PersistentCache.memory(UUID().uuidString, of: LiveService.Order.self)
        configure(live) { $0.pipeline[.model].cacheUsing(cache) }
        let order = try await order(headers)
        try await live.service.settled()
        use(language: "fr")
        answer(live, "en français", version: 2, headers)
        await order.load().completion()
        try await live.service.settled()
        use(language: "de")
        answer(live, "auf Deutsch", version: 2, headers)
        order.loadIfNeeded()
        try await Poll.until { order.order?.state == "new" }
        try await Poll.until {
            live.clock.advance(by: 0.1)
            return order.order?.state == "auf Deutsch" && order.live.isLive
        }
    }

    @Test func `A server that clears caches with each response causes no further loads of a live resource`()
        async throws
    {
        configure(live)
        let order = try await order(["Cache-Control": "max-age=60", "Clear-Site-Data": #""cache""#])
        let loads = live.loads(of: 1)
        for _ in 0..<20 {
            live.clock.advance(by: 1)
            for _ in 0..<5 { await mainQueueTurn() }
        }
        #expect(live.loads(of: 1) == loads)
        #expect(order.live.isLive)
        #expect(order.isUpToDate)
    }
}
