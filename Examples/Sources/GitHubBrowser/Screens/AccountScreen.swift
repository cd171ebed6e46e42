import GitHubClient
import Siesta
import TerminalKit

/// A user or an organisation, and the list of its repositories.
@MainActor
final class AccountScreen: Screen {
    private let account: AccountModel
    private let repositories: PagedSelection<Repository>

    /// Creates the screen of an account.
    init(_ account: AccountModel) {
        self.account = account
        repositories = PagedSelection(account.repositories, by: \.id)
    }

    var model: any ScreenModel { account }

    var hints: [KeyHint] {
        let follow = KeyHint("f", account.isFollowed ? "unfollow" : "follow")
        return [KeyHint("⏎", "open"), follow, .search, .back, .forward, .more, .refresh]
    }

    var position: String { repositories.position(of: account.account.content?.publicRepos) }

    func press(_ key: Key) -> Reaction {
        guard key == .character("f") else { return repositories.press(key) { .repository($0.id) } }
        return .follow(account.login, !account.isFollowed)
    }

    func body(in size: TerminalSize) -> [Line] {
        var state = AccountView.State(
            login: account.login, account: account.account.content, repositories: account.repositories.loadedItems)
        (state.isFollowed, state.isFollowPending) = (account.isFollowed, account.isFollowPending)
        state.selection = repositories.rows(height: AccountView.listRows(state, in: size))
        return AccountView.lines(state, in: size)
    }
}
