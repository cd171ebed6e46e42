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

    /// A certificate of the client and its key, in files.
    public struct ClientCertificate: Sendable, Hashable {
        /// The path of the PEM file that contains the certificate, followed by its intermediate certificates, if any.
        public var certificateFile: String

        /// The path of the PEM file that contains the private key; nil if the key is in ``certificateFile``.
        public var keyFile: String?

        /// The password of the encrypted key; nil if the key is not encrypted. No text shows the password.
        public var password: String? {
            get { hiddenPassword.value }
            set { hiddenPassword.value = newValue }
        }

        private var hiddenPassword: Hidden<String?>

        /// Creates the description of a certificate.
        public init(certificateFile: String, keyFile: String? = nil, password: String? = nil) {
            self.certificateFile = certificateFile
            self.keyFile = keyFile
            hiddenPassword = Hidden(password)
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
}
#endif
