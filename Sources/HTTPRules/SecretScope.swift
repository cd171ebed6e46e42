package import Foundation

/// The header fields of a request that contain a credential, and the URLs to which the credential may be sent. Pure.
///
/// A URL is in the scope if it is below one of the prefixes. A prefix is an absolute URL whose path ends with a slash,
/// such as `https://api.test/v1/`. A URL whose path contains a dot segment is in no scope, because a server may treat it
/// as another path. Percent-encoded dots and slashes count as dots and slashes.
package struct SecretScope: Sendable, Hashable {
    /// The names of the fields, in lower case.
    package let fields: [String]

    /// The prefixes in canonical form: scheme and host in lower case, no default port, and a slash at the end.
    package let prefixes: [String]

    /// Creates a scope. A prefix that is not an absolute URL with the scheme http or https has no effect.
    package init(fields: [String], prefixes: [String]) {
        self.fields = fields.map { $0.lowercased() }
        self.prefixes = prefixes.compactMap { prefix in
            let canonical = URL(reference: prefix).flatMap { Self.canonical($0) }
            return canonical.map { $0.hasSuffix("/") ? $0 : $0 + "/" }
        }
    }

    /// Returns true if the credential may be sent to `url`.
    package func includes(_ url: URL) -> Bool { includes(url.absoluteString) }

    /// Returns true if the credential may be sent to the URL with this text.
    package func includes(_ text: String) -> Bool {
        if let known = isBelow(text) { return known }  // most URLs are canonical
        guard let url = URL(reference: text), let canonical = Self.canonical(url), canonical != text else {
            return false
        }
        return isBelow(canonical) ?? false
    }

    /// Returns true if a redirect from one URL to another may keep the credential. A credential never follows from https
    /// to http, even if both URLs are in the scope.
    package func includes(_ target: URL, redirectedFrom source: URL) -> Bool {
        guard target.scheme?.lowercased() == "https" || source.scheme?.lowercased() != "https" else { return false }
        return includes(target)
    }

    /// Returns true if all redirects from one URL to another have probably kept the credential: both have the same
    /// origin, and the credential may follow.
    package func keepsSecrets(from source: URL, to target: URL) -> Bool {
        URLOrigin(source) == URLOrigin(target) && includes(target, redirectedFrom: source)
    }

    /// Returns true if the field `name` contains a credential. The name is case-insensitive.
    package func isSecret(_ name: String) -> Bool { fields.contains(name.lowercased()) }

    /// Returns whether a URL with a prefix of the scope is in the scope; nil if the URL has no such prefix.
    private func isBelow(_ text: String) -> Bool? {
        for prefix in prefixes where text.starts(withUTF8Of: prefix) {
            return !Self.hasDotSegment(text, from: prefix.utf8.count)
        }
        return nil
    }

    /// Returns scheme, host, port and path of a URL in canonical form, without user info; nil if the URL is not an
    /// absolute URL with the scheme http or https. The host stays escaped, because an escaped slash must not end it.
    private static func canonical(_ url: URL) -> String? {
        guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
            let host = url.host(percentEncoded: true)?.lowercased(), !host.isEmpty
        else { return nil }
        let port = url.port == URLOrigin.defaultPort(of: scheme) ? nil : url.port
        let bracketed = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        let path = url.path(percentEncoded: true)
        return "\(scheme)://\(bracketed)\(port.map { ":\($0)" } ?? "")\(path.isEmpty ? "/" : path)"
    }

    /// Returns true if a path contains a segment that consists of one or two dots, perhaps with parameters (`..;x`). The
    /// path ends before a query or a fragment.
    private static func hasDotSegment(_ text: String, from start: Int) -> Bool {
        let mayHaveDots = text.withUTF8Bytes { bytes in
            for byte in bytes[start...] where byte == UInt8(ascii: ".") || byte == UInt8(ascii: "%") { return true }
            return false
        }
        guard mayHaveDots else { return false }
        var rest = text.utf8.dropFirst(start)
        var (length, isDots) = (0, true)  // of the current segment, without its parameters
        while let byte = rest.popFirst() {
            switch byte == UInt8(ascii: "%") ? decoded(&rest) : byte {
            case UInt8(ascii: "/"), UInt8(ascii: "\\"):
                if isDots, 1...2 ~= length { return true }
                (length, isDots) = (0, true)
            case UInt8(ascii: "?") where byte != UInt8(ascii: "%"), UInt8(ascii: "#") where byte != UInt8(ascii: "%"):
                return isDots && 1...2 ~= length
            case UInt8(ascii: "."): length += 1
            case UInt8(ascii: ";") where isDots && 1...2 ~= length: return true
            default: (length, isDots) = (length + 1, false)
            }
        }
        return isDots && 1...2 ~= length
    }

    /// Removes two hexadecimal digits and returns their byte; a percent sign if they are missing.
    private static func decoded(_ rest: inout Substring.UTF8View) -> UInt8 {
        guard let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
            return UInt8(ascii: "%")
        }
        rest = rest.dropFirst(2)
        return value
    }
}
