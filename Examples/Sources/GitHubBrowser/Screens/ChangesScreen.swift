import GitHubClient
import Siesta
import TerminalKit

/// The changes that the server has not confirmed.
@MainActor
final class ChangesScreen: Screen {
    private let changes: ChangesModel
    private var selection = ListSelection()

    /// Creates the screen.
    init(_ changes: ChangesModel) {
        self.changes = changes
    }

    var model: any ScreenModel { changes }

    var hints: [KeyHint] { [KeyHint("⏎", "send again"), KeyHint("d", "give up"), .back, .forward, .refresh] }

    var position: String { "" }

    func press(_ key: Key) -> Reaction {
        let entries = changes.entries
        selection.update(count: entries.count, height: selection.height)
        let selected = selection.selected.map { entries[$0] }
        switch key {
        case .enter: selected.map(changes.retry)
        case .character("d"): selected.map(changes.drop)
        default: return selection.handle(key) ? .handled : .ignored
        }
        return .handled
    }

    func body(in size: TerminalSize) -> [Line] {
        let entries = changes.entries
        selection.update(count: entries.count, height: max(size.rows - 2, 1))
        let rows = entries.map { ChangesView.Row($0, waitsForAnother: changes.waitsForAnother($0)) }
        return ChangesView.lines(rows, selection, columns: size.columns)
    }
}
