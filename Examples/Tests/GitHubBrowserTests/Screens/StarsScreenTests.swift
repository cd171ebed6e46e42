import GitHubClient
import GitHubFixture
import Siesta
import SiestaTesting
import TerminalKit
import TestKit
import Testing

@testable import GitHubBrowser

@Suite("The screen of the starred repositories", .timeLimit(.test))
@MainActor
struct StarsScreenTests {
    @Test("opens the selected repository")
    func open() async throws {
        let fixture = try Fixture(token: "secret")
        fixture.network.answer(.get, "/user/starred?per_page=30", with: Fixture.page("engine"))
        let screen = StarsScreen(StarsModel(api: fixture.api))
        screen.model.appear()
        await fixture.api.starred.resource.loadIfNeeded()?.completion()
        _ = screen.body(in: .standard)
        #expect(screen.press(.enter) == .open(.repository(Fixture.id)))
    }
}
