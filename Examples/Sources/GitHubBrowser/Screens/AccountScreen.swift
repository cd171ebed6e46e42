import Siesta
import TerminalKit

/// A user or an organisation, and the list of its repositories, which grows page by page.
@MainActor
final class AccountScreen: Screen {
    let monitor = ResourceMonitor()
    private let login: String
    private let account: TypedResource<Account>
    private var chain: PageChain<Repository>
    private var selection = ListSelection()

    /// Creates the screen of an account.
    init(api: GitHubAPI, login: String) {
        self.login = login
        account = api.account(login)
        chain = PageChain(first: api.repositories(of: login))
    }

    var crumbs: [String] { [login] }

    var resources: [Resource] { [account.resource] + chain.resources }

    var hints: [KeyHint] { [KeyHint("⏎", "open"), .search, .back, .forward, .more, .refresh] }

    var position: String {
        guard let selected = selection.selected else { return "" }
        let count = account.content?.publicRepos.map { " of \($0)" } ?? ""
        return "\(selected + 1)\(count)" + (chain.hasMore ? " · n: more" : "")
    }

    func showMore() {
        if chain.hasMore { chain.wanted += 1 }
    }

    func press(_ key: Key) -> Reaction {
        let items = chain.items
        if key == .enter {
            return selection.selected.flatMap { items.indices.contains($0) ? .open(.repository(items[$0].id)) : nil }
                ?? .ignored
        }
        selection.update(count: items.count, height: selection.height)
        guard selection.handle(key) else { return .ignored }
        if selection.selected == items.count - 1 { showMore() }
        return .handled
    }

    func body(in size: TerminalSize) -> [Line] {
        let state = AccountView.State(
            login: login, account: account.content, repositories: chain.items, selection: selection,
            isEmpty: chain.first.content != nil && chain.items.isEmpty)
        selection.update(count: state.repositories.count, height: AccountView.listRows(state, in: size))
        return AccountView.lines(state.with(selection), in: size)
    }
}
