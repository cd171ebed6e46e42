import GitHubClient
import GitHubFixture
import Siesta
import SiestaTesting
import TerminalKit
import TestKit
import Testing

@testable import GitHubBrowser

@Suite("The screen of changes", .timeLimit(.test))
@MainActor
struct ChangesScreenTests {
    @Test("gives the selected change up, and no other")
    func drop() async throws {
        let fixture = try Fixture(token: "secret")
        fixture.network.answer(.put, "/user/following/ada", with: .json("{}", status: 422))
        fixture.network.answer(.put, "/user/following/grace", with: .json("{}", status: 422))
        for login in ["ada", "grace"] { await fixture.api.setFollowed(true, login).request.completion() }
        let screen = ChangesScreen(ChangesModel(api: fixture.api))
        let text = { screen.body(in: .standard).map(\.text).joined(separator: "\n") }
        #expect(text().contains("/user/following/ada"))
        #expect(text().contains("/user/following/grace"))
        #expect(screen.press(.down) == .handled)
        #expect(screen.press(.character("d")) == .handled)
        while fixture.api.changes.count > 1 { await Task.yield() }
        #expect(text().contains("/user/following/ada"))
        #expect(!text().contains("/user/following/grace"))
        #expect(screen.press(.character("x")) == .ignored)
    }

    @Test("does nothing without changes")
    func empty() throws {
        let screen = ChangesScreen(ChangesModel(api: try Fixture(token: "secret").api))
        #expect(screen.press(.enter) == .handled)
        #expect(screen.press(.character("d")) == .handled)
        #expect(screen.body(in: .standard).contains { $0.text.contains("None.") })
    }
}
