public import Foundation

/// A decoder that decodes `Decodable` values from XML.
///
///     let feed = try XMLTreeDecoder().decode(Feed.self, from: data)
///
/// When the decoder decodes an element, each coding key selects a part of the element:
///
/// | key | selects |
/// |---|---|
/// | `title` | the child elements `title` in any namespace; if there are none, the attribute `title` |
/// | `@id` | the attribute `id` |
/// | `#text` | the text directly in the element, without the text of child elements |
/// | `dc:creator` | the child elements `creator` in the namespace of `dc`; if there are none, the attribute in this namespace; see ``namespaces`` |
///
/// - An array is decoded from all elements that its key selects. If the key selects nothing, the array is empty. If the
///   key selects an attribute, the array is decoded from the words (separated by white space) of its value. An array
///   that is the whole value, or an item of another array, has no key. Such an array is decoded from all child
///   elements. If an element encloses the items, as in `<books><book/><book/></books>`, declare a type for `books` that
///   has an array for the key `book`.
/// - A string is decoded from an attribute, or from the text of an element and its descendants. White space is kept,
///   unless ``trimsWhitespace`` is true.
/// - Numbers, Boolean values, dates, URLs and data are decoded from an attribute, or from the text of an element
///   without child elements. White space around the text is ignored. Numbers and Boolean values have the formats of XML
///   Schema. For example, `INF` and `NaN` are numbers, and both `true` and `1` are true.
/// - An optional is nil if its key selects nothing, or selects an element with the attribute `xsi:nil="true"`. An empty
///   element can be decoded as an empty string, but not as a number.
/// - A value of any other type is decoded from exactly one element. If its key selects several elements, decoding
///   fails.
///
/// The decoder ignores the name of the root element. It also ignores elements and attributes that no key selects. If
/// the document cannot be parsed, the decoder throws `RequestError.Cause.InvalidXML`. All other errors are
/// `DecodingError`s, unless your types throw errors of their own. A `DecodingError` contains the coding path and, in
/// most cases, the line of the element, but not the text of the document.
///
/// A subclass and its superclass are decoded from the same element.
public struct XMLTreeDecoder: Sendable {
    /// The conversion of names in the document to the names of coding keys. The default is
    /// ``XMLKeyDecodingStrategy/useDefaultKeys``.
    public var keyDecodingStrategy = XMLKeyDecodingStrategy.useDefaultKeys

    /// The format of dates. The default is ``XMLDateDecodingStrategy/xmlSchema``.
    public var dateDecodingStrategy = XMLDateDecodingStrategy.xmlSchema

    /// The format of binary data. The default is ``XMLDataDecodingStrategy/base64``.
    public var dataDecodingStrategy = XMLDataDecodingStrategy.base64

    /// True if the decoder removes white space at the beginning and at the end of strings. The default is false.
    public var trimsWhitespace = false

    /// A dictionary that maps each prefix in coding keys to the URI of a namespace. The default is empty.
    ///
    /// If the dictionary contains the prefix of a key, the key selects elements and attributes in this namespace,
    /// regardless of their prefix in the document. If the dictionary does not contain the prefix, the key selects
    /// elements and attributes that have the same prefix in the document.
    public var namespaces: [String: String] = [:]

    /// The limits for the size and the structure of a document.
    public var limits = XMLLimits()

    /// Values that the decoded types can read from the `userInfo` of their decoder.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// Creates a decoder with the default strategies.
    public init() {}

    /// Parses a document, and decodes a value from its root element.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - data: The bytes of the document.
    ///   - charset: The IANA name of the character set from the `Content-Type` header; nil if the header names no
    ///     character set.
    /// - Throws: `RequestError.Cause.InvalidXML`, a `DecodingError`, or an error that the type throws.
    public func decode<Value: Decodable>(
        _ type: Value.Type, from data: Data, charset: String? = nil
    ) throws -> Value {
        try decode(type, from: XMLTree(data, charset: charset, limits: limits).root)
    }

    /// Decodes a value from an element.
    ///
    /// - Throws: A `DecodingError`, or an error that the type throws.
    public func decode<Value: Decodable>(_ type: Value.Type, from element: XMLTree.Element) throws -> Value {
        try XMLDecoding(selection: .element(element), options: self, codingPath: []).unbox(type)
    }
}
