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
}
#endif
