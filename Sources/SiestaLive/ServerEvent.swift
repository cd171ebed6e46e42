public import Foundation
import SiestaCore

/// One event of a stream of server-sent events (WHATWG HTML §9.2).
public struct ServerEvent: Sendable, Hashable {
    /// The type that the server has given to the event: `message` if it has given none.
    public var type: String

    /// The data: the lines of all `data` fields, separated by LF.
    public var data: String

    /// The last identifier that the stream had sent up to this event; empty if it had sent none.
    public var id: String

    /// Creates an event, for example for a test.
    public init(type: String = "message", data: String, id: String = "") {
        (self.type, self.data, self.id) = (type, data, id)
    }

    /// Returns the value that a decoder reads from ``data``.
    ///
    /// - Throws: The error of the decoder.
    public func decoded<Value: Decodable>(
        as type: Value.Type = Value.self, decoder: JSONDecoder = JSONDecoder()
    ) throws -> Value {
        try decoder.decode(type, from: Data(data.utf8))
    }
}
