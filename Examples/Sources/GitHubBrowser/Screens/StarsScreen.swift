import GitHubClient
import TerminalKit

/// The repositories that the user has starred.
@MainActor
final class StarsScreen: Screen {
    let model: any ScreenModel
    private let stars: PagedSelection<Repository>

    /// Creates the screen.
    init(_ stars: StarsModel) {
        model = stars
        self.stars = PagedSelection(stars.stars, by: \.id)
    }

    var hints: [KeyHint] { [KeyHint("⏎", "open"), .search, .back, .forward, .more, .refresh] }

    var position: String { stars.position(of: stars.model.loadedItems?.count) }

    func press(_ key: Key) -> Reaction { stars.press(key) { .repository($0.id) } }

    func body(in size: TerminalSize) -> [Line] {
        var state = AccountView.State(login: "Starred repositories", repositories: stars.model.loadedItems)
        state.selection = stars.rows(height: AccountView.listRows(state, in: size))
        return AccountView.lines(state, in: size)
    }
}
