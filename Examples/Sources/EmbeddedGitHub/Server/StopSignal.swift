#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// A pipe that wakes every thread waiting on it, once and for good.
///
/// ``raise()`` and then ``release()`` are each called exactly once, by the owner; the latter when nobody waits
/// any more.
struct StopSignal: Sendable {
    /// What ended a wait.
    enum Wake: Sendable {
        /// The socket has something to offer, or has failed.
        case ready

        /// The deadline has come.
        case elapsed

        /// The signal was raised; it goes before everything else.
        case stopped
    }

    private let readEnd: Int32
    private let writeEnd: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw EmbeddedGitHub.SocketError("pipe") }
        (readEnd, writeEnd) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }

    /// Wakes everybody who waits and everybody who will.
    func raise() {
        _ = close(writeEnd)
    }

    /// Gives the last descriptor back.
    func release() {
        _ = close(readEnd)
    }

    /// Waits for events on a socket (0: for its failure only), for the deadline, or for the signal.
    func wait(for events: Int32, on socket: Socket, until deadline: Deadline) -> Wake {
        var entries = [
            pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0),
            pollfd(fd: socket.descriptor, events: Int16(events), revents: 0),
        ]
        while true {
            let count = poll(&entries, nfds_t(entries.count), deadline.milliseconds)
            if entries[0].revents != 0 { return .stopped }
            if count > 0 { return .ready }
            if deadline.isOver { return .elapsed }
        }
    }
}
