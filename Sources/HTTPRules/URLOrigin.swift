package import Foundation

/// The origin of a URL: its scheme, host and port (RFC 9110 §4.3.1, RFC 6454 §4).
///
/// Scheme and host are in lower case, and an escaped host is unescaped. A server may choose the host, and no limit of its
/// combining marks holds before it is looked up; see ``StreamSafety/safe(_:)``. A missing port is the default port of the scheme.
package struct URLOrigin: Hashable, Sendable {
    /// The scheme; empty if the URL has none.
    package let scheme: String
    /// The host, without the brackets of an IPv6 address; empty if the URL has none.
    package let host: String
    /// The port; nil if the URL has none and the scheme has no known default port.
    package let port: Int?

    /// Creates the origin of a URL.
    package init(_ url: URL) {
        self.init(scheme: url.scheme, host: url.host, port: url.port)
    }

    /// Creates the origin from the `absoluteString` of a URL, which takes less time than making a URL. If the text has no
    /// `://`, scheme and host are empty.
    package init(text: String) {
        guard let separator = text.schemeSeparator else {
            self.init(scheme: nil, host: nil, port: nil)
            return
        }
        let authority = text[separator.upperBound...].prefix { !"/?# ".contains($0) }
        let server = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        // An IPv6 address contains colons, and ends with a bracket.
        let colon = server.lastIndex(of: ":").flatMap { server[$0...].contains("]") ? nil : $0 }
        let host = server[..<(colon ?? server.endIndex)]
        self.init(
            scheme: String(text[..<separator.lowerBound]),
            host: host.contains("%") ? host.removingPercentEncoding ?? String(host) : String(host),
            port: colon.flatMap { Int(server[server.index(after: $0)...]) })
    }

    private init(scheme: String?, host: String?, port: Int?) {
        self.scheme = scheme?.lowercased() ?? ""
        let host = StreamSafety.safe(host?.lowercased() ?? "")
        self.host = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        self.port = port ?? Self.defaultPort(of: self.scheme)
    }

    /// True if the scheme is https.
    package var isSecure: Bool { scheme == "https" }

    /// Returns the default port of a scheme in lower case; nil for schemes other than http and https.
    package static func defaultPort(of scheme: String) -> Int? {
        switch scheme {
        case "https": 443
        case "http": 80
        default: nil
        }
    }
}

extension URLOrigin: CustomStringConvertible {
    /// The origin with its port, such as `https://api.test:443`.
    package var description: String {
        "\(scheme)://\(host.contains(":") ? "[\(host)]" : host)\(port.map { ":\($0)" } ?? "")"
    }
}
