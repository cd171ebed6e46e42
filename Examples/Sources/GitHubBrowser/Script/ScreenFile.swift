/// The screens after the steps of a script, as a text that people can read and compare.
struct ScreenFile: Equatable, Sendable {
    private struct Entry: Equatable {
        let title: String
        let screen: String
    }

    /// The line after each screen.
    private static let end = "\n\u{0C}\n"

    private var entries: [Entry] = []
    /// The number of entries that were compared.
    private var position = 0

    /// No screens.
    init() {}

    /// Reads the text of a file.
    init(text: String) {
        entries = text.split(separator: Self.end).map { block in
            let title = block.prefix { $0 != "\n" }
            return Entry(title: String(title), screen: String(block[title.endIndex...].dropFirst()))
        }
    }

    /// The text of the file.
    var text: String { entries.map { "\($0.title)\n\($0.screen)\(Self.end)" }.joined() }

    /// The titles of the steps that were not compared yet.
    var rest: [String] { entries.dropFirst(position).map(\.title) }

    /// Adds the screen after a step.
    mutating func append(_ screen: String, after title: String) {
        entries.append(Entry(title: title, screen: screen))
    }

    /// Compares a screen with that of the next step. Returns the rows that differ; nil if there are none.
    mutating func difference(from screen: String, after title: String) -> String? {
        guard position < entries.count, entries[position].title == title else {
            return "the recording has another step here: \(rest.first ?? "none")"
        }
        let recorded = entries[position].screen.split(separator: "\n", omittingEmptySubsequences: false)
        let shown = screen.split(separator: "\n", omittingEmptySubsequences: false)
        position += 1
        guard recorded != shown else { return nil }
        let rows = (0..<max(recorded.count, shown.count)).filter { row in
            let (old, new) = (recorded.dropFirst(row).first, shown.dropFirst(row).first)
            return old != new
        }
        let lines = rows.map { row in
            "row \(row + 1): expected “\(recorded.dropFirst(row).first ?? "")”, got “\(shown.dropFirst(row).first ?? "")”"
        }
        return "the screen differs from the recorded one\n" + lines.joined(separator: "\n")
    }
}
