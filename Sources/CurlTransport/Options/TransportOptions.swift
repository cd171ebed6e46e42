#if os(Linux) || os(Android)
/// The options of a ``CurlTransport``: limits, time-outs, trust, and the route to the server.
///
/// Times are in seconds, sizes in bytes. Transports with equal options share their connections, unless they store
/// cookies.
public struct TransportOptions: Sendable, Hashable {
    /// The maximum number of connections to one host, port and scheme; 6 by default. Further requests wait.
    ///
    /// This limit, `connections` and `keptConnections` apply to loads separately from exchanges with a body that is
    /// streamed or in a file. A load therefore never waits for the end of a stream or a download.
    public var connectionsPerHost = 6

    /// The maximum number of connections to all hosts; 64 by default.
    public var connections = 64

    /// The number of connections above which the transport closes connections without a request, the oldest first; 64
    /// by default.
    public var keptConnections = 64

    /// The version of HTTP; ``HTTPVersion/automatic`` by default.
    public var httpVersion = HTTPVersion.automatic

    /// The maximum time for resolving the name, connecting and negotiating TLS together, in seconds; 30 by default. The
    /// wait for a free connection (see ``connectionsPerHost``) is not included.
    public var connectTimeout = 30.0

    /// The number of seconds without any traffic on a connection after which an exchange fails; 60 by default. A
    /// request can set its own idle time-out.
    ///
    /// The time that the exchange spends waiting for a body source or a consumer is not included.
    public var idleTimeout = 60.0

    /// The maximum duration of an exchange, in seconds, including redirects and all waits. The default is nil: only
    /// ``loadTimeout`` applies.
    public var totalTimeout: Double?

    /// The maximum duration of an exchange whose request and response bodies are in memory, in seconds; 600 by default,
    /// nil for no limit.
    ///
    /// If the idle time-out of a request is longer, the idle time-out is the limit. If a body is streamed or in a file,
    /// the limit applies only while the exchange waits for the head of the response.
    public var loadTimeout: Double? = 600

    /// The minimum speed of the body of a request or a response, in bytes per second, averaged over
    /// ``minimumSpeedPeriod``; nil for no limit. The default is 10. Slower exchanges fail with
    /// ``TransportError/Kind/timedOut(while:)``.
    ///
    /// The speed is measured before decoding, while a body is sent or received. The measurement excludes waits for a
    /// body source or a consumer. A response of type `text/event-stream` to a consumer may be slower, because the
    /// server sends little while there are no events.
    public var minimumSpeed: Double? = 10

    /// The number of seconds over which ``minimumSpeed`` is averaged; 60 by default. If the idle time-out of the
    /// request is longer, the idle time-out is used instead.
    public var minimumSpeedPeriod = 60.0

    /// The maximum number of redirects that the transport follows for one request; 20 by default. With nil, the
    /// transport returns redirects as responses, like any other response.
    ///
    /// After a redirect to another scheme, host or port, the transport sends only these header fields:
    ///
    /// - `Accept` and related fields, `User-Agent`, `Cache-Control`, `Pragma`, `Range` and `If-Range`
    /// - the fields that describe the body, if the body is sent
    /// - the preconditions of requests that are not safe
    public var redirectLimit: Int? = 20

    /// True if the transport follows redirects from https to http; false by default. With http, anyone on the network
    /// path can read and change the request and the response.
    ///
    /// If this property is false, such a redirect is an error of kind ``TransportError/Kind/insecureRedirect``, and
    /// nothing is sent. If ``redirectLimit`` is nil, the redirect is returned as a response.
    public var followsInsecureRedirects = false

    /// The maximum length of a body in memory, encoded or decoded, in bytes; 64 MB by default. A body that goes to a
    /// file or a consumer may be longer.
    public var bodyBytes = 64 << 20

    /// The maximum memory of all bodies together, in bytes, while the transport receives and decodes them; 512 MB by
    /// default. When this limit is reached, exchanges whose bodies need more than 64 KB fail.
    public var totalBodyBytes = 512 << 20

    /// The maximum length of the headers of one exchange, in bytes, including interim responses, trailers and
    /// redirects; 256 KB by default.
    public var headerBytes = 256 << 10

    /// The maximum number of header fields of one response, including its interim responses and trailers; 1000 by
    /// default. Each line of a folded field counts as one field. The response of each redirect is counted separately.
    public var headerFields = 1000

    /// A file of trusted certificates (PEM), which replaces the system's certificates. The default is nil: the system's
    /// certificates are used.
    public var caFile: String?

    /// The certificate of the client. The default is nil: no certificate.
    public var clientCertificate: ClientCertificate?

    /// The accepted public keys of servers, each as `sha256//` and the Base64 of the key's hash. The default is empty:
    /// any key is accepted. The certificate must also be trusted.
    public var pinnedPublicKeys: [String] = []

    /// The choice of a proxy; ``Proxy/environment`` by default.
    public var proxy = Proxy.environment

    /// The hosts that are reached without the proxy, as addresses or names. A name includes its subdomains; "*" means
    /// all hosts. A list that is not empty replaces `no_proxy` of the environment.
    public var noProxy: [String] = []

    /// The path of a Unix domain socket for all connections. If the path is set, the host and port of a URL only
    /// determine the `Host` header.
    public var unixSocket: String?

    /// The addresses of hosts, by "host:port". For these hosts, the addresses replace the name lookup.
    public var hostOverrides: [String: String] = [:]

    /// The content codings that the transport requests and decodes (RFC 9110, section 8.4), by their names in
    /// `Accept-Encoding`: gzip, x-gzip, deflate and identity. The default is nil: gzip and deflate, or no coding if zlib
    /// is not installed. If the list is empty, `Accept-Encoding` is not sent, and bodies are not decoded.
    ///
    /// If `Content-Encoding` names another coding, alone or in a list, the body is passed on as received, with all
    /// headers. The transport rejects bodies with several known codings. Therefore, decoding multiplies the length of a
    /// body by at most 1 032. The transport also rejects a known coding if the request has an `Accept-Encoding` that
    /// does not name this coding. libcurl may reject a list of more than five codings.
    public var acceptedEncodings: [String]?

    /// The `User-Agent` of requests that do not set this header. The default is nil: no `User-Agent`.
    public var userAgent: String?

    /// True if the transport stores cookies in memory, only for itself and only while it exists. It sends the stored
    /// cookies in addition to a `Cookie` header. The default is false: `Cookie` and `Set-Cookie` are headers like any
    /// others.
    public var keepsCookies = false

    /// Creates the default options.
    public init() {}
}
#endif
