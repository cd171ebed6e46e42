import Siesta
import TerminalKit
import TestKit
import Testing

@testable import GitHubBrowser
@testable import GitHubClient

@Suite("Changes that the server has not confirmed", .timeLimit(.test))
struct ChangesViewTests {
    private func text(_ rows: [ChangesView.Row]) -> String {
        var selection = ListSelection()
        selection.update(count: rows.count, height: 10)
        return ChangesView.lines(rows, selection, columns: 100).map(\.text).joined(separator: "\n")
    }

    @Test("are listed with their states")
    func states() {
        var row = ChangesView.Row(method: "PUT", path: "/user/starred/ada/engine", text: "{}")
        #expect(text([row]).contains("PUT     /user/starred/ada/engine"))
        #expect(text([row]).contains(" waits {}"))
        row.attempts = 2
        #expect(text([row]).contains("tried 2 times"))
        row.waitsForAnother = true
        #expect(text([row]).contains("waits for the one before"))
        row.state = .sending
        #expect(text([row]).contains("is being sent"))
        row.state = .refused(status: 422, message: "Validation Failed")
        #expect(text([row]).contains("refused: Validation Failed"))
        row.state = .conflict(status: 412)
        #expect(text([row]).contains("changed by somebody else"))
        #expect(text([]).contains("None."))
    }

    @Test("are marked where they show")
    func marks() {
        let repository = Repository(
            name: "engine", owner: Repository.Owner(login: "ada"), description: "Computes", defaultBranch: "main",
            archived: false, fork: false, forksCount: 1, openIssuesCount: 2, stargazersCount: 7)
        var state = RepositoryView.State(id: repository.id, repository: repository, isStarred: true)
        let text = { (state: RepositoryView.State) in
            RepositoryView.lines(state, in: .standard).map(\.text).joined(separator: "\n")
        }
        #expect(!text(state).contains("saving"))
        state.isStarPending = true
        #expect(text(state).contains("★ 7 saving"))
        state.isDescriptionPending = true
        #expect(text(state).contains("Computes saving"))
        state.field = TextField("Computes more")
        #expect(text(state).contains("Computes more"))
        let account = AccountView.State(login: "ada", isFollowed: true, isFollowPending: true)
        #expect(AccountView.lines(account, in: .standard).first?.text.contains("✓ followed saving") == true)
    }

    @Test("are a question with both texts, on any screen", arguments: [(24, 80), (8, 30), (2, 20), (1, 1)])
    func question(rows: Int, columns: Int) {
        let conflict = GitHubAPI.DescriptionConflict(
            id: Repository.ID(owner: "ada", name: "engine"), mine: "My text", theirs: "Their text")
        let size = TerminalSize(rows: rows, columns: columns)
        let lines = QuestionView.lines(conflict, TextField("Our text"), in: size)
        #expect(lines.count <= rows)
        guard rows == 24 else { return }
        let text = lines.map(\.text).joined(separator: "\n")
        for part in ["ada/engine", "My text", "Their text", "Our text"] { #expect(text.contains(part)) }
    }
}
