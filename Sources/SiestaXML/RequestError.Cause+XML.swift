public import Foundation
public import SiestaCore

extension RequestError.Cause {
    /// A document is not well-formed XML, exceeds a limit, or contains declarations that the parser does not process.
    ///
    /// The code of the request's error is ``RequestError/Code/invalidContent``. The description of this value contains
    /// the reason.
    public struct InvalidXML: LocalizedError, CodedError {
        /// The reason why a document cannot be parsed.
        package enum Reason: Error, Equatable {
            /// There is no element.
            case empty
            /// The document ends before the end of its root element.
            case incomplete
            /// Content other than comments follows the root element.
            case contentAfterRoot
            /// An end tag does not match its start tag.
            case mismatchedTag
            /// An element has two attributes with the same name.
            case duplicateAttribute
            /// The document contains a character that XML does not allow.
            case illegalCharacter
            /// The name of an element or an attribute, or a namespace, has more than 30 combining marks in a row.
            case tooManyMarks
            /// A reference names an entity other than the five entities that XML predefines.
            case undeclaredEntity
            /// A prefix without a namespace, a malformed name, or an illegal declaration of a namespace. For a
            /// malformed name, the prefix may be empty.
            case invalidNamespace(prefix: String)
            /// Another syntax error, with the code of Foundation's `XMLParser.ErrorCode`.
            case syntax(code: Int)
            /// The document type has an internal subset, which can declare entities.
            case documentTypeDeclaration
            /// The encoding is unknown.
            case unknownEncoding(String)
            /// The bytes are not text in the encoding.
            case undecodableText(encoding: String)
            /// The document has more bytes than ``XMLLimits/maximumSize``.
            case tooLarge(limit: Int)
            /// Elements are nested deeper than ``XMLLimits/maximumDepth``.
            case tooDeep(limit: Int)
            /// The document has more nodes than ``XMLLimits/maximumNodeCount``.
            case tooManyNodes(limit: Int)
            /// An element has more attributes than ``XMLLimits/maximumAttributeCount``.
            case tooManyAttributes(limit: Int)
            /// More than 512 declarations of namespaces are in scope.
            case tooManyNamespaces(limit: Int)
            /// One tag, text or comment is larger than 8 MB.
            case tokenTooLong(limit: Int)
        }

        package let reason: Reason
        /// The line of the error, beginning with 1; 0 if the error concerns the whole document.
        public let line: Int

        init(_ reason: Reason, line: Int) {
            self.reason = reason
            self.line = line
        }

        package var code: RequestError.Code { .invalidContent }

        /// The message for the user: `cannotParseResponse` of the current `UserMessages`.
        public var errorDescription: String? { UserMessages.current.cannotParseResponse }
    }
}

extension RequestError.Cause.InvalidXML: CustomStringConvertible {
    /// The line, the reason and, if there is one, a remedy.
    public var description: String {
        let place = line > 0 ? "line \(line): " : ""
        return "InvalidXML(\(place)\(PreparedText.line(reason.words, limit: 400)))"
    }
}

extension RequestError.Cause.InvalidXML.Reason {
    fileprivate var words: String {
        switch self {
        case .empty: "the document has no element"
        case .incomplete: "the document ends before the end of its root element"
        case .contentAfterRoot: "content follows the root element"
        case .mismatchedTag: "an end tag does not match its start tag"
        case .duplicateAttribute: "an element has two attributes with the same name"
        case .illegalCharacter: "XML does not allow a character; check the encoding of the document"
        case .tooManyMarks: "a name or a namespace has more than 30 combining marks in a row"
        case .undeclaredEntity:
            "an entity is not known; only lt, gt, amp, apos and quot are, because DTDs are not processed. "
                + "Send the character, or a reference such as &#160;"
        case .invalidNamespace(""): "a namespace prefix is not declared, or a namespace is used illegally"
        case .invalidNamespace(let prefix):
            "the namespace prefix “\(PreparedText.line(prefix, limit: 100))” is not declared, or is used illegally"
        case .syntax(let code): "the syntax is wrong (XMLParser.ErrorCode \(code))"
        case .documentTypeDeclaration:
            "the document type has an internal subset, which is not processed for security. "
                + "Send the document without it"
        case .unknownEncoding(let name):
            "the encoding “\(PreparedText.line(name, limit: 100))” is not known; send UTF-8"
        case .undecodableText(let name):
            "the bytes are not text in the encoding \(PreparedText.line(name, limit: 100)); send UTF-8"
        case .tooLarge(let limit): "the document has more than \(limit) bytes; raise XMLLimits.maximumSize"
        case .tooDeep(let limit):
            "elements are more than \(limit) levels deep; raise XMLLimits.maximumDepth (at most 512)"
        case .tooManyNodes(let limit): "there are more than \(limit) nodes; raise XMLLimits.maximumNodeCount"
        case .tooManyAttributes(let limit):
            "an element has more than \(limit) attributes; raise XMLLimits.maximumAttributeCount"
        case .tooManyNamespaces(let limit):
            "more than \(limit) declarations of namespaces are in scope, which cannot be changed"
        case .tokenTooLong(let limit): "a tag, text or comment has more than \(limit) bytes, which cannot be changed"
        }
    }
}
