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

    /// Notes over which connection the request goes out, and what the two sides have agreed on if it is a new one.
    func noteConnection(localPort: Int32, isNew: Bool) {
        self.localPort = localPort
        guard loop.options.httpVersion.mayMultiplex(isSecure: isSecure) else { return }
        isMultiplexed = !isSecure || ![CCURL_TLS_QUIET, CCURL_TLS_PENDING].contains(ccurl_get_tls_state(easy))
        if isNew, !isMultiplexed { loop.sockets.noteHTTP1(port: localPort, or: socket) }
    }

    /// Ends the connection, which other requests may share, if libcurl's failure leaves HTTP/2 on it in disorder.
    func endConnection(after code: Int) {
        guard isMultiplexed, !Self.failuresOfOneStream.contains(code) else { return }
        loop.sockets.endMultiplexed(port: localPort)
    }

    /// Ends the connection if nothing has arrived on it since `time`: its peer may be dead, and every other request
    /// would wait in vain.
    func endConnection(ifSilentSince time: UInt64) {
        guard isMultiplexed else { return }
        loop.sockets.endMultiplexed(port: localPort, ifSilentSince: time)
    }

    private static let failuresOfOneStream: Set<Int> = Set(
        [CCURL_OK, CCURL_HTTP2_STREAM, CCURL_WRITE_ERROR, CCURL_ABORTED_BY_CALLBACK, CCURL_OPERATION_TIMEDOUT].map {
            Int($0.rawValue)
        })
}
#endif
