import Foundation
import SiestaCore
import SiestaSessions
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

/// Which of the hubs that responses name is used, and from which event on.
@MainActor @Suite(.timeLimit(.test))
struct LiveHubChoiceTests {
    private let owner = Owner()
    private let live = LiveService()

    private var hubs: [StubExchange] { Self.hubs(of: live.network) }

    private static func hubs(of network: StubNetwork) -> [StubExchange] {
        network.exchanges.filter { $0.request.url?.path.hasPrefix("/hub") ?? false }
    }

    /// Loads an order whose responses name hubs, and observes it. The hubs go on after the identifier that they get.
    private func observe(_ source: LiveSource = .mercure(), link: String) async -> Resource {
        live.service.configure("/orders/*") { $0.live = source }
        live.network.handler = { request in
            guard request.url?.path.hasPrefix("/hub") ?? false else {
                return request.httpMethod == "GET"
                    ? .json(#"{"state":"new","count":0}"#, headers: ["Link": link]) : nil
            }
            let id = request.value(forHTTPHeaderField: "Last-Event-ID")
            return .stream(headers: id.map { ["Last-Event-ID": $0] } ?? [:])
        }
        let order = live.order(8)
        order.addObserver(owner: owner) { _, _ in }
        await order.load().completion()
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
        #"<https://other.test/hub>; rel="mercure", </hub>; rel="mercure""#,
        #"</hub>; rel="mercure", <https://other.test/hub>; rel="mercure""#,
    ])
    func `Of several hubs, the first one that is permitted is used`(link: String) async throws {
        let order = await observe(link: link)
        try #require(order.live.description != "off")
        try await pass { order.live.isLive }
        #expect(hubs.map { $0.request.url?.host } == ["api.test"])
    }

    @Test(arguments: [
        (#"</hub/1>; rel="mercure"; anchor="/orders/8", </hub/2>; rel="mercure"; last-event-id="of-2""#, nil),
        (#"</hub/1>; rel="mercure"; anchor="/orders/8"; last-event-id="of-1""#, "of-1"),
        (
            #"<https://other.test/hub>; rel="mercure"; last-event-id="of-other", "#
                + #"</hub/1>; rel="mercure"; last-event-id="of-1""#, "of-1"
        ),
    ])
    func `The identifier comes from the link of the hub that is used`(link: String, id: String?) async throws {
        let order = await observe(link: link)
        try #require(order.live.description != "off")
        try await Poll.until { !hubs.isEmpty }
        #expect(hubs[0].request.value(forHTTPHeaderField: "Last-Event-ID") == id)
    }

    @Test func `A hub whose permission was withdrawn is left`() async throws {
        let other = try #require(URL(string: "https://other.test"))
        let order = await observe(.mercure(hubs: [other]), link: #"<https://other.test/hub>; rel="mercure""#)
        try await pass { order.live.isLive }
        let hub = try #require(hubs.last)
        live.service.configure("/orders/*") { $0.live = .mercure() }
        for _ in 0..<5 { await mainQueueTurn() }
        try #require(order.live.description == "off")
        try await Poll.until { hub.isCancelled }
    }

    /// If a link names the last event, the resource is live after its first load.
    @Test(arguments: [#"</hub>; rel="mercure""#, #"</hub>; rel="mercure"; last-event-id="1""#])
    func `After a change whose response has no link, the hub is known to the next observer`(link: String) async throws {
        let order = await observe(link: link)
        try await pass { order.live.isLive }
        live.network.answer(.put, "/orders/8", with: .json(#"{"state":"mine","count":0}"#))
        _ = try await order.typed(as: LiveService.Order.self).mutate(.put, body: .json(["state": "mine"])) {
            $0.state = "mine"
        }.value
        try #require(order.latestData?.header(forKey: "Link") == nil)
        order.removeObservers(ownedBy: owner)
        live.clock.advance(by: 31)
        try #require(order.live.description == "off")
        order.addObserver(owner: owner) { _, _ in }
        #expect(order.live.description == "connecting")
    }

    @Test func `The next user does not use the hub of the last one`() async throws {
        let signing = SigningService { $0.live = .mercure() }
        signing.network.handler = { request in
            guard request.url?.path != "/hub" else { return .stream() }
            let token = SigningService.token(of: request) ?? ""
            return .text("loaded", headers: ["Link": #"</hub?token=\#(token)>; rel="mercure""#])
        }
        let thing = signing.resource
        thing.addObserver(owner: owner) { _, _ in }
        try #require(thing.live.description == "off")
        try await signing.service.signIn("ada", with: Credential("ada"))
        await thing.load().completion()
        try await Poll.until { Self.hubs(of: signing.network).count == 1 }
        try await signing.service.signIn("bob", with: Credential("bob"))
        thing.overrideLocalContent(with: "mine")
        thing.addObserver(owner: signing.network) { _, _ in }
        #expect(thing.live.description == "off")
    }

    @Test func `Links that are not used make no resources, which would displace others from memory`() async throws {
        live.service.cachedResourceCountLimit = 20
        live.service.resource("/kept").overrideLocalContent(with: "kept")
        let unused = (1...100).map { number in
            #"</hub/\#(number)>; rel="mercure"; anchor="/o/\#(number)", "#
                + #"<https://other.test/\#(number)>; rel="mercure""#
        }
        let order = await observe(link: (unused + [#"</hub>; rel="mercure""#]).joined(separator: ", "))
        try await pass { order.live.isLive }
        #expect(hubs.map { $0.request.url?.path } == ["/hub"])
        #expect(live.service.resource("/kept").latestData != nil)
    }
}
