/// A line of text about the live updates of data. The line asks for no action.
public struct LiveLine: Sendable, Equatable {
    /// The kind of a line, from which a view chooses a color or a mark.
    public enum Kind: Sendable, Equatable {
        /// The server reports each change of the data at once.
        case live
        /// The connection was lost, and will be opened again.
        case reconnecting
        /// There is no connection, and no further attempt is planned.
        case notLive
    }

    /// The kind of the line.
    public var kind: Kind
    /// The text to show: one or two words, such as *Live*.
    public var text: String

    /// Creates a line.
    public init(kind: Kind, text: String) {
        (self.kind, self.text) = (kind, text)
    }
}
