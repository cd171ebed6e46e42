public import Foundation
import HTTPRules
import JSONCoding
import SiestaCore

/// One event of a stream of server-sent events (WHATWG HTML §9.2).
public struct ServerEvent: Sendable, Equatable {
    /// The type of the event; `message` if the server has sent no type. If the type contains more than 30 combining
    /// marks in a row, its bytes are read as Latin-1, because comparing such strings is extremely slow.
    public var type: String

    /// The data of the event: the values of all `data` fields, separated by LF.
    public var data: String

    /// The most recent identifier in the stream, up to and including this event; empty if there was none.
    public var id: String

    /// Creates an event, for example for a test.
    public init(type: String = "message", data: String, id: String = "") {
        (self.type, self.data, self.id) = (type, data, id)
    }

    /// Returns true if the types, the data and the identifiers are equal. Strings with more than 30 combining marks in a
    /// row are compared by their bytes, because `String` would take quadratic time for them.
    public static func == (left: ServerEvent, right: ServerEvent) -> Bool {
        StreamSafety.areEqual(left.type, right.type) && StreamSafety.areEqual(left.data, right.data)
            && StreamSafety.areEqual(left.id, right.id)
    }

    /// Decodes a value from ``data`` with a JSON decoder.
    ///
    /// - Throws: The error of the decoder.
    public func decoded<Value: Decodable>(
        as type: Value.Type = Value.self, decoder: JSONDecoder = JSONDecoder()
    ) throws -> Value {
        try JSONCoding.decode(type, from: Data(data.utf8), with: decoder)
    }
}
