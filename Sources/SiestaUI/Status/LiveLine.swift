/// A line of text that tells the user whether the content receives live updates.
public struct LiveLine: Sendable, Equatable {
    /// The kind of a line. A view can choose a color or an icon for each kind.
    public enum Kind: Sendable, Equatable {
        /// The server reports each change to the data at once.
        case live
        /// The connection was lost, and will be opened again.
        case reconnecting
        /// There is no connection, and no further attempt to connect is planned.
        case notLive
    }

    /// The kind of the line.
    public var kind: Kind
    /// The text to show: one or two words, such as *Live*.
    public var text: String

    /// Creates a line from its kind and its text.
    public init(kind: Kind, text: String) {
        (self.kind, self.text) = (kind, text)
    }
}
