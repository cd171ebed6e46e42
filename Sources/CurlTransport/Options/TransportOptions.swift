#if os(Linux)
/// How a ``CurlTransport`` works: limits, time-outs, trust, and the way to the server.
///
/// Times are seconds, sizes bytes. Transports with equal options share their connections.
public struct TransportOptions: Sendable, Hashable {
    /// The most connections to one host, port and scheme; requests beyond them wait.
    public var connectionsPerHost = 6

    /// The most connections in all.
    public var connections = 64

    /// How many connections there may be before those without a request are closed, the oldest first.
    public var keptConnections = 64

    /// Which version of HTTP is spoken.
    public var httpVersion = HTTPVersion.automatic

    /// How long looking up the name, connecting and agreeing on encryption may take together. Waiting for one of the
    /// ``connectionsPerHost`` to become free does not count.
    public var connectTimeout = 30.0

    /// How long nothing may move once there is a connection; a request can have its own.
    ///
    /// The time in which a body source or a consumer holds up the transfer does not count.
    public var idleTimeout = 60.0

    /// How long a transfer may take in all, in seconds, with redirects and every wait; nil, the default, for no limit
    /// other than ``loadTimeout``.
    public var totalTimeout: Double?

    /// How long a transfer may take in all, in seconds, if the bodies of its request and of its response are both in
    /// memory; the default is 600, nil is for no limit.
    ///
    /// A request whose idle time-out is longer may take as long as that. Transfers with a body that is streamed, or
    /// goes from or to a file, may take longer; they must not wait longer than this for the head of a response.
    public var loadTimeout: Double? = 600

    /// How fast the body of a request or of a response must move; nil for no limit. The default is 10 bytes a second,
    /// averaged over a minute.
    public var minimumSpeed: MinimumSpeed? = MinimumSpeed()

    /// What is done about redirects.
    public var redirects = Redirects.follow(limit: 20)

    /// Whether a redirect may lead from https to http, where everybody on the way can read and change the request and
    /// the response; false by default.
    ///
    /// If not, such a redirect is an error of kind ``TransportError/Kind/insecureRedirect``, and nothing is sent. With
    /// ``Redirects/deliver`` it is a response as any other.
    public var followsInsecureRedirects = false

    /// The longest body that is kept in memory, encoded or decoded. A body that goes to a file or a consumer may be
    /// longer.
    public var bodyBytes = 64 << 20

    /// The most bytes that all bodies together may take while the transport receives and decodes them in memory.
    /// Beyond it, a transfer whose body needs more than 64 KB fails.
    public var totalBodyBytes = 512 << 20

    /// The most bytes of headers of one transfer, with those of interim responses, trailers and redirects.
    public var headerBytes = 256 << 10

    /// The most header fields of one response, with those of its interim responses and trailers; 1000 by default. Each
    /// line of a folded field counts. The response of each redirect is counted by itself.
    public var headerFields = 1000

    /// A file of certificates (PEM) to trust instead of the system's.
    public var caFile: String?

    /// The certificate that the client shows.
    public var clientCertificate: ClientCertificate?

    /// The keys of which a server must have one, each as `sha256//` and the Base64 of the hash of the public key;
    /// empty for any. The certificate must be trusted all the same.
    public var pinnedPublicKeys: [String] = []

    /// Whether requests go through a proxy.
    public var proxy = Proxy.environment

    /// The hosts that are reached without the proxy: names, which stand for their subdomains, too, or addresses; "*"
    /// for all. Unless empty, they count instead of `no_proxy` of the environment.
    public var noProxy: [String] = []

    /// The path of a Unix domain socket to which all connections go; host and port of a URL are for the `Host` header
    /// then.
    public var unixSocket: String?

    /// Addresses by "host:port", to be used instead of looking up the name.
    public var hostOverrides: [String: String] = [:]

    /// The content codings that are asked for and decoded.
    public var acceptedEncodings = Encodings.all

    /// The `User-Agent` of requests that do not have one; nil for none.
    public var userAgent: String?

    /// Whether cookies are kept.
    public var cookies = Cookies.off

    /// Creates the default options.
    public init() {}
}
#endif
