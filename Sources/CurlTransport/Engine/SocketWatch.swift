#if os(Linux)
import CCurl
import Glibc

/// The sockets of libcurl in an epoll set.
///
/// libcurl drops a socket and takes it up again around every request of a kept-alive connection. Dropping is put off
/// until the socket has something to say, which saves two system calls for each request.
struct SocketWatch: ~Copyable {
    private let epoll: Int32
    private var states: [UInt8] = []  // by descriptor: what it is watched for

    /// Watched, although nobody asks for it any more.
    private static let dropped: UInt8 = 0x80

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

    /// Does what libcurl wants for a socket: `CCURL_POLL_…`.
    mutating func watch(_ socket: Int32, for what: Int32) {
        let index = Int(socket)
        if index >= states.count {
            states.append(contentsOf: repeatElement(0, count: index + 64 - states.count))
        }
        if what == CCURL_POLL_REMOVE || what == 0 {
            if states[index] != 0 { states[index] = Self.dropped }
        } else if what & Int32(CCURL_POLL_INOUT) != Int32(states[index]) {
            change(socket, to: what & Int32(CCURL_POLL_INOUT))
        }
    }

    /// The number may be that of a new socket by now: closing took the old one out of the set, and changing it fails.
    private mutating func change(_ socket: Int32, to what: Int32) {
        if states[Int(socket)] == 0 || ccurl_epoll_change(epoll, socket, what) != 0 {
            if ccurl_epoll_add(epoll, socket, what) != 0 {
                _ = ccurl_epoll_change(epoll, socket, what)
            }
        }
        states[Int(socket)] = UInt8(what)
    }

    /// Whether an event on `socket` is of interest; if not, it is not watched any longer.
    mutating func isWanted(_ socket: Int32) -> Bool {
        guard Int(socket) < states.count, states[Int(socket)] == Self.dropped else { return true }
        ccurl_epoll_remove(epoll, socket)
        states[Int(socket)] = 0
        return false
    }

    /// Waits for events, at most for so many nanoseconds, for ever if nil.
    func wait(_ nanoseconds: UInt64?, events: UnsafeMutableBufferPointer<ccurl_event>) -> Int {
        let milliseconds = nanoseconds.map { Int32(min(($0 + 999_999) / 1_000_000, 86_400_000)) } ?? -1
        return Int(ccurl_epoll_wait(epoll, events.baseAddress, Int32(events.count), milliseconds))
    }
}
#endif
