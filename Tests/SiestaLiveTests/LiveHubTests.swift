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

/// Mercure hubs whose URLs or topics change.
@MainActor @Suite(.timeLimit(.test))
struct LiveHubTests {
    private let owner = Owner()
    private let live = LiveService()

    private var hubs: [StubExchange] {
        live.network.exchanges.filter { $0.request.url?.path.hasPrefix("/hub") ?? false }
    }

    /// Configures a hub for all orders.
    ///
    /// - Parameters:
    ///   - link: Returns the `Link` field of the response to a load; the first load has the number 1.
    ///   - permits: Returns whether the hub accepts a URL.
    private func configure(
        _ source: LiveSource = .mercure(), permits: @escaping (URL) -> Bool = { _ in true },
        link: @escaping (Int) -> String
    ) {
        live.service.configure("/orders/*") { $0.live = source }
        var loads = 0
        live.network.handler = { request in
            guard let url = request.url else { return nil }
            guard url.path.hasPrefix("/orders") else { return permits(url) ? .stream() : .response(401) }
            loads += 1
            return .json(#"{"state":"new","count":0}"#, headers: ["Link": link(loads)])
        }
    }

    private func observe(_ number: Int) -> Resource {
        let order = live.order(number)
        order.addObserver(owner: owner) { _, _ in }
        order.loadIfNeeded()
        return order
    }

    /// Lets time pass until a condition is true.
    private func pass(until condition: () -> Bool) async throws {
        try await Poll.until {
            live.clock.advance(by: 1)
            return condition()
        }
    }

    @Test(arguments: [
        #"</hub>; rel="mercure", </orders/8?NUMBER>; rel="self""#, #"</hub/NUMBER>; rel="mercure""#,
    ])
    func `A topic or hub that changes with each response causes ever fewer loads`(link: String) async throws {
        configure { link.replacingOccurrences(of: "NUMBER", with: "\($0)") }
        let begin = live.clock.wallTime
        _ = observe(8)
        try await pass { hubs.count == 8 }
        #expect(live.clock.wallTime - begin >= 60)
    }

    @Test func `After a hub has refused an expired token, a load brings the next one`() async throws {
        var token = 1
        configure(permits: { $0.query?.contains("token=\(token)") ?? false }) { _ in
            #"</hub?token=\#(token)>; rel="mercure""#
        }
        let order = observe(8)
        try await pass { order.live.isLive }
        token = 2
        try #require(hubs.last).fail(.networkConnectionLost)
        try await pass { !order.live.isLive }
        try await pass { order.live.isLive }
        #expect(hubs.count == 3)
    }

    @Test(arguments: [true, false])
    func `A hub that goes on refusing causes one load, and is asked once more`(withOtherToken: Bool) async throws {
        var isOpen = true
        configure(permits: { _ in isOpen }) { #"</hub?token=\#(withOtherToken ? $0 : 0)>; rel="mercure""# }
        let order = observe(8)
        try await pass { order.live.isLive }
        let (loads, hub) = (live.loads(of: 8), try #require(hubs.last))
        hub.send("id: urn:1\ndata: {\"state\":\"paid\",\"count\":1}\n\n")
        try await Poll.until { order.order?.state == "paid" }
        isOpen = false
        hub.fail(.networkConnectionLost)
        try await pass { hubs.count == 3 && order.live.description == "failed" }
        for _ in 0..<100 {
            live.clock.advance(by: 1)
            for _ in 0..<5 { await mainQueueTurn() }
        }
        #expect(live.loads(of: 8) == loads + 1)
        #expect(hubs.count == 3)
    }

    @Test func `Resources with the same template share a connection although each response has another token`()
        async throws
    {
        configure(.mercure(topic: "https://api.test/orders/{id}", route: { "/orders/\($0.type)" })) {
            #"</hub?token=\#($0)>; rel="mercure""#
        }
        let orders = (1...3).map(observe)
        try await pass { orders.allSatisfy(\.live.isLive) }
        #expect(hubs.count == 1)
    }

    @Test(arguments: [
        ("https://other.test/", "https://api.test/hub/2?topic=https://api.test/orders/8"),
        ("/orders/8", "https://api.test/hub/1?topic=https://api.test/o/8"),
    ])
    func `Links of another resource name neither the hub nor the topic`(anchor: String, hub: String) async throws {
        configure { _ in
            #"</hub/1>; rel="mercure"; anchor="\#(anchor)", </o/8>; rel="self"; anchor="\#(anchor)", "#
                + #"</hub/2>; rel="mercure""#
        }
        _ = observe(8)
        try await pass { !hubs.isEmpty }
        #expect(hubs.first?.request.url?.absoluteString == hub)
    }

    @Test func `An update of a topic that several responses name replaces the data of none of their resources`()
        async throws
    {
        configure { _ in #"</hub>; rel="mercure", </orders>; rel="self""# }
        let orders = [observe(8), observe(9)]
        try await pass { orders.allSatisfy(\.live.isLive) }
        let loads = live.loads(of: 8) + live.loads(of: 9)
        hubs.last { !$0.isCancelled }?.send("data: {\"state\":\"of the hub\",\"count\":1}\n\n")
        try await pass {
            live.loads(of: 8) + live.loads(of: 9) == loads + 2 || orders.contains { $0.order?.state != "new" }
        }
        #expect(orders.map { $0.order?.state } == ["new", "new"])
        try await pass { orders.allSatisfy(\.live.isLive) }
    }
}
