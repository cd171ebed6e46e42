import TerminalKit

/// A key, and what it does, in a word.
struct KeyHint: Hashable, Sendable {
    let key: String
    let label: String

    init(_ key: String, _ label: String) {
        (self.key, self.label) = (key, label)
    }

    static let search = KeyHint("/", "search")
    static let back = KeyHint("←", "back")
    static let forward = KeyHint("→", "forward")
    static let more = KeyHint("n", "more")
    static let refresh = KeyHint("r", "refresh")

    /// The hint as it stands in a row.
    var line: Line {
        Line(key, style: Style(bold: true, foreground: .cyan)) + Line(" \(label)", style: .dim)
    }

    /// As many hints as fit into the rows, in their order; none is cut.
    static func lines(_ hints: [KeyHint], rows: Int, columns: Int) -> [Line] {
        var lines = [Line()]
        for hint in hints.map(\.line) {
            let room = columns - lines[lines.count - 1].columns
            if room < hint.columns + 2 {
                guard lines.count < rows else { continue }
                lines.append(Line())
            }
            lines[lines.count - 1] += (lines[lines.count - 1].columns == 0 ? " " : "  ") + hint
        }
        return lines + Array(repeating: Line(), count: max(0, rows - lines.count))
    }
}
