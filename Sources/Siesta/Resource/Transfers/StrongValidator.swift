import Foundation

/// What identifies one version of a response to the last byte (RFC 9110 §8.8.1), so that parts of it can be put
/// together.
struct StrongValidator: Codable, Equatable, Sendable {
    /// The header that it came in.
    enum Kind: String, Codable, Sendable {
        case entityTag = "etag"
        case lastModified = "last-modified"
    }

    let kind: Kind

    /// The value, as the server sent it, which is also that of `If-Range`.
    let value: String

    /// A digest of the URL that it came from, after all redirects: elsewhere, the same tag may mean something else (RFC
    /// 9110 §8.8.3). A query does not count, which may be a signature of the moment; neither do user and password.
    let location: String

    /// The validator of a response from `url`, if it has one that is strong: an entity tag without `W/`; or, where
    /// there is no tag at all, a date of modification that was at least a second past when the response was made (RFC
    /// 9110 §8.8.2.2).
    init?(_ fields: HeaderFields, from url: URL?) {
        location = Self.location(url)
        if let tag = fields[Kind.entityTag.rawValue] {
            guard tag.hasPrefix("\""), tag.hasSuffix("\""), tag.utf8.count > 2, Validator.isSendable(tag) else {
                return nil
            }
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

    /// Whether a partial response from `url` names this version (RFC 9110 §15.3.7).
    ///
    /// A response without a validator may be of any version: some servers do not support `If-Range`. A date identifies a
    /// version only as long as the server sends no entity tag.
    func identifies(_ fields: HeaderFields, from url: URL?) -> Bool {
        fields[kind.rawValue] == value && Self.location(url) == location
            && (kind == .entityTag || fields[Kind.entityTag.rawValue] == nil)
    }

    /// Whether the value can be sent back. One that was read from a file may be damaged.
    var isSendable: Bool { Validator.isSendable(value) }

    private static func location(_ url: URL?) -> String {
        var parts = url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true) } ?? URLComponents()
        (parts.user, parts.password, parts.query, parts.fragment) = (nil, nil, nil, nil)
        return SHA256.hexadecimal(of: parts.string ?? "")
    }
}
