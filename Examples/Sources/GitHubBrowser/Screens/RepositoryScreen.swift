import GitHubClient
import Siesta
import SiestaUI
import TerminalKit

/// A repository with its languages and contributors.
@MainActor
final class RepositoryScreen: Screen {
    private let repository: RepositoryModel
    private let contributors: PagedSelection<Contributor>

    /// Creates the screen of a repository.
    init(_ repository: RepositoryModel) {
        self.repository = repository
        contributors = PagedSelection(repository.contributors, by: \.self)
    }

    var model: any ScreenModel { repository }

    var hints: [KeyHint] {
        let star = KeyHint("s", repository.isStarred ? "unstar" : "star")
        return [star, KeyHint("⏎", "contributor"), .search, .back, .forward, .refresh]
    }

    var position: String {
        contributors.model.loadedItems != nil && contributors.model.list.hasNext ? "n: more contributors" : ""
    }

    func press(_ key: Key) -> Reaction {
        guard key == .character("s") else { return contributors.press(key) { $0.login.map(Place.account) } }
        return repository.isBusy ? .handled : .star(repository.id, !repository.isStarred)
    }

    func body(in size: TerminalSize) -> [Line] {
        RepositoryView.lines(
            RepositoryView.State(
                id: repository.id, repository: repository.repository.content, isStarred: repository.isStarred,
                isStarPending: repository.isStarPending, languages: repository.languages.content,
                contributors: contributors.model.loadedItems, selected: contributors.rows(height: size.rows).selected),
            in: size)
    }
}
