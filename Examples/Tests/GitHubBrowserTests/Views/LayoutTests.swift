import Siesta
import TerminalKit
import TestKit
import Testing

@testable import GitHubBrowser
@testable import GitHubClient

@Suite("Views", .timeLimit(.test))
struct LayoutTests {
    private static let sizes = [(24, 80), (12, 40), (8, 30), (4, 20), (1, 1), (60, 200)].map {
        TerminalSize(rows: $0, columns: $1)
    }

    private static let repository = Repository(
        name: "engine", owner: Repository.Owner(login: "ada"), description: String(repeating: "very long ", count: 60),
        topics: ["steam"], defaultBranch: "main", archived: true, fork: true, forksCount: 1, openIssuesCount: 2,
        stargazersCount: 1_234_567)

    @Test("of an account fit any screen", arguments: sizes)
    func account(size: TerminalSize) {
        var state = AccountView.State(login: "ada", repositories: Array(repeating: Self.repository, count: 100))
        state.selection.update(count: 100, height: AccountView.listRows(state, in: size))
        state.selection.end()
        let lines = AccountView.lines(state, in: size)
        #expect(lines.count <= size.rows)
        #expect(lines.last?.spans.contains { $0.style.isInverse } == true)
    }

    @Test("of a feed fit any screen, and keep the selected change in view", arguments: sizes)
    func feed(size: TerminalSize) {
        let event = FeedEvent(id: 1, actor: "ada", action: "starred", subject: "ada/engine")
        var state = FeedView.State(id: Self.repository.id, stars: 7, events: Array(repeating: event, count: 100))
        state.selection.update(count: 100, height: max(size.rows - FeedView.headRows, 1))
        state.selection.end()
        let lines = FeedView.lines(state, in: size)
        #expect(lines.count <= size.rows)
        #expect(size.rows <= FeedView.headRows || lines.last?.spans.contains { $0.style.isInverse } == true)
    }

    @Test("of a repository fit any screen, and keep the selected contributor in view", arguments: sizes)
    func repository(size: TerminalSize) {
        let people = (0..<50).map { Contributor(login: "person-\($0)", contributions: $0) }
        let state = RepositoryView.State(
            id: Self.repository.id, repository: Self.repository, languages: [Language(name: "C", share: 1)],
            contributors: people, selected: 40)
        let lines = RepositoryView.lines(state, in: size)
        #expect(lines.count <= size.rows)
        #expect(lines.contains { $0.spans.contains { $0.style.isInverse } })
    }

    @Test("of keys show as many as fit, whole")
    func hints() {
        let hints = [KeyHint("a", "first"), KeyHint("b", "second"), KeyHint("c", "3")]
        #expect(KeyHint.lines(hints, rows: 1, columns: 13).map(\.text) == [" a first  c 3"])
        #expect(KeyHint.lines(hints, rows: 2, columns: 13).map(\.text) == [" a first", " b second"])
        #expect(KeyHint.lines(hints, rows: 2, columns: 80).map(\.text) == [" a first  b second  c 3", ""])
    }

    @Test("share out all rows of the screen", arguments: sizes)
    func rows(size: TerminalSize) {
        for hasMessage in [true, false] {
            for isLogShown in [true, false] {
                let layout = BrowserLayout(size: size, hasMessage: hasMessage, isLogShown: isLogShown)
                let used = 2 + layout.bodyRows + layout.logRows + layout.hintRows + (hasMessage ? 1 : 0)
                #expect(used == size.rows || size.rows < 6)
                #expect(layout.filled([]).count == layout.bodyRows)
            }
        }
    }
}
