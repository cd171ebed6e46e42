public import Foundation
public import SiestaCore

/// An XML document. It consists of a root element with attributes, child elements and text.
///
///     let tree = try XMLTree(data)
///     for item in tree.root.elements("item") { print(item.text) }
///
/// The tree contains elements, attributes and text, but no comments and no processing instructions. A CDATA section is
/// part of the text. Names include their namespaces (Namespaces in XML 1.0).
///
/// The parser does not process document type definitions, and opens no files or connections:
///
/// - The parser ignores a `<!DOCTYPE …>` without an internal subset, and never loads the external subset.
/// - The parser rejects a document with an internal subset, which can declare entities, elements and attributes. Such
///   declarations could expand a small document to gigabytes, or read files.
/// - The parser knows only the entities `lt`, `gt`, `amp`, `apos` and `quot`, and character references such as
///   `&#8364;`.
///
/// Parsing takes time and memory proportional to the size of the document. ``XMLLimits`` restricts the size and the
/// structure of a document.
public struct XMLTree: Sendable, Equatable {
    /// The root element of the document.
    public let root: Element

    /// Creates a document from its root element.
    public init(root: Element) {
        self.root = root
    }

    /// Parses a document.
    ///
    /// The character encoding comes from the first of these sources that exists: a byte order mark, `charset`, and the
    /// XML declaration (RFC 7303 §3). The default is UTF-8.
    ///
    /// - Parameters:
    ///   - data: The bytes of the document.
    ///   - charset: The IANA name of the character set from the `Content-Type` header; nil if the header names no
    ///     character set.
    ///   - limits: The limits for the size and the structure of the document.
    /// - Throws: `RequestError.Cause.InvalidXML`, which contains the reason and the line.
    public init(
        _ data: Data, charset: String? = nil, limits: XMLLimits = XMLLimits()
    ) throws(RequestError.Cause.InvalidXML) {
        guard data.count <= limits.maximumSize else {
            throw RequestError.Cause.InvalidXML(.tooLarge(limit: limits.maximumSize), line: 0)
        }
        var bytes: [UInt8]
        do {
            bytes = try XMLEncodingDetection.utf8(data, charset: charset)
        } catch {
            throw RequestError.Cause.InvalidXML(error, line: 0)
        }
        try XMLPreparation.prepare(&bytes, limits: limits)
        root = try XMLTreeBuilder.root(of: Data(bytes), limits: limits)
    }
}
