#if os(Linux)
import HTTPRules

/// The way for text to leave the transport: URLs without secrets, control characters escaped.
///
/// Words of libcurl may repeat what a server sent, such as the names in its certificate.
enum TransportText {
    static func line(_ text: String) -> String {
        PlainText.line(URLText().preparingAll(in: text), limit: 2000)
    }

    static func url(_ url: String) -> String {
        PlainText.line(URLText()(url), limit: 2000)
    }
}
#endif
