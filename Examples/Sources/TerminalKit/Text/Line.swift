/// One row of styled text, safe to show whatever it was made from.
///
/// A line takes any string, from the network or the user, and cleans it when it is made: no control character, and
/// nothing that reorders or hides text, gets through. It is the only text that ``Frame`` and ``Terminal`` accept, and
/// they alone write escape sequences, so nobody has to remember to clean anything.
///
/// ```swift
/// let row = Line(" \(name) ", style: .bold) + Line(count, style: .dim)
/// frame[3] = row.fitted(to: frame.size.columns).adding(.inverse)
/// ```
public struct Line: Hashable, Sendable {
    /// The pieces, from left to right; none is empty.
    public private(set) var spans: [Span]

    /// The columns the line takes.
    public private(set) var columns: Int

    /// Makes an empty line.
    public init() {
        spans = []
        columns = 0
    }

    /// Makes a line of one text in one style; linear in the length of the text.
    ///
    /// Line breaks and tabs become spaces, other control characters become U+FFFD, invisible characters are left out.
    public init(_ text: String, style: Style = .plain) {
        self.init([Span(text, style: style)])
    }

    init(_ spans: some Sequence<Span>) {
        self.spans = spans.filter { !$0.text.isEmpty }
        columns = self.spans.reduce(0) { $0 + $1.columns }
    }

    /// The text without its styles.
    public var text: String {
        spans.map(\.text).joined()
    }

    /// The same line with more style on every piece, see ``Style/adding(_:)``.
    public func adding(_ style: Style) -> Line {
        Line(spans.map { $0.adding(style) })
    }

    /// One line after the other.
    public static func + (left: Line, right: Line) -> Line {
        Line(left.spans + right.spans)
    }

    /// Appends a line.
    public static func += (left: inout Line, right: Line) {
        left.spans += right.spans
        left.columns += right.columns
    }
}

extension Line: ExpressibleByStringInterpolation {
    /// Makes a plain line; what is interpolated is cleaned like any other text.
    public init(stringLiteral value: String) {
        self.init(value)
    }
}
