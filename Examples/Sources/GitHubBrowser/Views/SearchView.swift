import GitHubClient
import TerminalKit

/// Draws ``SearchScreen``. Pure.
enum SearchView {
    /// What there is to see.
    struct State: Equatable {
        var field = TextField()
        var isEditing = false
        var accounts: [Account] = []
        var selection = ListSelection()
        /// What to say in place of results.
        var note = ""
    }

    /// The rows above the results.
    static let headRows = 2

    static func lines(_ state: State, in size: TerminalSize) -> [Line] {
        let label = Line(" Search ", style: state.isEditing ? .bold : .dim)
        let field = state.field.line(columns: max(size.columns - label.columns - 1, 1), isFocused: state.isEditing)
        var lines = [label + field, Line()]
        lines += state.selection.visible.filter(state.accounts.indices.contains).map { index in
            let line = row(state.accounts[index], columns: size.columns)
            return index == state.selection.selected && !state.isEditing ? line.adding(.inverse) : line
        }
        if state.accounts.isEmpty { lines.append(Line(" " + state.note, style: .dim)) }
        return lines
    }

    private static func row(_ account: Account, columns: Int) -> Line {
        let kind = account.isOrganisation ? Line("organisation", style: .dim) : Line("user", style: .dim)
        return (Line(" ") + Line(account.login).fitted(to: max(columns - 16, 8)) + "  " + kind).fitted(to: columns)
    }
}
