public import SiestaUI

/// A row with the message of a status, in the same words as in any other user interface.
public struct StatusLine: Hashable, Sendable {
    private let sign: String
    private let style: Style
    private let text: String
    private let end: String

    /// Creates a row.
    ///
    /// - Parameter advice: Words after the message, for example a key that helps. They stay if the row is too long.
    public init(_ message: StatusMessage, advice: String = "") {
        let isFailure = message.kind == .failure
        sign = isFailure ? "✗" : "↻"
        style = isFailure ? Style(bold: true, foreground: .red) : Style(foreground: .yellow)
        var start = message
        start.countdown = ""
        text = start.line
        end = [message.countdown, advice].filter { !$0.isEmpty }.map { " · \($0)" }.joined()
    }

    /// The row in at most `columns` columns, if the end fits. A message that is too long is cut before the countdown and the
    /// advice.
    public func line(columns: Int) -> Line {
        let message = Line(" \(sign) \(text)", style: style)
        let end = Line(end)
        let room = columns - end.columns
        return (message.columns > room ? message.fitted(to: room) : message) + end
    }
}
