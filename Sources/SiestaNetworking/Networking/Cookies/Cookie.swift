public import Foundation
import HTTPRules

/// A cookie that a service has received from a server (RFC 6265).
///
/// The description of a cookie does not contain its ``value``, which is often a credential.
public struct Cookie: Sendable, Equatable {
    /// The name that the server gave the cookie.
    public let name: String

    /// The value that the server set, which may be empty.
    public var value: String { hiddenValue.value }

    private let hiddenValue: Hidden<String>

    /// The host to which the cookie belongs, in lower case and without a leading dot.
    public let domain: String

    /// True if the cookie is also sent to the subdomains of ``domain``.
    public let includesSubdomains: Bool

    /// The path to which the cookie is limited. The cookie is sent only to URLs with this path or below it.
    ///
    /// If the path that the server sent does not begin with `/`, or is in quotes, this property is the path that
    /// libcurl uses instead.
    public let path: String

    /// The time after which the cookie is not sent; nil for a session cookie.
    ///
    /// A session cookie is never stored in a file, and is removed when the service is released.
    public let expires: Date?

    /// True if the cookie is sent only over https.
    public let isSecure: Bool

    /// True if scripts of a web page must not read the cookie (`HttpOnly`).
    public let isHTTPOnly: Bool

    /// True if the bytes that the server has sent are not UTF-8. Then the texts are these bytes as Latin-1.
    var isLatin1 = false

    /// True if the server has sent a path that does not begin with `/`.
    var hasDefaultPath = false

    init(
        name: String, value: String, domain: String, includesSubdomains: Bool, path: String, expires: Date?,
        isSecure: Bool, isHTTPOnly: Bool, isLatin1: Bool = false, hasDefaultPath: Bool = false
    ) {
        (self.name, hiddenValue, self.domain, self.path) = (name, Hidden(value), domain, path)
        (self.includesSubdomains, self.expires) = (includesSubdomains, expires)
        (self.isSecure, self.isHTTPOnly) = (isSecure, isHTTPOnly)
        (self.isLatin1, self.hasDefaultPath) = (isLatin1, hasDefaultPath)
    }
}

extension Cookie {
    /// Returns true if all properties are equal. Strings are compared byte by byte.
    public static func == (left: Self, right: Self) -> Bool {
        left.texts == right.texts && left.expires == right.expires
            && left.includesSubdomains == right.includesSubdomains && left.isSecure == right.isSecure
            && left.isHTTPOnly == right.isHTTPOnly && left.isLatin1 == right.isLatin1
            && left.hasDefaultPath == right.hasDefaultPath
    }

    private var texts: [ExactText] { [name, value, domain, path].map { ExactText($0) } }
}

extension Cookie {
    /// Returns true if the cookie has no end, or its end is later than `date`.
    func isCurrent(at date: Date) -> Bool { expires.map { $0 > date } ?? true }

    // MARK: Lines of a file

    /// The cookie as the text of a ``CookieLine``.
    var line: String {
        CookieLine(
            domain: (isHTTPOnly ? Self.httpOnlyMark : "") + (includesSubdomains ? "." : "") + domain,
            includesSubdomains: includesSubdomains, path: path, hasDefaultPath: hasDefaultPath, isSecure: isSecure,
            end: expires.map { Int64(max(1, min($0.timeIntervalSince1970, 1e12))) } ?? 0, name: name, value: value,
            isLatin1: isLatin1
        ).text
    }

    /// Reads the text of a line of a cookie file. Returns nil if the line is a comment, or is not in the format.
    init?(line: String) {
        guard let line = CookieLine(line), line.end >= 0, !line.name.isEmpty else { return nil }
        let isHTTPOnly = line.domain.starts(withUTF8Of: Self.httpOnlyMark)
        let mark = isHTTPOnly ? Self.httpOnlyMark.utf8.count : 0
        let domain = String(Substring(line.domain.utf8.dropFirst(mark).drop { $0 == UInt8(ascii: ".") }))
        let texts = [domain, line.path, line.name, line.value]
        guard !domain.isEmpty, !domain.utf8.starts(with: [UInt8(ascii: "#")]),
            texts.allSatisfy({ $0.utf8.allSatisfy(\.isFieldCharacter) })
        else { return nil }
        self.init(
            name: line.name, value: line.value, domain: domain.lowercased(),
            includesSubdomains: line.includesSubdomains, path: line.path,
            expires: line.end == 0 ? nil : Date(timeIntervalSince1970: TimeInterval(line.end)),
            isSecure: line.isSecure, isHTTPOnly: isHTTPOnly, isLatin1: line.isLatin1,
            hasDefaultPath: line.hasDefaultPath)
    }

    /// True if the name and the value contain no control characters. libcurl accepts none, but Foundation does.
    var fitsInLine: Bool { !(name + value).utf8.contains { $0 < 0x20 || $0 == 0x7F } }

    private static let httpOnlyMark = "#HttpOnly_"
}
