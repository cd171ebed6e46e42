import Foundation
import GitHubClient
import Siesta
import TerminalKit

/// Draws ``ChangesScreen``. Pure.
enum ChangesView {
    /// What there is to see of a change.
    struct Row: Equatable {
        var method = ""
        var path = ""
        /// The body, if it is a text.
        var text = ""
        var state = Outbox.Entry.State.queued
        /// How often the change was sent.
        var attempts = 0
        /// Whether the change waits until another has ended.
        var waitsForAnother = false
    }

    static func lines(_ rows: [Row], _ selection: ListSelection, columns: Int) -> [Line] {
        let title = Line(" Changes that the server has not confirmed", style: .bold)
        guard !rows.isEmpty else { return [title, Line(), Line(" None.", style: .dim)] }
        let lines = selection.visible.filter(rows.indices.contains).map { index in
            let line = line(rows[index]).fitted(to: columns)
            return index == selection.selected ? line.adding(.inverse) : line
        }
        return [title, Line()] + lines
    }

    private static func line(_ row: Row) -> Line {
        let (state, color) = words(row)
        return Line(" ") + Line(row.method).fitted(to: 8) + Line(row.path).fitted(to: 44) + " "
            + Line(state, style: Style(foreground: color)) + Line(" " + row.text, style: .dim)
    }

    private static func words(_ row: Row) -> (String, TerminalColor) {
        switch row.state {
        case .queued where row.waitsForAnother: ("waits for the one before", .yellow)
        case .queued where row.attempts > 0: ("tried \(Words.count(row.attempts, "time"))", .yellow)
        case .queued: ("waits", .yellow)
        case .sending, .confirmed: ("is being sent", .cyan)
        case .refused(_, let message): ("refused: \(message)", .red)
        case .conflict: ("changed by somebody else", .red)
        }
    }
}

extension ChangesView.Row {
    /// The row of an entry of the outbox.
    init(_ entry: Outbox.Entry, waitsForAnother: Bool) {
        (method, state, attempts) = (entry.request.method, entry.state, entry.attempts)
        path = entry.request.url.flatMap { URL(string: $0)?.path } ?? ""
        if let data = entry.request.data { text = String(decoding: data, as: UTF8.self) }
        self.waitsForAnother = waitsForAnother
    }
}

/// Draws the question about two descriptions. Pure.
enum QuestionView {
    /// What the keys do here.
    static func hints(isMerging: Bool) -> [KeyHint] {
        isMerging
            ? [KeyHint("⏎", "save"), KeyHint("esc", "cancel"), KeyHint("^C", "quit")]
            : [KeyHint("1", "keep mine"), KeyHint("2", "keep theirs"), KeyHint("3", "merge"), KeyHint("q", "quit")]
    }

    /// The lines; `merged` is the field in which the user makes a text of both.
    static func lines(
        _ conflict: GitHubAPI.DescriptionConflict, _ merged: TextField? = nil, in size: TerminalSize
    ) -> [Line] {
        func text(_ key: String, _ name: String, _ text: String) -> [Line] {
            let title = Line(" \(key)  ", style: Style(bold: true, foreground: .cyan)) + Line(name, style: .bold)
            return [title] + Words.wrapped(text, columns: size.columns - 5, rows: 3).map { Line("    ") + $0 }
        }
        let head = Line(
            " Somebody else has changed the description of \(conflict.id.owner)/\(conflict.id.name)", style: .bold)
        let field = merged.map { [Line(), $0.line(columns: size.columns)] } ?? []
        let lines =
            [head, Line()] + text("1", "Mine", conflict.mine) + [Line()] + text("2", "Theirs", conflict.theirs) + field
        return Array(lines.prefix(size.rows))
    }
}
