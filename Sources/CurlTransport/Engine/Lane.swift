#if os(Linux) || os(Android)
import CCurl

/// A multi handle of libcurl, with its own connections and its own limits for them. Only the thread of its loop uses
/// it.
///
/// An exchange that takes long, such as a stream, and one for which all others wait, such as a request for a
/// credential, must not compete with loads for the connections to a host. libcurl cannot tell them apart. Therefore
/// each kind of exchange has a lane.
final class Lane {
    /// The kind of exchanges in a lane.
    enum Kind: Int {
        /// Requests and responses in memory.
        case load
        /// Requests or responses whose bodies are streamed or in a file.
        case stream
        /// Streams of events, which do not end.
        case events
        /// Requests that obtain a credential.
        case credential
        /// Requests that are not safe (RFC 9110 §9.2.1), while the lane of loads has as many requests as there may be
        /// connections to one host.
        case change
    }

    let multi: OpaquePointer
    let kind: Kind
    /// The index in the lanes of the loop.
    let index: Int
    unowned let loop: EventLoop
    private var isClosed = false
    /// The number of handles in the lane.
    var count = 0
    /// The time at which libcurl must be called, in nanoseconds of the monotonic clock.
    var timer = UInt64.max

    /// Returns nil if there is no memory.
    init?(_ kind: Kind, of loop: EventLoop) {
        guard let multi = ccurl_multi_make() else { return nil }
        (self.multi, self.kind, self.loop) = (multi, kind, loop)
        index = loop.lanes.count
        setUp(loop.options)
    }

    deinit {
        close()
    }

    /// Closes all connections.
    func close() {
        if !isClosed { ccurl_multi_cleanup(multi) }
        isClosed = true
    }

    private func setUp(_ options: TransportOptions) {
        let data = Unmanaged.passUnretained(self).toOpaque()
        for (option, value) in [
            // A stream of events does not end, so that another one would wait for ever.
            (CCURL_MULTI_OPT_MAX_HOST_CONNECTIONS, kind == .events ? options.connections : options.connectionsPerHost),
            (CCURL_MULTI_OPT_MAX_TOTAL_CONNECTIONS, options.connections),
            (CCURL_MULTI_OPT_MAXCONNECTS, options.keptConnections),
            (CCURL_MULTI_OPT_PIPELINING, CCURL_PIPE_MULTIPLEX),
        ] {
            _ = ccurl_multi_set_long(multi, option, min(max(1, value), 1_000_000))
        }
        _ = ccurl_multi_set_data(multi, CCURL_MULTI_OPT_SOCKETDATA, data)
        _ = ccurl_multi_set_data(multi, CCURL_MULTI_OPT_TIMERDATA, data)
        _ = ccurl_multi_set_socket(multi) { easy, socket, what, data, _ in
            guard let lane = Lane.from(data) else { return 0 }
            lane.loop.watch(socket, for: what, of: easy, in: lane)
            return 0
        }
        _ = ccurl_multi_set_timer(multi) { _, milliseconds, data in
            Lane.from(data)?.setTimer(milliseconds)
            return 0
        }
    }

    private func setTimer(_ milliseconds: Int) {
        timer = milliseconds < 0 ? .max : milliseconds == 0 ? 0 : .monotonicNow + UInt64(milliseconds) * 1_000_000
    }

    private static func from(_ data: UnsafeMutableRawPointer?) -> Lane? {
        data.map { Unmanaged<Lane>.fromOpaque($0).takeUnretainedValue() }
    }
}
#endif
