import Foundation

/// What a request line asks for, taken apart.
///
/// Origin form and absolute form are understood (RFC 9112 section 3.2); the authority of the latter is ignored.
struct RequestTarget: Sendable, Equatable {
    /// The text as it was sent.
    let raw: String

    /// The decoded segments between the slashes: none for `/`, an empty last one after a trailing slash.
    let segments: [String]

    /// The parameters.
    let query: Query

    /// Nil for anything that is not a path on this server or has a malformed escape.
    init?(_ raw: String) {
        guard let local = Self.withoutAuthority(raw), local.hasPrefix("/") else { return nil }
        let parts = local.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard let query = Query(encoded: parts.count > 1 ? parts[1] : ""),
            let segments = Self.segments(of: parts[0])
        else { return nil }
        (self.raw, self.segments, self.query) = (raw, segments, query)
    }

    /// The path of the target alone, still escaped.
    var path: String {
        String((Self.withoutAuthority(raw) ?? "/").prefix { $0 != "?" })
    }

    private static func segments(of path: Substring) -> [String]? {
        guard path != "/" else { return [] }
        let encoded = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        let decoded = encoded.compactMap(\.removingPercentEncoding)
        return decoded.count == encoded.count ? decoded : nil
    }

    private static func withoutAuthority(_ raw: String) -> String? {
        guard !raw.hasPrefix("/") else { return raw }
        guard let scheme = raw.range(of: "http://", options: [.anchored, .caseInsensitive]) else { return nil }
        let rest = raw[scheme.upperBound...]
        guard let start = rest.firstIndex(where: { $0 == "/" || $0 == "?" }) else { return "/" }
        return rest[start] == "?" ? "/" + rest[start...] : String(rest[start...])
    }
}
