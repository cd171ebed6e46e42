/// A quiet line about data that follows the server, ready to show. It needs no reaction of a person.
public struct LiveLine: Sendable, Equatable {
    /// The kind of a line, by which a view chooses a colour or a mark.
    public enum Kind: Sendable, Equatable {
        /// The server reports each change of the data at once.
        case live
        /// The connection was lost, and will be opened again.
        case reconnecting
        /// There is no connection, and no attempt to open one is planned.
        case notLive
    }

    /// The kind of the line.
    public var kind: Kind
    /// One or two words.
    public var text: String

    /// Creates a line.
    public init(kind: Kind, text: String) {
        (self.kind, self.text) = (kind, text)
    }
}
