/// Rows of text in columns, printed for a terminal or as Markdown.
public struct Table: Sendable {
    /// One column: its head, its width in characters and the side that its texts keep to.
    public struct Column: Sendable {
        let title: String
        let width: Int
        let isNumeric: Bool

        /// A column of texts, which keep to the left.
        public static func text(_ title: String, _ width: Int) -> Column {
            Column(title: title, width: width, isNumeric: false)
        }

        /// A column of numbers, which keep to the right.
        public static func number(_ title: String, _ width: Int) -> Column {
            Column(title: title, width: width, isNumeric: true)
        }
    }

    private let columns: [Column]

    /// Creates a table with these columns.
    public init(_ columns: [Column]) {
        self.columns = columns
    }

    /// The head and the line below it.
    public var head: String {
        line(columns.map(\.title)) + "\n"
            + columns.map { String(repeating: "─", count: $0.width) }.joined(separator: " ")
    }

    /// One row; a text longer than its column moves the ones after it.
    public func line(_ cells: [String]) -> String {
        let padded = zip(columns, cells).map { column, cell in
            let space = String(repeating: " ", count: max(0, column.width - cell.count))
            return column.isNumeric ? space + cell : cell + space
        }
        return String(padded.joined(separator: " ").reversed().drop { $0 == " " }.reversed())
    }

    /// The same rows as a Markdown table.
    public func markdown(_ rows: [[String]]) -> String {
        let lines = [columns.map(\.title), columns.map { $0.isNumeric ? "---:" : "---" }] + rows
        return lines.map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
    }
}
