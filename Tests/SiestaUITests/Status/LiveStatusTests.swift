import Foundation
import SiestaCore
import SiestaLive
import SiestaTesting
import SiestaUI
import TestKit
import Testing
import Waiting

/// The line about data that follows the server.
@MainActor @Suite(.timeLimit(.test))
struct LiveStatusTests {
    private let clock = TestClock()
    private let network = StubNetwork()
    private let service: Service
    private let model: StatusOverlayModel

    init() {
        (service, model) = clock.whileCurrent { [network] in
            (
                Service(baseURL: "https://api.test", networking: network),
                StatusOverlayModel(displayPriority: .dataFirst)
            )
        }
        service.configure("/orders/*") { $0.live = .eventSource("/events") { event, _ in .replace(event.data) } }
        network.answer(.get, "/orders/1", with: .json("{}"))
        network.answer(.get, "/events", with: .stream())
    }

    private var order: Resource { service.resource("/orders/1") }

    private func breakStream() { network.exchanges.last { $0.isStreaming }?.fail(.networkConnectionLost) }

    /// Waits for the line, while time passes.
    private func until(_ kind: LiveLine.Kind) async throws {
        try await Poll.until {
            clock.advance(by: 0.1)
            return model.display.live?.kind == kind
        }
    }

    @Test func `It appears, changes when the connection is lost, and stays until the data has caught up`() async throws
    {
        var lines: [LiveLine?] = []
        model.onChange = { [model] in if lines.last != model.display.live { lines.append(model.display.live) } }
        model.add(order)
        await order.load().completion()
        try await until(.live)
        breakStream()
        try await Poll.until { model.display.live?.kind == .reconnecting }
        #expect(order.latestError == nil)
        #expect(!order.isLoading)
        #expect(model.display.banner == nil)
        try await until(.live)
        let (live, reconnecting) = (
            LiveLine(kind: .live, text: "Live"), LiveLine(kind: .reconnecting, text: "Reconnecting")
        )
        #expect(lines == [live, reconnecting, live])
    }

    @Test func `If no attempt is planned, it says so`() async throws {
        model.add(order)
        await order.load().completion()
        try await until(.live)
        network.answer(.get, "/events", with: .response(404))
        breakStream()
        try await until(.notLive)
        #expect(model.display.live?.text == "Not live")
    }

    @Test func `It belongs to the resources of the model, and disappears with them`() async throws {
        final class Owner {}
        let owner = Owner()
        model.add(service.resource("/other"))
        order.addObserver(model, owner: owner)
        await order.load().completion()
        try await until(.live)
        breakStream()
        try await Poll.until { model.display.live?.kind == .reconnecting }
        order.removeObservers(ownedBy: owner)
        #expect(model.display == .content)
    }

    @Test func `Without a source, there is no line`() async throws {
        network.answer(.get, "/other", with: .json("{}"))
        model.add(service.resource("/other"))
        await service.resource("/other").load().completion()
        #expect(model.display.live == nil)
        #expect(model.display.isEmpty)
    }
}
