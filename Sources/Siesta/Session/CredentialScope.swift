import Foundation

/// The URLs to which requests may carry a credential. Pure.
struct CredentialScope: Sendable {
    /// The beginnings of the URLs, each with a slash at its end.
    let prefixes: [String]

    /// Creates the scope of a service: the URLs below its base URL, and those of other origins.
    init(baseURL: URL?, origins: [URL]) {
        prefixes = [baseURL?.absoluteString].compactMap { $0 }.map(Self.folder) + origins.compactMap(Self.origin)
    }

    private static func folder(_ address: String) -> String {
        let path = address.prefix { $0 != "?" && $0 != "#" }
        return path.hasSuffix("/") ? String(path) : path + "/"
    }

    private static func origin(_ url: URL) -> String? {
        guard let scheme = url.scheme, let host = url.host else { return nil }
        let name = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        return "\(scheme)://\(name)\(url.port.map { ":\($0)" } ?? "")/"
    }

    /// Returns true if a request to this URL may carry the credential. A path with `..` may lead out of the scope, so
    /// that it never belongs to it.
    func contains(_ address: String) -> Bool {
        prefixes.contains { prefix in
            address.utf8.starts(with: prefix.utf8) && !Self.leadsUp(address.utf8.dropFirst(prefix.utf8.count))
        }
    }

    private static func leadsUp(_ rest: Substring.UTF8View) -> Bool {
        guard rest.contains(UInt8(ascii: ".")) || rest.contains(UInt8(ascii: "%")) else { return false }
        let path = Substring(rest).prefix { $0 != "?" && $0 != "#" }
        let plain = path.removingPercentEncoding ?? String(path)
        return plain.split(whereSeparator: { $0 == "/" || $0 == "\\" }).contains { $0.prefix { $0 != ";" } == ".." }
    }
}
