#if os(Linux)
public import Foundation

extension TransportOptions {
    /// Which version of HTTP is spoken.
    public enum HTTPVersion: Sendable, Hashable {
        /// HTTP/1.1, as long as no libcurl tells an HTTP/2 body that was cut off from a whole one.
        case automatic
        /// HTTP/1.1 only.
        case http1
        /// HTTP/2 where a TLS server offers it, else HTTP/1.1.
        ///
        /// HTTP/2 carries idempotent requests alone (and those with an `Idempotency-Key`), if the body of the request has
        /// at most 16 KB and that of the response goes to memory. The others go over HTTP/1.1: libcurl does not tell
        /// which requests the server has refused unprocessed, so that they could not be sent again safely.
        ///
        /// A server or proxy can end a stream in the middle of a body with `RST_STREAM(NO_ERROR)` (RFC 9113, section
        /// 8.1). libcurl (7.88 to 8.23 were tried) takes the body for complete then, unless the response has a
        /// `Content-Length`, or a `Content-Encoding` whose end is marked.
        case http2OverTLS
        /// HTTP/2 from the first byte, also without TLS; needs libcurl 8.0. Bodies may be cut off as with
        /// ``http2OverTLS``.
        case http2

        /// Whether requests to a host may share a connection at the same time.
        func mayMultiplex(isSecure: Bool) -> Bool { self == .http2 || self == .http2OverTLS && isSecure }
    }

    /// A speed below which a transfer fails with ``TransportError/Kind/timedOut(while:)``.
    ///
    /// It counts while a body is sent or received, before decoding. The time in which a body source or a consumer holds
    /// up the transfer does not count. A response of type `text/event-stream` that goes to a consumer may be slower:
    /// little is sent there while nothing happens.
    public struct MinimumSpeed: Sendable, Hashable {
        /// Bytes per second.
        public var bytesPerSecond: Double

        /// Seconds over which the speed is averaged; the idle time-out of the request if that is longer.
        public var period: Double

        /// Creates a speed; the default is 10 bytes per second, averaged over 60 seconds.
        public init(bytesPerSecond: Double = 10, period: Double = 60) {
            self.bytesPerSecond = bytesPerSecond
            self.period = period
        }
    }

    /// What is done about redirects.
    public enum Redirects: Sendable, Hashable {
        /// They are followed, as ``HTTPRules/RedirectRules`` says, up to a number.
        ///
        /// To another scheme, host or port, only header fields of a list go along: `Accept` and its kin, `User-Agent`,
        /// `Cache-Control`, `Pragma`, `Range` and `If-Range`; those that describe the body, if that goes along; and the
        /// preconditions of a request that changes something.
        case follow(limit: Int)
        /// They are answers as any others.
        case deliver
    }

    /// A certificate of the client and its key, as files.
    public struct ClientCertificate: Sendable, Hashable {
        /// The file of the certificate (PEM), and those that lead to its issuer.
        public var certificateFile: String

        /// The file of the private key (PEM); nil if it is in ``certificateFile``.
        public var keyFile: String?

        /// What the key is encrypted with.
        public var password: String?

        /// Names a certificate.
        public init(certificateFile: String, keyFile: String? = nil, password: String? = nil) {
            self.certificateFile = certificateFile
            self.keyFile = keyFile
            self.password = password
        }
    }

    /// Whether requests go through a proxy.
    public enum Proxy: Sendable, Hashable {
        /// As `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` of the environment say. If none of the first
        /// three is set when the transport is created, none is used, even if one is set later.
        case environment
        /// Never, whatever the environment says.
        case none
        /// Through this one: http, https, socks4, socks4a, socks5 or socks5h, with a user and a password if it needs
        /// them.
        case url(URL)
    }

    /// The content codings that are asked for and decoded (RFC 9110, section 8.4).
    ///
    /// The transport refuses a body with another coding, with several codings, and with one that the request's own
    /// `Accept-Encoding` does not name. So a body expands to 1 032 times its length at the most.
    public enum Encodings: Sendable, Hashable {
        /// gzip and deflate; none if zlib is not installed.
        case all
        /// No `Accept-Encoding` is sent, nothing is decoded.
        case none
        /// These, by the names of `Accept-Encoding`: gzip, x-gzip, deflate and identity.
        case only([String])
    }

    /// Whether cookies are kept.
    public enum Cookies: Sendable, Hashable {
        /// `Cookie` and `Set-Cookie` are headers as any others.
        case off
        /// Cookies are kept as long as the transport, in memory, for it alone. They are sent in addition to a
        /// `Cookie` header.
        case inMemory
    }
}
#endif
