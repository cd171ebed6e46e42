#if os(Linux)
import CCurl

/// What is known about the connection that libcurl is about to send a request over.
extension EasyHandle {
    /// Whether nothing has arrived on a kept connection that could be taken for the response to the next request.
    ///
    /// The bytes are in the socket, or in the TLS library: it decrypts whole records, and libcurl reads no more of them
    /// than belongs to the body of the response before.
    func isQuiet(localPort: Int32) -> Bool {
        guard isSecure else { return loop.options.httpVersion == .http2 || loop.sockets.isQuiet(port: localPort) }
        switch ccurl_get_tls_state(easy) {
        case CCURL_TLS_HTTP2: return true
        case CCURL_TLS_PENDING: return false
        case CCURL_TLS_QUIET: return loop.sockets.isQuiet(port: localPort)
        default: return ccurl_version_number() >= CurlLibrary.firstWithLivenessCheck
        }
    }

    /// Notes what the two sides of a new connection with TLS have agreed on.
    func noteVersion(localPort: Int32) {
        guard isSecure, [CCURL_TLS_QUIET, CCURL_TLS_PENDING].contains(ccurl_get_tls_state(easy)) else { return }
        loop.sockets.noteHTTP1(port: localPort, or: socket)
    }
}
#endif
