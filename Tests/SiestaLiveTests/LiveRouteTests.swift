import Foundation
import SiestaCore
import SiestaTesting
import TestKit
import Testing
import Waiting

@testable import SiestaLive

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Which resources an event concerns: those of the path or URL that a route returns, or of a topic.
@MainActor @Suite(.timeLimit(.test))
struct LiveRouteTests {
    private let owner = Owner()
    private let live = LiveService()

    private var hub: StubExchange? { live.network.exchanges.last { $0.request.url?.path == "/hub" } }

    /// Observes resources, and waits until they are live.
    private func observe(_ resources: [Resource]) async throws {
        for resource in resources {
            resource.addObserver(owner: owner) { _, _ in }
            resource.loadIfNeeded()
        }
        try await Poll.until {
            live.clock.advance(by: 0.1)
            return resources.allSatisfy(\.live.isLive)
        }
    }

    private func states(of resources: [Resource]) -> [String?] {
        resources.map { ($0.latestData?.content as? [String: Any])?["state"] as? String ?? $0.order?.state }
    }

    // MARK: Names

    /// Configures orders whose names are the data of the events.
    private func configureNames(_ route: @escaping @Sendable (String) -> String) {
        live.service.configure("/orders/*") {
            $0.live = .eventSource("/events", route: { $0.type == "name" ? route($0.data) : nil }) { _, _ in
                .replace(#"{"state":"paid","count":0}"#)
            }
        }
        live.network.handler = { $0.url?.path == "/events" ? nil : .json(#"{"state":"new","count":0}"#) }
    }

    @Test(arguments: ["50%", "50%25"])
    func `A path that can be read in two ways names the resource of this path`(name: String) async throws {
        configureNames { "/orders/\($0)" }
        let orders = ["50%", "50%25"].map { live.service.resource("/orders/\($0)") }
        try await observe(orders)
        live.send("name", name)
        try await Poll.until { states(of: orders).contains("paid") }
        #expect(states(of: orders) == (name == "50%" ? ["paid", "new"] : ["new", "paid"]))
    }

    @Test(arguments: ["Zürich", "Z%C3%BCrich"])
    func `An absolute URL names its resource whether or not it is escaped`(name: String) async throws {
        configureNames { "https://api.test/orders/\($0)" }
        let orders = ["Zürich", "Bern"].map { live.service.resource("/orders/\($0)") }
        try await observe(orders)
        live.send("name", name)
        live.send("name", "Bern")
        try await Poll.until { states(of: orders)[1] == "paid" }
        #expect(states(of: orders) == ["paid", "paid"])
    }

    // MARK: Resources with the same URL

    /// Three resources with the same URL, the first one without a body.
    private var searches: [Resource] {
        [live.service.resource("/search")]
            + [1, 2].map { live.service.resource("/search", loadedBy: .query, body: .json(["page": $0])) }
    }

    /// Answers searches with the number of their page.
    private func answerSearches() {
        live.network.handler = { request in
            switch request.url?.path {
            case "/hub": return .stream()
            case "/search":
                let page = request.httpBody.map { String(decoding: $0, as: UTF8.self).filter(\.isNumber) } ?? ""
                return .json(#"{"state":"page \#(page)"}"#, headers: ["Link": #"</hub>; rel="mercure""#])
            default: return nil
            }
        }
    }

    @Test func `A route to a URL reaches all resources with this URL`() async throws {
        let fence = try await Fence(live)
        answerSearches()
        live.service.configure("/search") {
            $0.live = .eventSource("/events", route: { $0.type == "search" ? "/search" : nil }) { event, _ in
                .replace(event.data)
            }
        }
        try await observe(searches)
        live.send("search", #"{"state":"pushed"}"#)
        try await fence.pass()
        #expect(states(of: searches) == ["pushed", "pushed", "pushed"])
    }

    @Test func `An update of the topic of several resources only loads those whose loads have a body`() async throws {
        answerSearches()
        live.service.configure("/search") { $0.live = .mercure() }
        try await observe(searches)
        let loads = live.network.requests.count { $0.httpMethod == "QUERY" }
        hub?.send("data: {\"state\":\"pushed\"}\n\n")
        try await Poll.until {
            live.clock.advance(by: 0.1)
            return states(of: searches)[0] == "pushed" && searches.allSatisfy(\.live.isLive)
        }
        #expect(states(of: searches) == ["pushed", "page 1", "page 2"])
        #expect(live.network.requests.count { $0.httpMethod == "QUERY" } == loads + 2)
    }
}
