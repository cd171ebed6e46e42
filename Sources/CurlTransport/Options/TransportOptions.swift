#if os(Linux) || os(Android)
/// The options of a ``CurlTransport``, such as limits, time-outs, certificates and proxies.
///
/// Times are in seconds, and sizes are in bytes. Transports with equal options share their connections, unless they
/// store cookies.
public struct TransportOptions: Sendable, Hashable {
    /// The maximum number of connections to one host, port and scheme; 6 by default. If all of them are in use, further
    /// requests wait.
    ///
    /// This limit, ``connections`` and ``keptConnections`` apply separately to each of five kinds of exchanges:
    ///
    /// - Exchanges whose bodies are in memory, such as loads.
    /// - Exchanges with a body that is streamed or in a file.
    /// - Event streams. Because they do not end, they are limited by ``connections`` alone.
    /// - Requests for credentials.
    /// - Unsafe requests (RFC 9110 §9.2.1), such as POST, that begin when the number of exchanges of the first kind has
    ///   reached this limit.
    ///
    /// A load therefore never waits for the end of a stream or a download, and a POST that logs in never waits for
    /// loads.
    public var connectionsPerHost = 6

    /// The maximum number of connections to all hosts together; 64 by default.
    public var connections = 64

    /// The number of open connections above which the transport closes idle connections, the oldest first; 64 by
    /// default.
    public var keptConnections = 64

    /// The version of HTTP that the transport uses; ``HTTPVersion/automatic`` by default.
    public var httpVersion = HTTPVersion.automatic

    /// The maximum total time for resolving the name, connecting, and negotiating TLS, in seconds; 30 by default. The
    /// wait for a free connection (see ``connectionsPerHost``) is not included.
    public var connectTimeout = 30.0

    /// The number of seconds without any traffic on a connection after which an exchange fails; 60 by default. A
    /// request can set its own idle time-out.
    ///
    /// The time during which the exchange waits for a body source or a consumer is not included.
    public var idleTimeout = 60.0

    /// The maximum duration of an exchange, in seconds, including redirects and all waits. The default is nil: only
    /// ``loadTimeout`` applies.
    public var totalTimeout: Double?

    /// The maximum duration, in seconds, of an exchange whose request and response bodies are in memory. The default is
    /// 600, and nil means no limit.
    ///
    /// If the idle time-out of a request is longer, the idle time-out is the limit. If a body is streamed or in a file,
    /// the limit applies only while the exchange waits for the head of the response.
    public var loadTimeout: Double? = 600

    /// The minimum speed at which the body of a request or a response is transferred, in bytes per second, averaged
    /// over ``minimumSpeedPeriod``. The default is 10, and nil means no limit. Slower exchanges fail with
    /// ``TransportError/Kind/timedOut(while:)``.
    ///
    /// The speed is measured before decoding, while a body is sent or received. The measurement excludes waits for a
    /// body source or a consumer. There is no minimum speed for a streamed response of type `text/event-stream`,
    /// because the server sends little while there are no events.
    public var minimumSpeed: Double? = 10

    /// The period, in seconds, over which the speed is averaged before it is compared with ``minimumSpeed``; 60 by
    /// default. If the idle time-out of the request is longer, the idle time-out is used instead.
    public var minimumSpeedPeriod = 60.0

    /// The maximum number of redirects that the transport follows for one request; 20 by default. With nil, the
    /// transport does not follow redirects, and returns them like any other response.
    ///
    /// After a redirect to another scheme, host or port, the transport sends only these header fields:
    ///
    /// - `Accept` and related fields, `User-Agent`, `Cache-Control`, `Pragma`, `Range` and `If-Range`
    /// - the fields that describe the body, if the body is sent
    /// - the preconditions, such as `If-Match`, of requests with an unsafe method
    public var redirectLimit: Int? = 20

    /// True if the transport follows redirects from https to http; false by default. With http, anyone on the network
    /// path can read and change the request and the response.
    ///
    /// If this property is false, such a redirect causes an error of kind ``TransportError/Kind/insecureRedirect``, and
    /// the transport sends nothing to its target. If ``redirectLimit`` is nil, the redirect is returned as a response.
    public var followsInsecureRedirects = false

    /// The maximum length of a response body in memory, in bytes; 64 MB by default. The limit applies before and after
    /// decoding. A body that is streamed, or saved directly to a file, may be longer.
    public var bodyBytes = 64 << 20

    /// The maximum memory that all response bodies together may use while the transport receives and decodes them, in
    /// bytes; 512 MB by default. When this limit is reached, exchanges whose bodies need more than 64 KB fail.
    public var totalBodyBytes = 512 << 20

    /// The maximum length of the headers of one exchange, in bytes, including interim responses, trailers and
    /// redirects; 256 KB by default.
    public var headerBytes = 256 << 10

    /// The maximum number of header fields of one response, including its interim responses and trailers; 1000 by
    /// default. Each line of a folded field counts as one field. The response of each redirect is counted separately.
    public var headerFields = 1000

    /// The path of a PEM file with trusted certificates, which replace the system's certificates. The default is nil:
    /// the system's certificates are used.
    public var caFile: String?

    /// The certificate with which the client identifies itself. The default is nil: no certificate.
    public var clientCertificate: ClientCertificate?

    /// The public keys that are accepted from servers. Each element is `sha256//`, followed by the SHA-256 hash of the
    /// key in Base64. The default is empty: any key is accepted. In both cases, the certificate must also be trusted.
    public var pinnedPublicKeys: [String] = []

    /// The proxy that the transport uses; ``Proxy/environment`` by default.
    public var proxy = Proxy.environment

    /// The hosts that are reached without the proxy, as addresses or names. A name includes its subdomains; "*" means
    /// all hosts. If the list is not empty, it replaces the environment variable `no_proxy`.
    public var noProxy: [String] = []

    /// The path of a Unix domain socket that all connections use; nil by default. If the path is set, the host and port
    /// of a URL only determine the `Host` header.
    public var unixSocket: String?

    /// The addresses of hosts whose names the transport does not look up. Each key has the form "host:port"; its value
    /// is an address of that host.
    public var hostOverrides: [String: String] = [:]

    /// The content codings that the transport requests and decodes (RFC 9110, section 8.4), by their names in
    /// `Accept-Encoding`: gzip, x-gzip, deflate and identity. The default is nil: gzip and deflate, or no coding if
    /// zlib is not installed. If the list is empty, the transport does not send `Accept-Encoding`, and does not decode
    /// bodies.
    ///
    /// If `Content-Encoding` contains any other coding, the body is passed on as received, with all headers. The
    /// transport rejects bodies with several of the codings above, so that decoding multiplies the length of a body by
    /// at most 1 032. It also rejects a body with one of these codings if the request has an `Accept-Encoding` that
    /// does not name the coding. libcurl may reject a `Content-Encoding` with more than five codings.
    public var acceptedEncodings: [String]?

    /// The `User-Agent` of requests that do not set this header. The default is nil: no `User-Agent`.
    public var userAgent: String?

    /// True if the transport stores cookies in memory, only for itself and only while it exists. If a request has a
    /// `Cookie` header, the stored cookies are sent in addition to it. The default is false: the transport treats
    /// `Cookie` and `Set-Cookie` like any other headers.
    public var keepsCookies = false

    /// Creates the default options.
    public init() {}
}
#endif
