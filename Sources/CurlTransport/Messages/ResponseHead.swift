#if os(Linux) || os(Android)
package import Foundation

/// The head of a response: status, version and headers.
package struct ResponseHead: Sendable, Equatable {
    /// The URL of the response: the URL of the request, or the target of the last redirect.
    package var url: URL

    /// The status code: from 200 to 999, or 101.
    package var status: Int

    /// The version of HTTP, such as "1.1" or "2".
    package var httpVersion: String

    /// The header fields, without trailers. If the body was decoded, `Content-Encoding` and `Content-Length` still
    /// describe the encoded body. A body is decoded if its only coding is gzip or deflate; see
    /// ``TransportOptions/acceptedEncodings``.
    package var headers: HeaderList

    /// Creates a head.
    package init(url: URL, status: Int, httpVersion: String = "1.1", headers: HeaderList = HeaderList()) {
        self.url = url
        self.status = status
        self.httpVersion = httpVersion
        self.headers = headers
    }
}
#endif
