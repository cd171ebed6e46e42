import GitHubClient
import GitHubFixture
import Siesta
import SiestaTesting
import TerminalKit
import TestKit
import Testing

@testable import GitHubBrowser

@Suite("The screen of live stars and the feed", .timeLimit(.test))
@MainActor
struct FeedScreenTests {
    private let fixture: Fixture
    private let screen: FeedScreen

    init() throws {
        fixture = try Fixture(token: "secret")
        screen = FeedScreen(FeedModel(api: fixture.api, id: Fixture.id))
        fixture.network.answer(.get, "/events/stream", with: .stream())
        fixture.network.answer(.get, "/user/starred/ada/engine", with: .response(204))
        fixture.network.answer(.get, "/repos/ada/engine/stars", with: .json(#"{"count": 1234}"#))
        fixture.network.answer(
            .get, "/events",
            with: .json(
                """
                [{"id": 2, "actor": "bob", "action": "followed", "subject": "ada"},
                 {"id": 1, "actor": "ada", "action": "starred", "subject": "ada/engine"}]
                """))
    }

    private func load() async {
        screen.model.appear()
        for resource in screen.model.resources { await resource.joinLoad().completion() }
    }

    private var lines: [String] { screen.body(in: .standard).map(\.text) }

    @Test("shows the stars, and the changes in their order")
    func body() async {
        #expect(lines[0] == " ada/engine ☆ …")
        #expect(lines.last == " …")
        await load()
        #expect(lines[0] == " ada/engine ★ 1,234")
        #expect(lines.count == FeedView.headRows + 2)
        #expect(lines[4].hasPrefix(" bob followed ada"))
        #expect(lines[5].hasPrefix(" ada starred ada/engine"))
    }

    @Test("opens the repository or the account of a change, and takes the star away")
    func keys() async {
        await load()
        _ = lines
        #expect(screen.press(.enter) == .open(.account("ada")))
        #expect(screen.press(.down) == .handled)
        #expect(screen.press(.enter) == .open(.repository(Fixture.id)))
        #expect(screen.press(.character("s")) == .star(Fixture.id, false))
        #expect(screen.press(.character("k")) == .ignored)
    }
}
