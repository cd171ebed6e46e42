import Foundation
import SiestaCore
import SiestaInspector
import SiestaJSON
import SiestaLive
import SiestaTesting
import TestKit
import Testing
import Waiting

extension OneByOne {
    @MainActor @Suite(.timeLimit(.test))
    struct LiveInspectorTests {
        private final class Screen {}

        private let stub = StubNetwork()
        private let screen = Screen()

        @Test func `the row and the details of a resource tell whether its data follows the server`() async throws {
            let service = Service(baseURL: "https://api.test", networking: stub)
            service.configure("/orders/*") { $0.live = .eventSource("/events") { event, _ in .replace(event.data) } }
            stub.answer(.get, "/orders/1", with: .json("{}"))
            stub.answer(.get, "/events", with: .stream())
            let inspector = Inspector(service)
            let page = PageClient(try await inspector.start(evenInRelease: true))
            let order = service.resource("/orders/1")
            order.addObserver(owner: screen) { _, _ in }
            order.loadIfNeeded()
            try await Poll.until { order.live.isLive }
            let state = try await page.json("state")
            let row = try #require(state.rows("resources").first { $0["url"]?.text == "https://api.test/orders/1" })
            #expect(row["updates"]?.text == "live")
            let id = try #require(row["id"]?.number?.int64)
            let details = try await page.json("resource?id=\(id)")
            #expect(details["explanation"]?.text?.contains("\nupdates: live for ") == true)
            #expect(state.rows("resources").first { $0["url"]?.text == "https://api.test/events" }?["updates"] == nil)
            let stream = try await page.events(after: Int(state["lastEvent"]?.number?.int64 ?? 0))
            stub.answer(.get, "/events", with: .held)
            stub.exchanges.last { $0.isStreaming }?.fail(.networkConnectionLost)
            #expect(await stream.read(until: #""updates":"reconnecting""#).contains(#""updates":"reconnecting""#))
            inspector.stop()
        }
    }
}
