#if os(Linux)
public import Foundation

/// What a server says about a response before its body.
public struct ResponseHead: Sendable, Equatable {
    /// Where the response came from: the URL of the request, or the one that the last redirect led to.
    public var url: URL

    /// The status code; from 200 to 999, or 101.
    public var status: Int

    /// The version of HTTP, such as "1.1" or "2".
    public var httpVersion: String

    /// The header fields, without trailers. A body that was decoded is described as it was sent, in `Content-Encoding`
    /// and `Content-Length`.
    public var headers: HeaderList

    /// Creates a head.
    public init(url: URL, status: Int, httpVersion: String = "1.1", headers: HeaderList = HeaderList()) {
        self.url = url
        self.status = status
        self.httpVersion = httpVersion
        self.headers = headers
    }
}
#endif
