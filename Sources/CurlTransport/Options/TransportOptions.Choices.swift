#if os(Linux) || os(Android)
public import Foundation
import HTTPRules

extension TransportOptions {
    /// The versions of HTTP that a transport uses.
    public enum HTTPVersion: Sendable, Hashable {
        /// HTTP/1.1. Future versions may also use HTTP/2, once libcurl can distinguish a truncated HTTP/2 body from a
        /// complete body.
        case automatic
        /// HTTP/1.1 only.
        case http1
        /// HTTP/2 if a TLS server offers this version, otherwise HTTP/1.1.
        ///
        /// A request uses HTTP/2 only if it satisfies all of these conditions; otherwise it uses HTTP/1.1:
        ///
        /// - Its method is idempotent, or the request has an `Idempotency-Key`.
        /// - Its body has at most 16 KB.
        /// - The body of its response goes to memory.
        ///
        /// The conditions are necessary because libcurl does not report which requests the server has refused without
        /// processing. Only requests that satisfy the conditions can be sent again safely.
        ///
        /// A server or proxy can end a stream in the middle of a body with `RST_STREAM(NO_ERROR)` (RFC 9113, section
        /// 8.1). The tested libcurl versions, 7.88 to 8.23, then treat the body as complete. The transport detects the
        /// truncation only if the response has a `Content-Length`, or if it decompresses the body, because gzip and
        /// deflate data marks its end.
        case http2OverTLS
        /// HTTP/2 from the first byte, even without TLS. Requires libcurl 8.0. Bodies may be truncated in the same way
        /// as with ``http2OverTLS``.
        case http2

        /// Returns true if requests to a host may share a connection at the same time.
        func mayMultiplex(isSecure: Bool) -> Bool { self == .http2 || self == .http2OverTLS && isSecure }
    }

    /// A speed below which an exchange fails with ``TransportError/Kind/timedOut(while:)``.
    ///
    /// The speed is measured before decoding, while a body is sent or received. The measurement excludes waits for a
    /// body source or a consumer. A response of type `text/event-stream` to a consumer may be slower, because the
    /// server sends little while there are no events.
    public struct MinimumSpeed: Sendable, Hashable {
        /// The speed in bytes per second.
        public var bytesPerSecond: Double

        /// The number of seconds over which the speed is averaged. If the idle time-out of the request is longer, the
        /// idle time-out is used instead.
        public var period: Double

        /// Creates a speed. The default is 10 bytes per second, averaged over 60 seconds.
        public init(bytesPerSecond: Double = 10, period: Double = 60) {
            self.bytesPerSecond = bytesPerSecond
            self.period = period
        }
    }

    /// The treatment of redirects.
    public enum Redirects: Sendable, Hashable {
        /// The transport follows up to this number of redirects, by the rules of `RedirectRules`.
        ///
        /// After a redirect to another scheme, host or port, the transport sends only these header fields:
        ///
        /// - `Accept` and related fields, `User-Agent`, `Cache-Control`, `Pragma`, `Range` and `If-Range`
        /// - the fields that describe the body, if the body is sent
        /// - the preconditions of requests that are not safe
        case follow(limit: Int)
        /// The transport returns redirects as responses, like any other response.
        case deliver
    }

    /// A certificate of the client and its key, in files.
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
        /// The proxy that the environment variables `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` determine.
        /// If none of the first three variables is set when the transport is created, the transport ignores variables
        /// that are set later.
        case environment
        /// No proxy, even if the environment contains one.
        case none
        /// The proxy with this URL: http, https, socks4, socks4a, socks5 or socks5h, with a user and a password if
        /// required.
        case url(URL)

        /// Returns the proxy with this URL, and with a user and a password, which may contain any characters except
        /// control characters.
        public static func url(_ url: URL, user: String, password: String) -> Proxy {
            var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
            parts?.percentEncodedUser = PercentEncoding.escapeTemplate(user[...], allowingReserved: false)
            parts?.percentEncodedPassword = PercentEncoding.escapeTemplate(password[...], allowingReserved: false)
            return .url(parts?.url ?? url)
        }
    }

    /// The content codings that the transport requests and decodes (RFC 9110, section 8.4).
    ///
    /// The transport knows gzip and deflate. If `Content-Encoding` names another coding, alone or in a list, the body
    /// is passed on as received, with all headers. The transport rejects bodies with several known codings. Therefore,
    /// decoding multiplies the length of a body by at most 1 032. The transport also rejects a known coding if the
    /// request has an `Accept-Encoding` that does not name this coding. libcurl may reject a list of more than five
    /// codings.
    public enum Encodings: Sendable, Hashable {
        /// gzip and deflate. If zlib is not installed, no coding is requested.
        case all
        /// No coding: `Accept-Encoding` is not sent, and bodies are not decoded.
        case none
        /// These codings, by their names in `Accept-Encoding`: gzip, x-gzip, deflate and identity.
        case only([String])
    }

    /// The treatment of cookies.
    public enum Cookies: Sendable, Hashable {
        /// The transport treats `Cookie` and `Set-Cookie` like any other headers.
        case off
        /// The transport stores cookies in memory, only for itself and only while it exists. It sends the stored
        /// cookies in addition to a `Cookie` header.
        case inMemory
    }
}
#endif
