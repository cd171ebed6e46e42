extension Line {
    /// A piece of a line in one style.
    ///
    /// Made by ``Line`` only, from text that went through ``DisplayText``; that is what keeps control characters away
    /// from the terminal.
    public struct Span: Hashable, Sendable {
        /// The text, safe to show.
        public let text: String
        /// How it looks.
        public let style: Style
        /// The columns it takes.
        public let columns: Int

        init(_ text: String, style: Style) {
            let text = DisplayText.clean(text)
            self.init(clean: text, style: style, columns: text.terminalColumns)
        }

        private init(clean text: String, style: Style, columns: Int) {
            self.text = text
            self.style = style
            self.columns = columns
        }
    }
}

extension Line.Span {
    static func blank(_ columns: Int) -> Line.Span {
        Line.Span(clean: String(repeating: " ", count: columns), style: .plain, columns: columns)
    }

    func adding(_ style: Style) -> Line.Span {
        Line.Span(clean: text, style: self.style.adding(style), columns: columns)
    }

    /// The text up to a column, and the rest.
    ///
    /// A wide character across the column belongs to neither: the head is a column short, and the tail begins with
    /// a space, so that what follows it stays where it was.
    func split(atColumn column: Int) -> (head: Line.Span, tail: Line.Span) {
        var head = 0
        var index = text.startIndex
        while index < text.endIndex {
            let width = text[index].terminalColumns
            if head + width > column { break }
            head += width
            text.formIndex(after: &index)
        }
        return (Line.Span(clean: String(text[..<index]), style: style, columns: head), tail(from: index, head, column))
    }

    private func tail(from index: String.Index, _ head: Int, _ column: Int) -> Line.Span {
        guard head < column, index < text.endIndex else {
            return Line.Span(clean: String(text[index...]), style: style, columns: columns - head)
        }
        let gap = head + text[index].terminalColumns - column
        let rest = String(repeating: " ", count: gap) + text[index...].dropFirst()
        return Line.Span(clean: rest, style: style, columns: columns - column)
    }
}
