import Siesta
import TerminalKit

/// The repositories that the user has starred. The list is polled, because stars may also be given elsewhere.
@MainActor
final class StarsScreen: Screen {
    let monitor = ResourceMonitor()
    private let api: GitHubAPI
    private let stars: PagedSelection<Repository>

    /// Creates the screen. The list is polled while it is on view, because only then it is observed.
    init(api: GitHubAPI) {
        self.api = api
        stars = PagedSelection(PagedResource(api.starred, next: .link), by: \.id)
        poll()
    }

    var crumbs: [String] { ["Stars"] }

    var resources: [Resource] { stars.list.resources }

    var hints: [KeyHint] { [KeyHint("⏎", "open"), .search, .back, .forward, .more, .refresh] }

    var position: String { stars.position(of: stars.items?.count) }

    /// The poll has ended with the session of the last user.
    func forgetUser() {
        poll()
    }

    private func poll() {
        api.starred.poll(every: 60, owner: self)
    }

    func showMore() { stars.list.beginLoadingNext() }

    func press(_ key: Key) -> Reaction { stars.press(key) { .repository($0.id) } }

    func body(in size: TerminalSize) -> [Line] {
        var state = AccountView.State(login: "Starred repositories", repositories: stars.items)
        state.selection = stars.rows(height: AccountView.listRows(state, in: size))
        return AccountView.lines(state, in: size)
    }
}
