#if os(Linux) || os(Android)
package import Foundation
import HTTPRules

/// One request.
package struct TransportRequest: Sendable {
    /// The method. It is sent unchanged, because methods are case-sensitive (RFC 9110, section 9.1).
    package var method: String

    /// The absolute URL, with the scheme http or https and a host.
    ///
    /// A user and a password in the URL are sent as `Authorization`.
    package var url: URL

    /// The header fields. `Content-Length` and `Transfer-Encoding` are ignored, because the body determines them.
    package var headers: HeaderList

    /// The body.
    package var body: Body

    /// The number of seconds without any traffic after which the request fails. If it is nil,
    /// ``TransportOptions/idleTimeout`` applies.
    package var idleTimeout: Double?

    /// The jar that stores the cookies of the responses, and from which cookies are added to the request; nil by default.
    ///
    /// If ``TransportOptions/keepsCookies`` is true, the jar has no effect.
    package var cookieJar: CookieJar?

    /// The values of ``login``, ``secretScope``, ``followsRedirects`` and ``obtainsCredential``; nil if they have their
    /// defaults.
    var rare: Rare?

    /// Creates a request.
    package init(
        _ method: String = "GET", _ url: URL, headers: HeaderList = HeaderList(), body: Body = .none,
        idleTimeout: Double? = nil
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.idleTimeout = idleTimeout
    }

    /// The body of a request.
    package enum Body: Sendable {
        /// No body. Methods that usually have a body send `Content-Length: 0` (RFC 9110, section 8.6).
        case none
        /// Bytes in memory. The body is never copied as a whole.
        case data(Data)
        /// The content of a file.
        case file(URL)
        /// The pieces of a source. If the length is nil, HTTP/1.1 sends the body in chunks.
        case stream(any BodySource, length: Int64?)
    }

    /// True if the request asks for a stream of events, which may never end.
    var asksForEvents: Bool { headers.values(of: "Accept").contains("text/event-stream") }

    /// True if the request may be sent twice; see ``HTTPMethods/isRepeatable(_:hasKey:)``.
    var isRepeatable: Bool {
        HTTPMethods.isRepeatable(
            method, hasKey: headers.values(of: IdempotencyKey.field).contains { IdempotencyKey.isKey($0) })
    }
}
#endif
