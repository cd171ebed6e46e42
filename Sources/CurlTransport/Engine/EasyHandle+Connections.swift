#if os(Linux) || os(Android)
import CCurl

/// The state of the connection over which libcurl is about to send a request.
extension EasyHandle {
    /// The state of TLS on the connection; nil if the connection does not use TLS.
    var tlsState: ccurl_tls_state? { isSecure ? ccurl_get_tls_state(easy) : nil }

    /// Returns true if no bytes have arrived on a kept connection. Such bytes could be mistaken for the response to the
    /// next request.
    ///
    /// The bytes may be in the socket or in the TLS library. The TLS library decrypts whole records, but libcurl reads
    /// only the bytes of the previous response's body.
    func isQuiet(_ tls: ccurl_tls_state?, localPort: Int32) -> Bool {
        guard let tls else { return loop.options.httpVersion == .http2 || loop.sockets.isQuiet(port: localPort) }
        switch tls {
        case CCURL_TLS_HTTP2: return true
        case CCURL_TLS_PENDING: return false
        case CCURL_TLS_QUIET: return loop.sockets.isQuiet(port: localPort)
        default: return ccurl_version_number() >= CurlLibrary.firstWithLivenessCheck
        }
    }

    /// Records the connection of the request. For a new connection, also records the negotiated version of HTTP.
    func noteConnection(_ tls: ccurl_tls_state?, localPort: Int32, isNew: Bool) {
        self.localPort = localPort
        guard loop.options.httpVersion.mayMultiplex(isSecure: isSecure) else { return }
        isMultiplexed = tls != CCURL_TLS_QUIET && tls != CCURL_TLS_PENDING
        if isNew, !isMultiplexed { loop.sockets.noteHTTP1(port: localPort, or: socket) }
    }

    /// True if libcurl has begun to send the request. Versions that do not call back before that send a request only once,
    /// because the transport does not keep their connections.
    var hasBegunToSend: Bool {
        guard !CurlLibrary.asksBeforeSending else { return sends > 0 }
        return ccurl_get_offset(easy, CCURL_INFO_PRETRANSFER_TIME_T) > 0
    }

    /// True if the request was sent, and only over kept connections. If they end, libcurl tries five others, and then
    /// fails, although a new connection may work.
    var usedKeptConnections: Bool { sends > 0 && ccurl_get_long(easy, CCURL_INFO_NUM_CONNECTS) == 0 }

    /// Ends the connection if the failure leaves HTTP/2 on it in an undefined state. Other requests may share this
    /// connection.
    func endConnection(after code: Int) {
        guard isMultiplexed, !Self.failuresOfOneStream.contains(code) else { return }
        loop.sockets.endMultiplexed(port: localPort)
    }

    /// Ends the connection if nothing has arrived on it since `time`. Its peer may be dead, and then all other requests
    /// on the connection would wait until their time-outs.
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
