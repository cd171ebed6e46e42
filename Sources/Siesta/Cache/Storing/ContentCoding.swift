public import Foundation

/// How the content of a pipeline stage becomes bytes, and bytes become content again.
///
/// Choose the one that fits what the stage puts out: ``data`` for raw data, ``codable(_:encoder:decoder:)`` for a
/// model. Called off the main thread.
public struct ContentCoding: Sendable {
    /// Tells apart what different stages keep of one resource in the same cache; a part of the records' key.
    public let name: String
    let encode: @Sendable (Any) throws -> Data
    let decode: @Sendable (Data) throws -> Any
    /// Whether content may have been encoded by this coding.
    let fits: @Sendable (Any) -> Bool

    /// The content is of a type that the coding is not for.
    public struct UnexpectedContent: LocalizedError, Sendable {
        /// The type that the coding is for.
        public let expected: String
        /// The type of the content.
        public let actual: String

        /// Names both types.
        public var errorDescription: String? { "The content is \(actual), and this cache keeps \(expected)" }
    }

    /// Creates a coding for content of type `Content`; any other content is refused.
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

    /// Bytes as they are, for stages that put out `Data`.
    public static let data = ContentCoding(name: "data", encode: { (data: Data) in data }, decode: { $0 })

    /// Content of a `Codable` type, as JSON.
    ///
    /// Its ``name`` is that of the type, with its module and the types around it. Encoder and decoder must not be changed
    /// afterwards.
    public static func codable<Content: Codable & Sendable>(
        _ type: Content.Type, encoder: JSONEncoder = JSONEncoder(), decoder: JSONDecoder = JSONDecoder()
    ) -> ContentCoding {
        ContentCoding(
            name: stableName(of: type), encode: { (content: Content) in try encoder.encode(content) },
            decode: { try decoder.decode(type, from: $0) })
    }

    /// The same in every process: without the addresses that stand for the files of private types.
    static func stableName(of type: Any.Type) -> String {
        String(reflecting: type).replacing(#/\(unknown context at \$[0-9a-f]+\)\./#, with: "")
    }
}
