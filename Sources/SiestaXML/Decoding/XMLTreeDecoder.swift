public import Foundation

/// Decodes `Decodable` values from XML.
///
///     let feed = try XMLTreeDecoder().decode(Feed.self, from: data)
///
/// A coding key selects a part of an element:
///
/// | key | selects |
/// |---|---|
/// | `title` | the child elements `title` in any namespace; if there are none, the attribute `title` |
/// | `@id` | the attribute `id` |
/// | `#text` | the text directly in the element |
/// | `dc:creator` | the child elements, or the attribute, in the namespace of the prefix; see ``namespaces`` |
///
/// - An array decodes all selected elements. If no element is selected, the array is empty. If an array is the whole
///   value, or an element of another array, the array decodes the child elements. For an attribute, an array decodes
///   the words of the attribute. If an element encloses the list, as in `<books><book/><book/></books>`, declare a type
///   for `books` with an array for the key `book`.
/// - A string is the text of an element with the text of its descendants, unchanged; see ``trimsWhitespace``.
/// - Numbers, Boolean values, dates, URLs and data are the text of an attribute or of an element without child
///   elements. White space around the text is ignored. Numbers and Boolean values have the forms of XML Schema, such as
///   `INF` and `NaN`, or `true` and `1`.
/// - An optional is nil if nothing is selected, or if the element has the attribute `xsi:nil="true"`. An empty element
///   decodes as an empty string, but not as a number.
/// - All other types decode exactly one element. Several elements are an error.
///
/// The decoder ignores the name of the root element, and elements and attributes without a key. Errors are
/// `DecodingError`s, whose descriptions name the element and its line. The errors do not contain the text of the
/// document. A document that is not well-formed throws `RequestError.Cause.InvalidXML`.
///
/// A superclass is decoded from the same element.
public struct XMLTreeDecoder: Sendable {
    /// The conversion of names in the document to the names of coding keys. The default is
    /// ``XMLKeyDecodingStrategy/useDefaultKeys``.
    public var keyDecodingStrategy = XMLKeyDecodingStrategy.useDefaultKeys

    /// The form of dates. The default is ``XMLDateDecodingStrategy/xmlSchema``.
    public var dateDecodingStrategy = XMLDateDecodingStrategy.xmlSchema

    /// The form of binary data. The default is ``XMLDataDecodingStrategy/base64``.
    public var dataDecodingStrategy = XMLDataDecodingStrategy.base64

    /// True if white space at the beginning and at the end of strings is removed. The default is false.
    public var trimsWhitespace = false

    /// The namespaces of the prefixes in coding keys. The default is empty.
    ///
    /// If this table contains the prefix of a key, the key selects names in the namespace, regardless of their prefix
    /// in the document. If the table does not contain the prefix, the key selects names with the same prefix in the
    /// document.
    public var namespaces: [String: String] = [:]

    /// The limits for the size and the structure of a document.
    public var limits = XMLLimits()

    /// Values that the decoded types can read.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// Creates a decoder with the default strategies.
    public init() {}

    /// Parses a document and decodes its root element.
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

    /// Decodes an element.
    ///
    /// - Throws: A `DecodingError`, or an error that the type throws.
    public func decode<Value: Decodable>(_ type: Value.Type, from element: XMLTree.Element) throws -> Value {
        try XMLDecoding(selection: .element(element), options: self, codingPath: []).unbox(type)
    }
}
