import TerminalKit

/// Draws the log pane. Pure.
enum LogView {
    /// The newest entries that fit, oldest first, below a title.
    static func lines(_ entries: some BidirectionalCollection<LogEntry>, rows: Int, columns: Int) -> [Line] {
        guard rows > 1 else { return [] }
        let title =
            Line("── SiestaLog ", style: .dim) + Line(String(repeating: "─", count: max(columns - 13, 0)), style: .dim)
        let shown = entries.suffix(rows - 1).map(line)
        return [title] + shown + Array(repeating: Line(), count: rows - 1 - shown.count)
    }

    private static func line(_ entry: LogEntry) -> Line {
        Line(" \(entry.kind.name) ", style: entry.kind.style).fitted(to: 9) + Line(entry.text)
    }
}

extension LogEntry.Kind {
    fileprivate var name: String {
        switch self {
        case .memory: "memory"
        case .notModified: "304"
        case .network: "network"
        case .failure: "error"
        case .request: "→"
        case .other: ""
        }
    }

    fileprivate var style: Style {
        switch self {
        case .memory: Style(foreground: .magenta)
        case .notModified: Style(foreground: .green)
        case .network: Style(foreground: .cyan)
        case .failure: Style(foreground: .red)
        case .request, .other: .dim
        }
    }
}
