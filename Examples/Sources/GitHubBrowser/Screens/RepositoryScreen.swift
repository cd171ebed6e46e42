import GitHubClient
import Siesta
import SiestaUI
import TerminalKit

/// A repository with its languages and contributors.
@MainActor
final class RepositoryScreen: Screen {
    /// The most characters of a description that can be typed. The server takes fewer.
    static let limit = 500

    private let repository: RepositoryModel
    private let contributors: PagedSelection<Contributor>
    private var field: TextField?

    /// Creates the screen of a repository.
    init(_ repository: RepositoryModel) {
        self.repository = repository
        contributors = PagedSelection(repository.contributors, by: \.self)
    }

    var model: any ScreenModel { repository }

    var isEditing: Bool { field != nil }

    var hints: [KeyHint] {
        guard !isEditing else { return [KeyHint("⏎", "save"), KeyHint("esc", "cancel"), KeyHint("^C", "quit")] }
        let star = KeyHint("s", repository.isStarred ? "unstar" : "star")
        return [star, KeyHint("e", "edit"), KeyHint("⏎", "contributor"), .search, .back, .forward, .refresh]
    }

    var position: String {
        contributors.model.loadedItems != nil && contributors.model.list.hasNext ? "n: more contributors" : ""
    }

    func press(_ key: Key) -> Reaction {
        if isEditing { return type(key) }
        switch key {
        case .character("s"): return .star(repository.id, !repository.isStarred)
        case .character("e"):
            field = repository.repository.content.map { TextField($0.description ?? "", limit: Self.limit) }
            return .handled
        default: return contributors.press(key) { $0.login.map(Place.account) }
        }
    }

    private func type(_ key: Key) -> Reaction {
        switch key {
        case .escape: field = nil
        case .enter:
            let text = field?.text ?? ""
            field = nil
            return .describe(repository.id, text)
        default:
            if field?.handle(key) != true { return .ignored }
        }
        return .handled
    }

    func body(in size: TerminalSize) -> [Line] {
        RepositoryView.lines(
            RepositoryView.State(
                id: repository.id, repository: repository.repository.content, isStarred: repository.isStarred,
                isStarPending: repository.isStarPending, isDescriptionPending: repository.isDescriptionPending,
                field: field, languages: repository.languages.content,
                contributors: contributors.model.loadedItems, selected: contributors.rows(height: size.rows).selected),
            in: size)
    }
}
