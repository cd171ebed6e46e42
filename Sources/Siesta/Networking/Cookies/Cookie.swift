public import Foundation

/// A cookie that a service has received from a server (RFC 6265).
///
/// Its descriptions do not contain the ``value``, because the value often is a credential.
public struct Cookie: Sendable, Hashable {
    /// The name.
    public let name: String

    /// The value. It may be empty.
    public let value: String

    /// The host to which the cookie belongs, in lower case and without a dot at the start.
    public let domain: String

    /// True if the cookie is also sent to the subdomains of ``domain``.
    public let includesSubdomains: Bool

    /// The path. The cookie is sent to URLs with this path and below it.
    public let path: String

    /// The time after which the cookie is not sent. Nil if the cookie belongs to a session: then it is never stored in a
    /// file, and ends with the service.
    public let expires: Date?

    /// True if the cookie is sent over https only.
    public let isSecure: Bool

    /// True if the server does not want scripts of a page to read the cookie.
    public let isHTTPOnly: Bool
}

extension Cookie: CustomStringConvertible, CustomReflectable {
    /// The name, the domain and the path, without the value.
    public var description: String { PreparedText.line("\(name) for \(domain)\(path)") }

    /// An empty mirror. Therefore `dump` shows only the ``description``.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension Cookie {
    /// Returns true if the cookie has no end, or its end is later than `date`.
    func isCurrent(at date: Date) -> Bool { expires.map { $0 > date } ?? true }

    // MARK: Lines of a file

    /// The cookie as a line of a cookie file in Netscape's format, which libcurl reads and writes.
    ///
    /// The fields, between tabs, are: domain, whether subdomains are included, path, whether https is required, end in
    /// seconds since 1970 (0: end of the session), name, value.
    var line: String {
        let seconds = expires.map { String(Int64(max(1, min($0.timeIntervalSince1970, 1e12)))) } ?? "0"
        let fields = [
            (isHTTPOnly ? Self.httpOnlyMark : "") + (includesSubdomains ? "." : "") + domain,
            includesSubdomains ? "TRUE" : "FALSE", path, isSecure ? "TRUE" : "FALSE", seconds, name, value,
        ]
        return fields.joined(separator: "\t")
    }

    /// Reads a line of a cookie file. Returns nil if the line is a comment, or is not in the format.
    init?(line: String) {
        let isHTTPOnly = line.hasPrefix(Self.httpOnlyMark)
        let text = isHTTPOnly ? String(line.dropFirst(Self.httpOnlyMark.count)) : line
        let fields = text.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        guard !text.hasPrefix("#"), fields.count == 7, let seconds = Int64(fields[4]), seconds >= 0,
            !fields[5].isEmpty, let domain = Optional(fields[0].drop { $0 == "." }), !domain.isEmpty,
            fields[2].hasPrefix("/"), !text.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F })
        else { return nil }
        self.init(
            name: fields[5], value: fields[6], domain: domain.lowercased(), includesSubdomains: fields[1] == "TRUE",
            path: fields[2], expires: seconds == 0 ? nil : Date(timeIntervalSince1970: TimeInterval(seconds)),
            isSecure: fields[3] == "TRUE", isHTTPOnly: isHTTPOnly)
    }

    private static let httpOnlyMark = "#HttpOnly_"
}
