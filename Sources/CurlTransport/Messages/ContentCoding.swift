#if os(Linux)
import CCurl
import Foundation

/// A coding of bodies that the transport undoes (RFC 9110, section 8.4.1).
///
/// There is one layer at the most, so that a body expands no more than deflate can: 1 032 times (RFC 1951).
enum ContentCoding: Sendable {
    case gzip, deflate

    /// The names under which codings are asked for, the preferred one first.
    static let accepted = ["gzip", "deflate"]

    /// The coding of a name in lower case.
    init?(_ name: some StringProtocol) {
        switch name {
        case "gzip", "x-gzip": self = .gzip
        case "deflate": self = .deflate
        default: return nil
        }
    }

    /// How the body of a response is treated.
    enum Treatment: Sendable {
        /// The body is passed on as it comes.
        case keep
        case decode(ContentCoding)
        /// The transfer fails at the first byte of the body; the text says why.
        case refuse(String)
    }

    /// Decides how the body of a response is treated.
    ///
    /// A coding is refused if the request's own `Accept-Encoding` does not name it, as a download's does not, which asks
    /// for `identity`. Several codings, one inside the other, are refused: each layer would multiply the expansion.
    ///
    /// - Parameters:
    ///   - fields: the fields `Content-Encoding` of the response.
    ///   - acceptField: the field `Accept-Encoding` of the request, if that has one of its own.
    ///   - decodes: false if the options ask for no coding; bodies are then passed on encoded.
    static func treatment(of fields: [String], acceptField: String?, decodes: Bool) -> Treatment {
        let names = fields.lazy.flatMap { $0.split(separator: ",") }
            .map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
            .filter { !$0.isEmpty && $0 != "identity" }
        guard let name = names.first else { return .keep }
        if let acceptField, !isAccepted(name, by: acceptField) {
            return .refuse("The body has a content coding that the request does not accept")
        }
        guard decodes else { return .keep }
        guard names.dropFirst().isEmpty else { return .refuse("The body has several content codings") }
        guard let coding = ContentCoding(name) else {
            return .refuse("The body has a content coding other than gzip and deflate")
        }
        return .decode(coding)
    }

    /// Whether a field `Accept-Encoding` names a coding, with a weight other than 0 (RFC 9110, section 12.5.3).
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
    /// The coding to undo.
    var coding: ContentCoding? {
        if case .decode(let coding) = self { coding } else { nil }
    }
}

extension TransportOptions.Encodings {
    /// The value of `Accept-Encoding` as a list; nil if none is sent.
    var names: [String]? {
        switch self {
        case .all: ccurl_can_inflate() != 0 ? ContentCoding.accepted : nil
        case .none: nil
        case .only(let names): names
        }
    }
}
#endif
