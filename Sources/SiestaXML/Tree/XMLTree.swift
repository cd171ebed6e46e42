public import Foundation
public import SiestaCore

/// An XML document as a value: a root element with attributes, child elements and text.
///
///     let tree = try XMLTree(data)
///     for item in tree.root.elements("item") { print(item.text) }
///
/// The tree contains elements, attributes and text, but no comments and no processing instructions. CDATA sections are
/// text. Names have their namespaces (Namespaces in XML 1.0).
///
/// The parser does not process document type definitions, and opens no files or connections:
///
/// - The parser ignores a `<!DOCTYPE …>` that only names a type, and never loads the external subset.
/// - A document that declares entities, elements or attributes in an internal subset is an error. Such declarations can
///   expand a small document to gigabytes, or read files.
/// - Only the entities `lt`, `gt`, `amp`, `apos` and `quot`, and character references such as `&#8364;`, are known.
///
/// Parsing takes time and memory proportional to the size of the document. ``XMLLimits`` apply.
public struct XMLTree: Sendable, Equatable {
    /// The root element of the document.
    public let root: Element

    /// Creates a document from its root element.
    public init(root: Element) {
        self.root = root
    }

    /// Parses a document.
    ///
    /// The parser takes the character encoding from a byte order mark, from `charset`, or from the XML declaration. The
    /// first of these sources that exists applies (RFC 7303 §3). The default is UTF-8.
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
