#if os(Linux) || os(Android)
import HTTPRules

/// Functions that prepare text before it leaves the transport. They remove the secrets of URLs, and escape control
/// characters.
///
/// libcurl's messages may contain text from a server, such as the names in its certificate.
enum TransportText {
    static func line(_ text: String) -> String {
        PlainText.line(URLText().preparingAll(in: text), limit: 2000)
    }

    static func url(_ url: String) -> String {
        PlainText.line(URLText()(url), limit: 2000)
    }

    /// Returns a message of libcurl without user and password of a proxy.
    ///
    /// If libcurl does not understand the URL of a proxy, its message quotes the URL as it is. A password of the
    /// environment may contain spaces and quotation marks. A long one is cut together with the rest of the message, so
    /// that no `@` follows it.
    static func message(_ text: String) -> String {
        guard text.hasPrefix("Unsupported proxy"), let start = text.utf8.firstIndex(of: quote) else {
            return text.utf8.contains(UInt8(ascii: "@")) ? line(text) : text
        }
        let head = text[...start]
        guard text.utf8.count < messageLimit, let end = text.utf8.lastIndex(of: quote), start < end else {
            return line("\(head)…'")
        }
        let prepared = URLText()(String(text[start..<end].dropFirst()))
        return line("\(head)\(prepared)\(text[end...])")
    }

    private static let quote = UInt8(ascii: "'")

    /// The size of libcurl's messages, in bytes, from which on they may have been cut (`CURL_ERROR_SIZE`, with a margin).
    private static let messageLimit = 240
}
#endif
