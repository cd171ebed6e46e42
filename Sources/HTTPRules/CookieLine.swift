/// One cookie as a line in Netscape's format, which libcurl reads and writes.
///
/// The fields, between tabs, are: domain, whether subdomains are included, path, whether https is required, end in seconds
/// since 1970 (0: end of the session), name, value. `#HttpOnly_` before the domain hides the cookie from scripts.
///
/// A line is bytes that a server has chosen. As text, bytes that are not UTF-8 are Latin-1 after a null character, which
/// no line contains. Therefore the bytes can be made of the text again.
package struct CookieLine: Sendable {
    /// The domain, with the dot and the mark before it.
    package var domain: String
    package var includesSubdomains: Bool
    /// The path that libcurl compares with those of URLs. It begins with `/`.
    package var path: String
    /// True if the server has sent a path that does not begin with a slash. libcurl uses `/`, and does not replace a
    /// cookie by another whose path was sent as `/`.
    package var hasDefaultPath: Bool
    package var isSecure: Bool
    /// The end, in seconds since 1970; 0 if the cookie belongs to a session.
    package var end: Int64
    package var name: String
    package var value: String
    /// True if the bytes are not UTF-8.
    package var isLatin1: Bool

    package init(
        domain: String, includesSubdomains: Bool, path: String, hasDefaultPath: Bool, isSecure: Bool, end: Int64,
        name: String, value: String, isLatin1: Bool
    ) {
        (self.domain, self.includesSubdomains, self.path) = (domain, includesSubdomains, path)
        (self.isSecure, self.end, self.name, self.value) = (isSecure, end, name, value)
        (self.hasDefaultPath, self.isLatin1) = (hasDefaultPath, isLatin1)
    }

    /// Reads the text of a line. Returns nil if it is not in the format.
    ///
    /// A path may contain a tab. A name and a value may not: libcurl accepts no such value, and a file cannot have such a
    /// name.
    package init?(_ text: String) {
        isLatin1 = text.utf8.first == 0
        let text = text.utf8.dropFirst(isLatin1 ? 1 : 0)
        let fields = text.split(separator: 0x09, omittingEmptySubsequences: false).map { String(Substring($0)) }
        guard fields.count >= 7, let end = Int64(fields[fields.count - 3]) else { return nil }
        (domain, includesSubdomains) = (fields[0], fields[1] == "TRUE")
        let matched = Self.matched(fields[2..<fields.count - 4].joined(separator: "\t"))
        (path, hasDefaultPath) = (matched ?? "/", matched == nil)
        isSecure = fields[fields.count - 4] == "TRUE"
        (self.end, name, value) = (end, fields[fields.count - 2], fields[fields.count - 1])
    }

    /// The text of the line. libcurl reads the same cookie from it.
    package var text: String {
        let fields = [
            domain, includesSubdomains ? "TRUE" : "FALSE", writtenPath, isSecure ? "TRUE" : "FALSE", String(end), name,
            value,
        ]
        return (isLatin1 ? "\0" : "") + fields.joined(separator: "\t")
    }

    // MARK: Paths

    /// Returns the path that libcurl uses for a `Path` attribute: without the quotes at its ends and without a slash at its
    /// end. Returns nil if the path does not begin with a slash.
    private static func matched(_ attribute: String) -> String? {
        let quote = UInt8(ascii: "\"")
        var path = attribute.utf8[...]
        if path.first == quote { path = path.dropFirst() }
        if path.last == quote { path = path.dropLast() }
        guard path.first == UInt8(ascii: "/") else { return nil }
        if path.count > 1, path.last == UInt8(ascii: "/") { path = path.dropLast() }
        return String(Substring(path))
    }

    /// The path in a form of which ``matched(_:)`` makes the same path. No URL has a path with a tab.
    private var writtenPath: String {
        if hasDefaultPath { return "." }
        let path = path.replacing("\t", with: "%09")
        if let same = Self.matched(path), same.hasSameBytes(as: path) { return path }
        return "\"\(path)\(path.utf8.last == UInt8(ascii: "/") ? "/" : "")\""
    }

    // MARK: Bytes

    /// Returns the text for the bytes of a line.
    package static func text(of bytes: some Collection<UInt8>) -> String {
        String(validating: bytes, as: UTF8.self)
            ?? "\0" + String(latin1: bytes)
    }

    /// Returns the bytes of the text of a line.
    package static func bytes(of text: String) -> [UInt8] {
        guard text.utf8.first == 0 else { return Array(text.utf8) }
        return text.unicodeScalars.dropFirst().map { UInt8(truncatingIfNeeded: $0.value) }
    }
}
