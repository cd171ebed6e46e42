import Siesta
import TerminalKit

/// The repositories that the user has starred. The list is polled, because stars may also be given elsewhere.
@MainActor
final class StarsScreen: Screen {
    let monitor = ResourceMonitor()
    private var chain: PageChain<Repository>
    private let api: GitHubAPI
    private var selection = ListSelection()

    /// Creates the screen. The list is polled while it is on view, because only then it is observed.
    init(api: GitHubAPI) {
        self.api = api
        chain = PageChain(first: api.starred)
        poll()
    }

    var crumbs: [String] { ["Stars"] }

    var resources: [Resource] { chain.resources }

    var hints: [KeyHint] { [KeyHint("⏎", "open"), .search, .back, .forward, .more, .refresh] }

    var position: String {
        selection.selected.map { "\($0 + 1) of \(chain.items.count)" + (chain.hasMore ? " · n: more" : "") } ?? ""
    }

    /// The poll has ended with the session of the last user.
    func forgetUser() {
        chain.wanted = 1
        poll()
    }

    private func poll() {
        api.starred.poll(every: 60, owner: self)
    }

    func showMore() {
        if chain.hasMore { chain.wanted += 1 }
    }

    func press(_ key: Key) -> Reaction {
        let items = chain.items
        selection.update(count: items.count, height: selection.height)
        if key == .enter { return selection.selected.map { .open(.repository(items[$0].id)) } ?? .ignored }
        guard selection.handle(key) else { return .ignored }
        if selection.selected == items.count - 1 { showMore() }
        return .handled
    }

    func body(in size: TerminalSize) -> [Line] {
        selection.update(count: chain.items.count, height: AccountView.listRows(state, in: size))
        return AccountView.lines(state, in: size)
    }

    private var state: AccountView.State {
        AccountView.State(
            login: "Starred repositories", repositories: chain.items, selection: selection,
            isEmpty: chain.first.content != nil && chain.items.isEmpty)
    }
}
