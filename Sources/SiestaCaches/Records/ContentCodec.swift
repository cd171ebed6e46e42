public import Foundation
import JSONCoding

/// A *coding*, which converts the content of a pipeline stage to bytes and back.
///
/// Choose a coding that fits the stage's output: ``data`` for raw data, ``codable(_:encoder:decoder:)`` for a model.
/// The cache calls the coding off the main thread.
public struct ContentCodec: Sendable {
    /// The name of the coding. The name is part of the records' keys, because several stages may keep entities of one
    /// resource in the same storage.
    public let name: String
    let encode: @Sendable (Any) throws -> Data
    let decode: @Sendable (Data) throws -> Any
    /// Returns true if content may have been encoded by this coding.
    let fits: @Sendable (Any) -> Bool

    /// The error for content of a type that the coding does not accept.
    package struct UnexpectedContent: LocalizedError, Sendable {
        /// The type that the coding accepts.
        package let expected: String
        /// The type of the content.
        package let actual: String

        /// A description that names both types.
        package var errorDescription: String? {
            "This cache keeps content of type \(expected); the content has type \(actual)"
        }
    }

    /// Creates a coding for content of type `Content`. Encoding any other content throws an error.
    public init<Content: Sendable>(
        name: String, encode: @escaping @Sendable (Content) throws -> Data,
        decode: @escaping @Sendable (Data) throws -> Content
    ) {
        self.name = name
        self.encode = { content in
            guard let content = content as? Content else {
                throw UnexpectedContent(expected: "\(Content.self)", actual: "\(type(of: content))")
            }
            return try encode(content)
        }
        self.decode = decode
        fits = { $0 is Content }
    }

    /// A coding for stages whose output is `Data`. The cache stores the bytes unchanged.
    public static let data = ContentCodec(name: "data", encode: { (data: Data) in data }, decode: { $0 })

    /// Returns a codec for content of a `Codable` type. The content is stored as JSON.
    ///
    /// The ``name`` of the coding is the name of the type, including its module and enclosing types. Do not change the
    /// encoder or the decoder after this call.
    public static func codable<Content: Codable & Sendable>(
        _ type: Content.Type, encoder: JSONEncoder = JSONEncoder(), decoder: JSONDecoder = JSONDecoder()
    ) -> ContentCodec {
        ContentCodec(
            name: stableName(of: type), encode: { (content: Content) in try JSONCoding.encode(content, with: encoder) },
            decode: { try JSONCoding.decode(type, from: $0, with: decoder) })
    }

    /// Returns the type's name without the addresses by which Swift denotes the files of private types. Therefore the
    /// name is the same in every process.
    static func stableName(of type: Any.Type) -> String {
        String(reflecting: type).replacing(#/\(unknown context at \$[0-9a-f]+\)\./#, with: "")
    }
}
