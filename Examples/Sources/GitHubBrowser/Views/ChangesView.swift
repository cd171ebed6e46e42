import Foundation
import GitHubClient
import Siesta
import TerminalKit

/// Draws ``ChangesScreen``. Pure.
enum ChangesView {
    static func lines(_ entries: [OutboxEntry], _ selection: ListSelection, columns: Int) -> [Line] {
        let title = Line(" Changes that the server has not confirmed", style: .bold)
        guard !entries.isEmpty else { return [title, Line(), Line(" None.", style: .dim)] }
        let rows = selection.visible.filter(entries.indices.contains).map { index in
            let line = row(entries[index]).fitted(to: columns)
            return index == selection.selected ? line.adding(.inverse) : line
        }
        return [title, Line()] + rows
    }

    private static func row(_ entry: OutboxEntry) -> Line {
        let (state, color) = words(entry)
        return Line(" ") + Line(entry.request.method).fitted(to: 8)
            + Line(entry.request.address.url.flatMap { URL(string: $0)?.path } ?? "").fitted(to: 44) + " "
            + Line(state, style: Style(foreground: color))
    }

    private static func words(_ entry: OutboxEntry) -> (String, TerminalColor) {
        switch entry.state {
        case .queued where entry.attempts > 0: ("tried \(Words.count(entry.attempts, "time"))", .yellow)
        case .queued: ("waits", .yellow)
        case .sending, .confirmed: ("is being sent", .cyan)
        case .refused(_, let message): ("refused: \(message)", .red)
        case .conflict: ("changed by somebody else", .red)
        }
    }
}

/// Draws the question about two descriptions. Pure.
enum QuestionView {
    /// What the keys do here.
    static let hints = [KeyHint("1", "keep mine"), KeyHint("2", "keep theirs")]

    static func lines(_ conflict: GitHubAPI.DescriptionConflict, in size: TerminalSize) -> [Line] {
        func text(_ key: String, _ name: String, _ text: String) -> [Line] {
            let title = Line(" \(key)  ", style: Style(bold: true, foreground: .cyan)) + Line(name, style: .bold)
            return [title] + Words.wrapped(text, columns: size.columns - 5, rows: 3).map { Line("    ") + $0 }
        }
        let head = Line(
            " Somebody else has changed the description of \(conflict.id.owner)/\(conflict.id.name)", style: .bold)
        let lines = [head, Line()] + text("1", "Mine", conflict.mine) + [Line()] + text("2", "Theirs", conflict.theirs)
        return Array(lines.prefix(size.rows))
    }
}
