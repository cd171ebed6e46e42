#if os(Linux)
import CCurl
import Glibc

/// The sockets of libcurl in an epoll set.
///
/// libcurl drops a socket and takes it up again around every request of a kept-alive connection. Dropping is put off
/// until the socket has something to say, which saves two system calls for each request. What a server says while
/// nobody has asked it anything must not become the answer to the next request: libcurl before 8.0 would take it for
/// that. A connection without TLS is ended then.
struct SocketWatch: ~Copyable {
    private let epoll: Int32
    private var states: [State] = []  // by descriptor

    private struct State {
        /// What the set has the socket for; nil if it is not in there.
        var watched: Int32?
        /// In the set, although nobody asks for it any more.
        var isDropped = false
        /// In the middle of a response, although nobody asks for it now.
        var isHeld = false
        /// A connection, of which we are told when it is closed.
        var isConnection = false
        /// Everything on it is HTTP/1.1.
        var isPlain = false
    }

    init() throws(TransportError) {
        epoll = ccurl_epoll_make()
        guard epoll >= 0 else { throw .file("epoll") }
    }

    deinit {
        close(epoll)
    }

    /// Watches a descriptor that is not libcurl's for input.
    func watchInput(of descriptor: Int32) {
        _ = ccurl_epoll_add(epoll, descriptor, Int32(CCURL_POLL_IN))
    }

    /// A new connection.
    mutating func note(_ socket: Int32, isPlain: Bool) {
        guard socket >= 0 else { return }
        makeRoom(for: socket)
        states[Int(socket)] = State(isConnection: true, isPlain: isPlain)
    }

    /// A connection is about to be closed.
    mutating func forget(_ socket: Int32) {
        guard states.indices.contains(Int(socket)) else { return }
        remove(socket)
        states[Int(socket)] = State()
    }

    /// A response on a connection is not read for now.
    mutating func hold(_ socket: Int32) {
        guard states.indices.contains(Int(socket)) else { return }
        states[Int(socket)].isHeld = true
    }

    /// Does what libcurl wants for a socket: `CCURL_POLL_…`.
    mutating func watch(_ socket: Int32, for what: Int32) {
        makeRoom(for: socket)
        let events = what & Int32(CCURL_POLL_INOUT)
        let index = Int(socket)
        states[index].isDropped = events == 0
        states[index].isHeld = states[index].isHeld && events == 0
        if events == 0 {
            if !states[index].isConnection { remove(socket) }
        } else if states[index].watched == nil {
            states[index].watched = ccurl_epoll_add(epoll, socket, events) == 0 ? events : nil
        } else if states[index].watched != events {
            states[index].watched = ccurl_epoll_change(epoll, socket, events) == 0 ? events : nil
        }
    }

    /// Whether an event on `socket` is of interest; if not, it is not watched any longer.
    mutating func isWanted(_ socket: Int32) -> Bool {
        let index = Int(socket)
        guard states.indices.contains(index) else { return false }
        guard states[index].isDropped else { return true }
        remove(socket)
        if states[index].isPlain, !states[index].isHeld {
            ccurl_socket_end(socket)
        }
        return false
    }

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

    /// Waits for events, at most for so many nanoseconds, for ever if nil.
    func wait(_ nanoseconds: UInt64?, events: UnsafeMutableBufferPointer<ccurl_event>) -> Int {
        let milliseconds = nanoseconds.map { Int32(min(($0 + 999_999) / 1_000_000, 86_400_000)) } ?? -1
        return Int(ccurl_epoll_wait(epoll, events.baseAddress, Int32(events.count), milliseconds))
    }
}
#endif
