import Foundation
import SiestaActivity
import SiestaCore
import SiestaLive
import SiestaTesting
import TestKit
import Testing
import Waiting

/// The explanation of a resource whose data follows the server, and the events about it.
@MainActor @Suite(.timeLimit(.test))
struct LiveExplanationTests {
    private final class Screen {}

    private let network = StubNetwork()
    private let clock = TestClock()
    private let service: Service
    private let screen = Screen()

    init() {
        let (network, clock) = (network, clock)
        clock.jitter = 0
        service = clock.whileCurrent { Service(baseURL: "https://api.test", networking: network) }
        service.configure("/orders/*") { $0.live = .eventSource("/events") { event, _ in .replace(event.data) } }
        network.answer(.get, "/orders/1", with: .json("{}"))
        network.answer(.get, "/events", with: .stream())
    }

    /// Observes an order, and waits until it is live.
    private func liveOrder() async throws -> Resource {
        let order = service.resource("/orders/1")
        order.addObserver(owner: screen) { _, _ in }
        order.loadIfNeeded()
        try await Poll.until { order.live.isLive }
        return order
    }

    private func breakStream() { network.exchanges.last { $0.isStreaming }?.fail(.networkConnectionLost) }

    @Test func `The explanation tells whether the data follows the server`() async throws {
        #expect(service.resource("/orders/1").explain().updates == nil)
        #expect(!service.resource("/orders/1").explain().description.contains("updates:"))
        let order = try await liveOrder()
        clock.advance(by: 12)
        #expect(order.explain().updates == "live for 12 s")
        #expect(order.explain().description.contains("\nupdates: live for 12 s\n"))
    }

    @Test func `After a break, the explanation has the error and the time of the next attempt`() async throws {
        let order = try await liveOrder()
        breakStream()
        try await Poll.until { !order.live.isLive }
        guard case .failed(let error?, _) = order.live else { return _ = Issue.record("\(order.live)") }
        #expect(order.explain().updates == "interrupted, the next attempt in 1 s: \(error.userMessage)")
        network.answer(.get, "/events", with: .response(404))
        try await clock.waitForTimers(1)
        clock.advance(by: 30)
        try await Poll.until { order.explain().updates?.hasPrefix("interrupted, no attempt is planned: ") == true }
    }

    @Test func `Each change is an event`() async throws {
        let activity = service.activity
        let order = try await liveOrder()
        breakStream()
        try await Poll.until { !order.live.isLive }
        var states: [String] = []
        for await event in activity {
            guard case .updatesChanged(let state) = event.kind else { continue }
            #expect(event.address == "https://api.test/orders/1")
            #expect(event.kind.description == "updatesChanged: \(state)")
            states.append(state)
            if state == "failed" { break }
        }
        #expect(states == ["connecting", "catching up", "live", "failed"])
    }
}
