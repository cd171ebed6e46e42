import GitHubClient
import TerminalKit

/// Finds users and organisations while their names are typed.
@MainActor
final class SearchScreen: Screen {
    private let search: SearchModel
    private var field: TextField
    private var selection: PagedSelection<Account>?
    private(set) var isEditing: Bool

    /// Creates a screen with the text of the model in its field.
    init(_ search: SearchModel) {
        self.search = search
        field = TextField(search.text, limit: 100)
        isEditing = search.text.isEmpty
    }

    var model: any ScreenModel { search }

    var hints: [KeyHint] {
        guard isEditing else { return [KeyHint("⏎", "open"), KeyHint("/", "edit"), .back, .forward, .more, .refresh] }
        let escape = KeyHint("esc", isFound ? "results" : "back")
        return [KeyHint("⏎", "results"), KeyHint("↓", "results"), escape, KeyHint("^C", "quit")]
    }

    var position: String { results?.position(of: search.total) ?? "" }

    /// Puts the cursor into the field.
    func edit() {
        isEditing = true
    }

    func press(_ key: Key) -> Reaction {
        isEditing ? type(key) : choose(key)
    }

    func body(in size: TerminalSize) -> [Line] {
        let rows = results?.rows(height: max(size.rows - SearchView.headRows, 1)) ?? ListSelection()
        return SearchView.lines(
            SearchView.State(
                field: field, isEditing: isEditing, accounts: results?.model.loadedItems ?? [], selection: rows,
                note: search.note),
            in: size)
    }

    private var isFound: Bool { search.results?.loadedItems?.isEmpty == false }

    /// The list on view, with its selected row.
    private var results: PagedSelection<Account>? {
        let list = search.results
        if selection?.model !== list { selection = list.map { PagedSelection($0, by: \.id) } }
        return selection
    }

    private func type(_ key: Key) -> Reaction {
        switch key {
        case .enter, .down, .tab:
            search.searchNow()
            isEditing = false
        case .escape:
            guard isFound else { return .ignored }
            isEditing = false
        default:
            guard field.handle(key) else { return .ignored }
        }
        search.text = field.text
        return .handled
    }

    private func choose(_ key: Key) -> Reaction {
        guard key == .up, results?.rows().selected ?? 0 == 0 else {
            return results?.press(key) { .account($0.login) } ?? .ignored
        }
        isEditing = true
        return .handled
    }
}
