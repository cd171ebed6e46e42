import Foundation
import GitHubFixture
import Siesta
import SiestaTesting
import SiestaUI
import TestKit
import Testing
import Waiting

@testable import GitHubClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("The live stars and the feed", .timeLimit(.test))
@MainActor
struct FeedModelTests {
    private let clock = TestClock()
    private let fixture: Fixture
    private let model: FeedModel

    init() throws {
        let fixture = try clock.whileCurrent { try Fixture() }
        self.fixture = fixture
        model = clock.whileCurrent { FeedModel(api: fixture.api, id: Fixture.id) }
        fixture.network.answer(.get, "/events/stream", with: .stream())
        answer(lastID: 7, stars: 7)
    }

    private func answer(lastID: Int, stars: Int) {
        let headers = ["Last-Event-ID": "\(lastID)", "ETag": "\"\(lastID)\""]
        fixture.network.answer(.get, "/repos/ada/engine/stars", with: .json("{\"count\": \(stars)}", headers: headers))
        fixture.network.answer(.get, "/events", with: .json("[\(Self.event(lastID))]", headers: headers))
    }

    private static func event(_ id: Int, of subject: String = "ada/engine", stars: Int = 7) -> String {
        "{\"id\": \(id), \"actor\": \"bob\", \"action\": \"starred\", \"subject\": \"\(subject)\", \"stars\": \(stars)}"
    }

    private func send(_ id: Int, of subject: String = "ada/engine", stars: Int) {
        let text = "id: \(id)\nevent: starred\ndata: \(Self.event(id, of: subject, stars: stars))\n\n"
        fixture.network.exchanges.last { $0.isStreaming }?.send(text)
    }

    /// Shows the screen. Returns the number of requests until its data is live.
    private func appear() async throws -> Int {
        model.appear()
        try await Poll.until { model.stars.live.isLive && fixture.api.feed.live.isLive }
        return fixture.network.requests.count
    }

    @Test("share one stream")
    func oneStream() async throws {
        _ = try await appear()
        #expect(fixture.network.requests.count { $0.url?.path == "/events/stream" } == 1)
        #expect(model.stars.content?.count == 7)
        #expect(model.monitor.status.display.live?.text == "Live")
    }

    @Test("take over an event without a load")
    func event() async throws {
        let count = try await appear()
        send(8, stars: 8)
        try await Poll.until { model.stars.content?.count == 8 && model.feed.items.map(\.id) == [8, 7] }
        #expect(model.feed.items.first?.actor == "bob")
        #expect(fixture.network.requests.count == count)
    }

    @Test("keep the number of stars if the event is about another repository")
    func other() async throws {
        let count = try await appear()
        send(8, of: "grace/engine", stars: 99)
        send(9, of: "engine", stars: 99)
        try await Poll.until { model.feed.items.map(\.id) == [9, 8, 7] }
        #expect(model.stars.content?.count == 7)
        #expect(fixture.network.requests.count == count)
    }

    @Test("load the feed if an event is missing")
    func gap() async throws {
        let count = try await appear()
        answer(lastID: 10, stars: 10)
        clock.advance(by: 2)
        send(10, stars: 10)
        try await Poll.until { model.stars.content?.count == 10 && model.feed.items.map(\.id) == [10] }
        #expect(fixture.network.requests.dropFirst(count).map { $0.url?.path } == ["/events"])
    }
}
