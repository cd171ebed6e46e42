#if os(Linux) || os(Android)
import CCurl
import Foundation

/// A content coding of bodies that the transport decodes (RFC 9110, section 8.4.1).
///
/// The transport accepts only one layer of coding. Therefore decoding multiplies the length of a body by at most 1 032,
/// the maximum of deflate (RFC 1951).
enum ContentCoding: Sendable {
    case gzip, deflate

    /// The names in `Accept-Encoding`. The preferred coding is the first.
    static let accepted = ["gzip", "deflate"]

    /// Creates the coding with a name in lower case; nil if the transport does not support it.
    init?(_ name: some StringProtocol) {
        switch name {
        case "gzip", "x-gzip": self = .gzip
        case "deflate": self = .deflate
        default: return nil
        }
    }

    /// The treatment of a response's body.
    enum Treatment: Sendable {
        /// The body is passed on unchanged.
        case keep
        case decode(ContentCoding)
        /// The exchange fails at the first byte of the body, with this text as the reason.
        case refuse(String)
    }

    /// Returns the treatment of a response's body.
    ///
    /// A body is passed on unchanged if one of its codings is unknown. The last coding in the list is the outermost
    /// (RFC 9110, section 8.4). If only the known codings were removed, `Content-Encoding` would no longer describe the
    /// body.
    ///
    /// A known coding is refused if the request sets `Accept-Encoding` and this field does not name the coding. For
    /// example, a download asks for `identity`. Several known codings are refused, because each layer would multiply
    /// the expansion.
    ///
    /// - Parameters:
    ///   - fields: the fields `Content-Encoding` of the response.
    ///   - acceptField: the field `Accept-Encoding` of the request; nil if the request does not set it.
    ///   - decodes: false if the options ask for no coding; then bodies are passed on without decoding.
    static func treatment(of fields: [String], acceptField: String?, decodes: Bool) -> Treatment {
        let names = fields.flatMap { $0.split(separator: ",") }
            .map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
            .filter { !$0.isEmpty && $0 != "identity" }
        let codings = names.compactMap { ContentCoding($0) }
        guard let name = names.first, let coding = codings.first, codings.count == names.count else { return .keep }
        if let acceptField, !isAccepted(name, by: acceptField) {
            return .refuse("The body has a content coding that the request does not accept")
        }
        guard decodes else { return .keep }
        return codings.count == 1 ? .decode(coding) : .refuse("The body has several content codings")
    }

    /// Returns true if a field `Accept-Encoding` names a coding, with a weight other than 0 (RFC 9110, section 12.5.3).
    private static func isAccepted(_ name: String, by field: String) -> Bool {
        field.split(separator: ",").contains { element in
            let parts = element.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
            guard let accepted = parts.first, isSame(accepted, name) || accepted == "*" else { return false }
            return !parts.dropFirst().contains { $0.hasPrefix("q=") && Double($0.dropFirst(2)) == 0 }
        }
    }

    private static func isSame(_ first: String, _ second: String) -> Bool {
        first == second || ContentCoding(first) == .gzip && ContentCoding(second) == .gzip
    }
}

extension ContentCoding.Treatment {
    /// The coding to decode; nil if the body is not decoded.
    var coding: ContentCoding? {
        if case .decode(let coding) = self { coding } else { nil }
    }
}

extension TransportOptions {
    /// The members of `Accept-Encoding`; nil if the field is not sent.
    var encodings: [String]? {
        guard let acceptedEncodings else { return ccurl_can_inflate() != 0 ? ContentCoding.accepted : nil }
        return acceptedEncodings.isEmpty ? nil : acceptedEncodings
    }
}
#endif
