import TerminalKit
import TestKit
import Testing

@testable import GitHubBrowser

@Suite("The sign-in screen", .timeLimit(.test))
struct SignInViewTests {
    private func text(_ state: SignInView.State, _ size: TerminalSize = .standard) -> [String] {
        SignInView.lines(state, in: size).map(\.text)
    }

    @Test("lists who can sign in")
    func users() {
        let lines = text(SignInView.State(users: ["ada", "grace"]))
        #expect(lines == [" Sign in", "", " 1    ada", " 2    grace", " esc  back", " q    quit"])
    }

    @Test("tells why the user must sign in, and what else is possible")
    func expired() {
        let lines = text(SignInView.State(users: ["ada"], expiration: "The session has expired."))
        #expect(lines[2] == " The session has expired.")
        #expect(lines.contains(" esc  browse without signing in"))
    }

    @Test("fits any screen", arguments: [(24, 80), (4, 20), (1, 1)])
    func sizes(rows: Int, columns: Int) {
        let state = SignInView.State(users: ["ada"], expiration: "The session has expired.", isBusy: true)
        #expect(text(state, TerminalSize(rows: rows, columns: columns)).count <= rows)
    }
}
