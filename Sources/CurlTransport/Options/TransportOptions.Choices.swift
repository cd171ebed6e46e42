#if os(Linux) || os(Android)
public import Foundation
import HTTPRules

extension TransportOptions {
    /// The versions of HTTP that a transport can use.
    public enum HTTPVersion: Sendable, Hashable {
        /// HTTP/1.1. Future versions of this library may also use HTTP/2, once libcurl can distinguish a truncated
        /// HTTP/2 body from a complete body.
        case automatic
        /// HTTP/1.1 only.
        case http1
        /// HTTP/2 if the connection uses TLS and the server offers HTTP/2; otherwise HTTP/1.1.
        ///
        /// A request uses HTTP/1.1 unless it satisfies all of these conditions:
        ///
        /// - Its method is idempotent, or the request has an `Idempotency-Key`.
        /// - Its body is no larger than 16 KB.
        /// - Its response body is received in memory.
        ///
        /// The conditions are necessary because libcurl does not report whether the server refused a request without
        /// processing it. Only requests that satisfy the conditions can be sent again safely.
        ///
        /// A server or proxy can end a stream in the middle of a body with `RST_STREAM(NO_ERROR)` (RFC 9113, section
        /// 8.1). The tested libcurl versions, 7.88 to 8.23, then treat the body as complete. The transport detects the
        /// truncation only if the response has a `Content-Length`, or if the transport decompresses the body, because
        /// the end of gzip and deflate data is marked.
        case http2OverTLS
        /// HTTP/2 from the first byte, even without TLS. Requires libcurl 8.0. As with ``http2OverTLS``, the transport
        /// may not detect that a body is truncated.
        case http2

        /// Returns true if requests to a host may share a connection at the same time.
        func mayMultiplex(isSecure: Bool) -> Bool { self == .http2 || self == .http2OverTLS && isSecure }
    }

    /// The files that contain a client certificate and its private key.
    public struct ClientCertificate: Sendable, Hashable {
        /// The path of the PEM file that contains the certificate, followed by its intermediate certificates, if any.
        public var certificateFile: String

        /// The path of the PEM file that contains the private key; nil if the key is in ``certificateFile``.
        public var keyFile: String?

        /// The password of the encrypted key; nil if the key is not encrypted. Descriptions and dumps do not contain
        /// the password.
        public var password: String? {
            get { hiddenPassword.value }
            set { hiddenPassword.value = newValue }
        }

        private var hiddenPassword: Hidden<String?>

        /// Creates a client certificate from the paths of its files.
        public init(certificateFile: String, keyFile: String? = nil, password: String? = nil) {
            self.certificateFile = certificateFile
            self.keyFile = keyFile
            hiddenPassword = Hidden(password)
        }
    }

    /// A setting that selects a proxy, or none.
    public enum Proxy: Sendable, Hashable {
        /// The proxy that the environment variables `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` determine.
        /// If none of the first three variables is set when the transport is created, the transport ignores variables
        /// that are set later.
        case environment
        /// No proxy, even if an environment variable names a proxy.
        case none
        /// The proxy with this URL. The scheme is http, https, socks4, socks4a, socks5 or socks5h. The URL may contain
        /// a user and a password.
        case url(URL)

        /// Returns the proxy with this URL, user and password. The user and the password may contain any characters
        /// except control characters.
        public static func url(_ url: URL, user: String, password: String) -> Proxy {
            var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
            parts?.percentEncodedUser = PercentEncoding.escapeTemplate(user[...], allowingReserved: false)
            parts?.percentEncodedPassword = PercentEncoding.escapeTemplate(password[...], allowingReserved: false)
            return .url(parts?.url ?? url)
        }
    }
}
#endif
