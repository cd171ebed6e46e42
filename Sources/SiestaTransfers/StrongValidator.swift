import Foundation
import HTTPRules
import SiestaCore

/// The identifier of one version of a response, byte for byte (RFC 9110 §8.8.1). Parts of the same version can be
/// combined.
struct StrongValidator: Codable, Equatable, Sendable {
    /// The header that contains the validator.
    enum Kind: String, Codable, Sendable {
        case entityTag = "etag"
        case lastModified = "last-modified"
    }

    let kind: Kind

    /// The value exactly as the server sent it. The same value is sent as `If-Range`.
    let value: String

    /// A digest of the response's URL after all redirects. At another URL, the same tag may identify different content
    /// (RFC 9110 §8.8.3). The digest does not include the query, the user and the password, because a query may contain
    /// a signature that changes each time.
    let location: String

    static func == (one: StrongValidator, other: StrongValidator) -> Bool {
        one.kind == other.kind && one.value.hasSameBytes(as: other.value)
            && one.location.hasSameBytes(as: other.location)
    }

    /// Creates the validator of a response from `url`; nil if the response has no strong validator. A strong validator
    /// is an entity tag without `W/`. If the response has no entity tag, it is a modification date at least a second
    /// before the date of the response (RFC 9110 §8.8.2.2).
    init?(_ fields: HeaderFields, from url: URL?) {
        location = Self.location(url)
        if let tag = fields[Kind.entityTag.rawValue] {
            guard Validator.isStrong(tag), tag.utf8.count > 2 else { return nil }
            (kind, value) = (.entityTag, tag)
        } else if let text = fields[Kind.lastModified.rawValue], Validator.isSendable(text),
            let modified = HTTPDate.date(text),
            let sent = fields["date"].flatMap(HTTPDate.date), sent.timeIntervalSince(modified) >= 1
        {
            (kind, value) = (.lastModified, text)
        } else {
            return nil
        }
    }

    /// Returns true if a partial response from `url` belongs to this version (RFC 9110 §15.3.7).
    ///
    /// A response without a validator may belong to any version, because some servers do not support `If-Range`. A date
    /// identifies a version only if the response has no entity tag.
    func identifies(_ fields: HeaderFields, from url: URL?) -> Bool {
        fields[kind.rawValue]?.hasSameBytes(as: value) == true && Self.location(url) == location
            && (kind == .entityTag || fields[Kind.entityTag.rawValue] == nil)
    }

    /// True if the value can be sent back to the server. A value that was read from a file may be damaged.
    var isSendable: Bool { Validator.isSendable(value) }

    private static func location(_ url: URL?) -> String {
        var parts = url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true) } ?? URLComponents()
        (parts.user, parts.password, parts.query, parts.fragment) = (nil, nil, nil, nil)
        return SHA256.hexadecimal(of: parts.string ?? "")
    }
}
