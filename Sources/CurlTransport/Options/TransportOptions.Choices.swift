#if os(Linux)
public import Foundation

extension TransportOptions {
    /// The versions of HTTP that a transport uses.
    public enum HTTPVersion: Sendable, Hashable {
        /// HTTP/1.1, until there is a libcurl that can distinguish a truncated HTTP/2 body from a complete one.
        case automatic
        /// HTTP/1.1 only.
        case http1
        /// HTTP/2 if a TLS server offers it, otherwise HTTP/1.1.
        ///
        /// A request uses HTTP/2 only if it satisfies all of these conditions; otherwise it uses HTTP/1.1:
        ///
        /// - Its method is idempotent, or it has an `Idempotency-Key`.
        /// - Its body has at most 16 KB.
        /// - The body of its response goes to memory.
        ///
        /// The reason is that libcurl does not tell which requests the server has refused unprocessed. Other requests
        /// could therefore not be sent again safely.
        ///
        /// A server or proxy can end a stream in the middle of a body with `RST_STREAM(NO_ERROR)` (RFC 9113, section
        /// 8.1). The libcurl versions 7.88 to 8.23, which were tried, then treat the body as complete. They detect the
        /// truncation only if the response has a `Content-Length`, or a `Content-Encoding` that marks its end.
        case http2OverTLS
        /// HTTP/2 from the first byte, even without TLS. Requires libcurl 8.0. Bodies may be truncated as with
        /// ``http2OverTLS``.
        case http2

        /// Returns true if requests to a host may share a connection at the same time.
        func mayMultiplex(isSecure: Bool) -> Bool { self == .http2 || self == .http2OverTLS && isSecure }
    }

    /// A speed below which a transfer fails with ``TransportError/Kind/timedOut(while:)``.
    ///
    /// The speed is measured before decoding, while a body is sent or received. Waits for a body source or a consumer
    /// do not count. A response of type `text/event-stream` to a consumer may be slower: such a response sends little
    /// while nothing happens.
    public struct MinimumSpeed: Sendable, Hashable {
        /// The speed in bytes per second.
        public var bytesPerSecond: Double

        /// The number of seconds over which the speed is averaged. If the idle time-out of the request is longer, it is
        /// used instead.
        public var period: Double

        /// Creates a speed. The default is 10 bytes per second, averaged over 60 seconds.
        public init(bytesPerSecond: Double = 10, period: Double = 60) {
            self.bytesPerSecond = bytesPerSecond
            self.period = period
        }
    }

    /// The treatment of redirects.
    public enum Redirects: Sendable, Hashable {
        /// The transport follows redirects as ``HTTPRules/RedirectRules`` says, up to this number.
        ///
        /// To another scheme, host or port, it sends only these header fields:
        ///
        /// - `Accept` and related fields, `User-Agent`, `Cache-Control`, `Pragma`, `Range` and `If-Range`
        /// - the fields that describe the body, if the body is sent
        /// - the preconditions of requests that are not safe
        case follow(limit: Int)
        /// The transport delivers redirects like any other response.
        case deliver
    }

    /// A certificate of the client and its key, as files.
    public struct ClientCertificate: Sendable, Hashable {
        /// The file of the certificate (PEM), including the certificates up to its issuer.
        public var certificateFile: String

        /// The file of the private key (PEM); nil if the key is in ``certificateFile``.
        public var keyFile: String?

        /// The password of the encrypted key; nil if the key is not encrypted.
        public var password: String?

        /// Creates the description of a certificate.
        public init(certificateFile: String, keyFile: String? = nil, password: String? = nil) {
            self.certificateFile = certificateFile
            self.keyFile = keyFile
            self.password = password
        }
    }

    /// The choice of a proxy.
    public enum Proxy: Sendable, Hashable {
        /// The proxy that `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` of the environment name. If none of
        /// the first three is set when the transport is created, it never uses a proxy, even if one is set later.
        case environment
        /// No proxy, even if the environment names one.
        case none
        /// The proxy with this URL: http, https, socks4, socks4a, socks5 or socks5h, with a user and a password if
        /// required.
        case url(URL)
    }

    /// The content codings that the transport requests and decodes (RFC 9110, section 8.4).
    ///
    /// The transport refuses bodies with another coding, with several codings, or with a coding that the request's own
    /// `Accept-Encoding` does not name. A body therefore expands at most 1 032 times.
    public enum Encodings: Sendable, Hashable {
        /// gzip and deflate; none if zlib is not installed.
        case all
        /// No coding: `Accept-Encoding` is not sent, and nothing is decoded.
        case none
        /// These codings, by their names in `Accept-Encoding`: gzip, x-gzip, deflate and identity.
        case only([String])
    }

    /// The treatment of cookies.
    public enum Cookies: Sendable, Hashable {
        /// The transport treats `Cookie` and `Set-Cookie` like any other headers.
        case off
        /// The transport stores cookies in memory, for itself alone and as long as it exists. It sends them in addition
        /// to a `Cookie` header.
        case inMemory
    }
}
#endif
