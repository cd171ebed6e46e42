import GitHubClient
import TerminalKit

/// Draws ``FeedScreen``. Pure.
enum FeedView {
    /// The content of the screen; nil for a part that is not loaded yet.
    struct State: Equatable {
        var id: Repository.ID
        var stars: Int?
        var isStarred = false
        var events: [FeedEvent]?
        var selection = ListSelection()
    }

    /// The number of rows above the list.
    static let headRows = 4

    static func lines(_ state: State, in size: TerminalSize) -> [Line] {
        let mark = Line(state.isStarred ? " ★ " : " ☆ ", style: Style(bold: state.isStarred, foreground: .yellow))
        let stars = mark + Line(state.stars.map(Words.count) ?? "…")
        let name = Line(" \(state.id.owner)/", style: .dim) + Line(state.id.name, style: .bold)
        let head = [name + stars, Line(), Line(" Changes by all users", style: .bold), Line()]
        guard let events = state.events, !events.isEmpty else {
            let note = Line(state.events == nil ? " …" : " None yet.", style: .dim)
            return Array((head + [note]).prefix(size.rows))
        }
        let rows = state.selection.visible.filter(events.indices.contains).map { index in
            let line = row(events[index]).fitted(to: size.columns)
            return index == state.selection.selected ? line.adding(.inverse) : line
        }
        return Array((head + rows).prefix(size.rows))
    }

    private static func row(_ event: FeedEvent) -> Line {
        Line(" \(event.actor)", style: Style(foreground: .cyan)) + Line(" \(event.action) \(event.subject)")
    }
}
