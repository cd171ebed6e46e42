import Siesta
import TerminalKit

/// A user or an organisation, and the list of its repositories, which grows page by page.
@MainActor
final class AccountScreen: Screen {
    let monitor = ResourceMonitor()
    private let login: String
    private let account: TypedResource<Account>
    private let repositories: PagedSelection<Repository>

    /// Creates the screen of an account. It keeps no more than three pages; the others can be loaded again.
    init(api: GitHubAPI, login: String) {
        self.login = login
        account = api.account(login)
        repositories = PagedSelection(
            PagedResource(api.repositories(of: login), next: .link, maxPages: 3), by: \.id)
    }

    var crumbs: [String] { [login] }

    var resources: [Resource] { [account.resource] + repositories.list.resources }

    var hints: [KeyHint] { [KeyHint("⏎", "open"), .search, .back, .forward, .more, .refresh] }

    var position: String { repositories.position(of: account.content?.publicRepos) }

    func showMore() { repositories.list.beginLoadingNext() }

    func press(_ key: Key) -> Reaction { repositories.press(key) { .repository($0.id) } }

    func body(in size: TerminalSize) -> [Line] {
        var state = AccountView.State(login: login, account: account.content, repositories: repositories.items)
        state.selection = repositories.rows(height: AccountView.listRows(state, in: size))
        return AccountView.lines(state, in: size)
    }
}
