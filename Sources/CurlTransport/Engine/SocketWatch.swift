#if os(Linux) || os(Android)
import CCurl

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// The sockets of libcurl in an epoll set.
///
/// libcurl removes and adds the socket of a kept connection around every request. Removals are postponed until the
/// socket becomes readable, which saves two system calls for each request.
///
/// Bytes that a server sends while no request is in progress must not become the response to the next request (RFC
/// 9112, section 9.2). With libcurl 7.88, they would; libcurl 8.0 and later checks for such bytes when it reuses a
/// connection. Therefore an idle HTTP/1.1 connection ends when it becomes readable. It also ends if it is readable when
/// a request is about to use it, because the bytes may have arrived after the last check of the set. As a consequence,
/// a late session ticket of TLS 1.3 ends a connection. Frames on an idle HTTP/2 connection do not end the connection.
struct SocketWatch: ~Copyable {
    private let epoll: Int32
    private var states: [State] = []  // by descriptor
    private var connections: [Int32] = []

    private struct State {
        /// The events for which the socket is in the set; nil if it is not in the set.
        var watched: Int32?
        /// True if the socket is in the set although libcurl no longer watches it.
        var isDropped = false
        /// True if a response is in progress although libcurl does not watch the socket now.
        var isHeld = false
        /// True for a connection. libcurl reports its closing.
        var isConnection = false
        /// True if the connection carries only HTTP/1.1, so that no bytes may arrive without a request.
        var isHTTP1 = false
        /// The index of the lane whose libcurl handle watches the socket.
        var lane = 0
        /// The time of the last input, in nanoseconds of the monotonic clock.
        var lastInput: UInt64 = 0
        /// The local port; nil until it is first needed.
        var port: Int32?

        /// True if no HTTP/1.1 response is in progress.
        var isIdle: Bool { isHTTP1 && !isHeld && (isDropped || watched == nil) }
    }

    init() throws(TransportError) {
        epoll = ccurl_epoll_make()
        guard epoll >= 0 else { throw .file("epoll") }
    }

    deinit {
        close(epoll)
    }

    /// Watches a descriptor for input. The descriptor does not belong to libcurl.
    func watchInput(of descriptor: Int32) {
        _ = ccurl_epoll_add(epoll, descriptor, Int32(CCURL_POLL_IN))
    }

    /// Records a new connection. The version of HTTP on a TLS connection is still unknown.
    mutating func note(_ socket: Int32, isHTTP1: Bool) {
        guard socket >= 0 else { return }
        makeRoom(for: socket)
        states[Int(socket)] = State(isConnection: true, isHTTP1: isHTTP1)
        connections.append(socket)
    }

    /// Records that the connection with this local port has negotiated HTTP/1.1. This is the connection of `socket`,
    /// unless libcurl has last waited for another connection.
    ///
    /// The port alone is not unique: connections to different servers may have the same local port.
    mutating func noteHTTP1(port: Int32, or socket: Int32) {
        let isLikely = connections.contains(socket) && (port <= 0 || self.port(of: socket) == port)
        let found = isLikely || port <= 0 ? nil : connections.first { self.port(of: $0) == port }
        let socket = found ?? socket
        guard states.indices.contains(Int(socket)), states[Int(socket)].isConnection else { return }
        states[Int(socket)].isHTTP1 = true
    }

    /// Returns true if a request may use the idle connection with this local port. Otherwise ends the connection.
    ///
    /// libcurl does not tell which of its sockets it is about to use. Sockets of the Unix domain have no port.
    /// Therefore all idle sockets of the Unix domain are checked.
    mutating func isQuiet(port: Int32) -> Bool {
        var isQuiet = true
        for socket in connections where states[Int(socket)].isIdle && self.port(of: socket) == port {
            guard ccurl_socket_is_quiet(socket) == 0 else { continue }
            end(socket)
            isQuiet = false
        }
        return isQuiet
    }

    private mutating func port(of socket: Int32) -> Int32 {
        if let port = states[Int(socket)].port { return port }
        let port = ccurl_socket_port(socket)
        states[Int(socket)].port = port
        return port
    }

    private mutating func end(_ socket: Int32) {
        remove(socket)
        ccurl_socket_end(socket)
    }

    /// Removes a connection that is about to be closed.
    mutating func forget(_ socket: Int32) {
        guard states.indices.contains(Int(socket)) else { return }
        remove(socket)
        states[Int(socket)] = State()
        connections.removeAll { $0 == socket }
    }

    /// Ends the connections with this local port that may carry HTTP/2, if nothing has arrived on them since `time`.
    /// libcurl notices this at its next use of such a connection.
    mutating func endMultiplexed(port: Int32, ifSilentSince time: UInt64 = .max) {
        for socket in connections where !states[Int(socket)].isHTTP1 && self.port(of: socket) == port {
            guard states[Int(socket)].lastInput <= time else { continue }
            ccurl_socket_end(socket)
        }
    }

    /// Records that the response on a connection is not read at present, even if libcurl watches the socket for other
    /// events.
    mutating func hold(_ socket: Int32) {
        guard states.indices.contains(Int(socket)) else { return }
        states[Int(socket)].isHeld = true
    }

    /// Records that the held response is complete, or is read again.
    mutating func release(_ socket: Int32) {
        guard states.indices.contains(Int(socket)) else { return }
        states[Int(socket)].isHeld = false
    }

    /// Watches a socket for the events that libcurl requests (`CCURL_POLL_…`) in a lane.
    mutating func watch(_ socket: Int32, for what: Int32, in lane: Int = 0) {
        makeRoom(for: socket)
        let events = what & Int32(CCURL_POLL_INOUT)
        let index = Int(socket)
        states[index].lane = lane
        states[index].isDropped = events == 0
        if events == 0 {
            if !states[index].isConnection { remove(socket) }
        } else if states[index].watched == nil {
            states[index].watched = ccurl_epoll_add(epoll, socket, events) == 0 ? events : nil
        } else if states[index].watched != events {
            states[index].watched = ccurl_epoll_change(epoll, socket, events) == 0 ? events : nil
        }
    }

    /// Returns true if an event on a socket, at `now`, must be handled. Otherwise stops watching the socket.
    mutating func isWanted(_ event: ccurl_event, now: UInt64) -> Bool {
        let socket = event.descriptor
        let index = Int(socket)
        guard states.indices.contains(index) else { return false }
        if event.events & Int32(CCURL_CSELECT_IN) != 0 { states[index].lastInput = now }
        guard states[index].isDropped else { return true }
        if states[index].isIdle { end(socket) } else { remove(socket) }
        return false
    }

    /// Returns the index of the lane that handles an event.
    func lane(of event: ccurl_event) -> Int { states[Int(event.descriptor)].lane }

    private mutating func remove(_ socket: Int32) {
        guard states[Int(socket)].watched != nil else { return }
        ccurl_epoll_remove(epoll, socket)
        states[Int(socket)].watched = nil
    }

    private mutating func makeRoom(for socket: Int32) {
        if Int(socket) >= states.count {
            states.append(contentsOf: repeatElement(State(), count: Int(socket) + 64 - states.count))
        }
    }

    /// Waits for events, for at most `nanoseconds`; without a limit if it is nil.
    func wait(_ nanoseconds: UInt64?, events: UnsafeMutableBufferPointer<ccurl_event>) -> Int {
        let milliseconds = nanoseconds.map { Int32(min(($0 + 999_999) / 1_000_000, 86_400_000)) } ?? -1
        return Int(ccurl_epoll_wait(epoll, events.baseAddress, Int32(events.count), milliseconds))
    }
}
#endif
