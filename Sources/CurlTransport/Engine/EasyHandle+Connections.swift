#if os(Linux)
import CCurl

/// The state of the connection over which libcurl is about to send a request.
extension EasyHandle {
    /// The state of TLS on the connection; nil without TLS.
    var tlsState: ccurl_tls_state? { isSecure ? ccurl_get_tls_state(easy) : nil }

    /// Returns true if nothing has arrived on a kept connection that could be mistaken for the response to the next
    /// request.
    ///
    /// Such bytes may be in the socket or in the TLS library: it decrypts whole records, while libcurl reads only the
    /// bytes of the previous response's body.
    func isQuiet(_ tls: ccurl_tls_state?, localPort: Int32) -> Bool {
        guard let tls else { return loop.options.httpVersion == .http2 || loop.sockets.isQuiet(port: localPort) }
        switch tls {
        case CCURL_TLS_HTTP2: return true
        case CCURL_TLS_PENDING: return false
        case CCURL_TLS_QUIET: return loop.sockets.isQuiet(port: localPort)
        default: return ccurl_version_number() >= CurlLibrary.firstWithLivenessCheck
        }
    }

    /// Notes the connection of the request, and for a new connection also the negotiated version of HTTP.
    func noteConnection(_ tls: ccurl_tls_state?, localPort: Int32, isNew: Bool) {
        self.localPort = localPort
        guard loop.options.httpVersion.mayMultiplex(isSecure: isSecure) else { return }
        isMultiplexed = tls != CCURL_TLS_QUIET && tls != CCURL_TLS_PENDING
        if isNew, !isMultiplexed { loop.sockets.noteHTTP1(port: localPort, or: socket) }
    }

    /// Ends the connection, which other requests may share, if libcurl's failure leaves HTTP/2 on it in an undefined
    /// state.
    func endConnection(after code: Int) {
        guard isMultiplexed, !Self.failuresOfOneStream.contains(code) else { return }
        loop.sockets.endMultiplexed(port: localPort)
    }

    /// Ends the connection if nothing has arrived on it since `time`: its peer may be dead, and all other requests on
    /// it would wait in vain.
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
