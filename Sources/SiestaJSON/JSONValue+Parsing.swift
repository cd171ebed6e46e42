public import Foundation
import JSONCoding

extension JSONValue {
    /// The maximum number of nested arrays and objects in a parsed value. The value is 100. This number of levels fits
    /// on the stack of any thread.
    package static let maximumDepth = 100

    /// Parses a JSON text in UTF-8 (RFC 8259), with any value at the top level.
    ///
    /// Unlike the numbers of `JSONSerialization` and `JSONDecoder`, the parsed numbers are exact. If a name occurs more
    /// than once in an object, the last member with this name is used. A byte order mark at the start is ignored.
    /// Parsing takes time linear in the size of the text.
    ///
    /// - Throws: An error that names the reason and the position, if the bytes are not JSON, or if more than 100 arrays
    ///   and objects are nested.
    public init(parsing data: Data) throws {
        try self.init(parsing: data, maximumDepth: Self.maximumDepth)
    }

    package init(parsing data: Data, maximumDepth: Int) throws {
        var parser = JSONParser([UInt8](data), maximumDepth: maximumDepth)
        self = try parser.document()
    }

    /// Creates the JSON value that `encoder` writes for `value`.
    ///
    /// - Throws: The error of the encoder, or an error if more than 100 arrays and objects are nested.
    public init(encoding value: some Encodable, encoder: JSONEncoder = JSONEncoder()) throws {
        try self.init(parsing: JSONCoding.encode(value, with: encoder))
    }

    /// Returns the value that `decoder` reads from this JSON value.
    ///
    /// - Throws: The error of the decoder.
    public func decode<Value: Decodable>(
        as type: Value.Type = Value.self, decoder: JSONDecoder = JSONDecoder()
    ) throws -> Value {
        try JSONCoding.decode(type, from: data, with: decoder)
    }
}
