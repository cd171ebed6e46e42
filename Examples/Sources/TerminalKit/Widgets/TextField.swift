/// A text of one line that the user edits.
///
/// A pure value: keys in, a line to show out. The text never holds a control character, and is bounded by ``limit``.
public struct TextField: Hashable, Sendable {
    /// The text before the cursor.
    public private(set) var head: String
    /// The text from the cursor on.
    public private(set) var tail: String
    /// The most characters the text may have; more are not taken in.
    public let limit: Int

    /// Makes a field with the cursor after the text; the text is cleaned and cut like one that is pasted.
    public init(_ text: String = "", limit: Int = 1_000) {
        head = ""
        tail = ""
        self.limit = limit
        insert(text)
    }

    /// The whole text.
    public var text: String {
        head + tail
    }

    /// Inserts text before the cursor. Line breaks become spaces, control and invisible characters as in ``Line``.
    public mutating func insert(_ text: String) {
        let room = max(limit - tail.count, 0)
        head = String(DisplayText.clean(head + text).prefix(room))
    }

    /// Removes the character before the cursor, if there is one.
    public mutating func backspace() {
        _ = head.popLast()
    }

    /// Removes the character at the cursor, if there is one.
    public mutating func delete() {
        tail = String(tail.dropFirst())
    }

    /// Moves the cursor over one character to the left.
    public mutating func moveLeft() {
        if let last = head.popLast() { tail = String(last) + tail }
    }

    /// Moves the cursor over one character to the right.
    public mutating func moveRight() {
        guard let first = tail.first else { return }
        head.append(first)
        tail = String(tail.dropFirst())
    }

    /// Moves the cursor before the text.
    public mutating func moveToStart() {
        tail = text
        head = ""
    }

    /// Moves the cursor after the text.
    public mutating func moveToEnd() {
        head = text
        tail = ""
    }

    /// Removes everything before the cursor.
    public mutating func deleteToStart() {
        head = ""
    }

    /// Removes the word before the cursor, with the spaces after it.
    public mutating func deleteWord() {
        while head.last == " " { head.removeLast() }
        while let last = head.last, last != " " { head.removeLast() }
    }

    /// Removes the whole text.
    public mutating func clear() {
        head = ""
        tail = ""
    }
}

extension TextField {
    /// Does what a key means in a text field; false if it means nothing here.
    ///
    /// Besides the obvious: Ctrl-A and Ctrl-E go to the ends, Ctrl-U deletes to the start, Ctrl-W the word before.
    @discardableResult
    public mutating func handle(_ key: Key) -> Bool {
        switch key {
        case .character(let character): insert(String(character))
        case .paste(let text): insert(text)
        case .backspace: backspace()
        case .delete: delete()
        case .left: moveLeft()
        case .right: moveRight()
        case .home, .ctrl("a"): moveToStart()
        case .end, .ctrl("e"): moveToEnd()
        case .ctrl("u"): deleteToStart()
        case .ctrl("w"): deleteWord()
        default: return false
        }
        return true
    }

    /// The field in exactly `columns` columns, with the cursor as an inverse cell.
    ///
    /// A text that is too long is scrolled so that the cursor is always in view. Without the focus there is no cursor,
    /// and the beginning of the text is shown.
    public func line(columns: Int, isFocused: Bool = true, style: Style = .plain) -> Line {
        guard isFocused else { return Line(text, style: style).fitted(to: columns) }
        let cursor = Line(tail.isEmpty ? " " : String(tail.prefix(1)), style: style.adding(.inverse))
        let room = max(columns - cursor.columns, 0)
        let before = Line(Self.suffix(of: head, columns: room), style: style)
        let after = Line(String(tail.dropFirst()), style: style).prefix(columns: room - before.columns)
        return (before + cursor + after).fitted(to: columns)
    }

    private static func suffix(of text: String, columns: Int) -> String {
        var room = columns
        var start = text.endIndex
        while start > text.startIndex {
            let previous = text.index(before: start)
            room -= text[previous].terminalColumns
            if room < 0 { break }
            start = previous
        }
        return String(text[start...])
    }
}
