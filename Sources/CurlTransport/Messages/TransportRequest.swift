#if os(Linux)
public import Foundation

/// One request.
public struct TransportRequest: Sendable {
    /// The method, sent as it is: methods are case-sensitive (RFC 9110, section 9.1).
    public var method: String

    /// The URL, of scheme http or https, with a host.
    ///
    /// A user and a password in it are sent as `Authorization`.
    public var url: URL

    /// The header fields. `Content-Length` and `Transfer-Encoding` are left out: the body decides on them.
    public var headers: HeaderList

    /// The body.
    public var body: Body

    /// Seconds in which nothing may move, instead of ``TransportOptions/idleTimeout``.
    public var idleTimeout: Double?

    /// Creates a request.
    public init(
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
    public enum Body: Sendable {
        /// No body. Methods that usually have one say so with `Content-Length: 0` (RFC 9110, section 8.6).
        case none
        /// These bytes, which are not copied as a whole.
        case data(Data)
        /// The content of a file.
        case file(URL)
        /// The pieces of a source; sent chunked over HTTP/1.1 if the length is nil.
        case stream(any BodySource, length: Int64?)
    }
}
#endif
