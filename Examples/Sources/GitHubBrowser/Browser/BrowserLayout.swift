import TerminalKit

/// How the rows of the screen are shared out. Pure.
struct BrowserLayout: Equatable {
    let size: TerminalSize
    /// Whether there is a row for an error or a notice.
    let hasMessage: Bool
    let isLogShown: Bool

    /// The rows for the keys.
    var hintRows: Int { size.rows >= 12 ? 2 : 1 }

    /// The rows of the log with its title: about a third, but only where a screen is large enough for both.
    var logRows: Int {
        isLogShown && size.rows >= 8 ? max(size.rows / 3, 3) : 0
    }

    /// The rows between the header and what is below, at least one.
    var bodyRows: Int {
        max(size.rows - 2 - hintRows - logRows - (hasMessage ? 1 : 0), 1)
    }

    /// The lines in exactly the rows that there are for them.
    func filled(_ lines: [Line]) -> [Line] {
        Array(lines.prefix(bodyRows)) + Array(repeating: Line(), count: max(bodyRows - lines.count, 0))
    }
}
