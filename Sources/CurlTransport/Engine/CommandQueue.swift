#if os(Linux) || os(Android)
import CCurl
import Isolation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// The commands from other threads to an engine's thread, in order.
///
/// A descriptor wakes the thread, and only if the thread sleeps.
final class CommandQueue: Sendable {
    /// The descriptor that becomes readable when the thread must wake up.
    let descriptor: Int32
    private let state = Locked(State())

    enum Command {
        case start(CurlExchange)
        case cancel(CurlExchange)
        /// The consumer can take more bytes.
        case resume(CurlExchange)
        /// The body source has more bytes, has ended or has failed.
        case supply(CurlExchange)
        /// The final call of the consumer has returned. The error is the consumer's error; nil if the consumer
        /// succeeded.
        case consumed(CurlExchange, TransportError?)
        /// Work of a cookie jar.
        case perform(@Sendable (EventLoop) -> Void)
        case stop
    }

    private struct State {
        var commands: [Command] = []
        var isAsleep = false
        var isClosed = false
    }

    init() throws(TransportError) {
        descriptor = ccurl_eventfd_make()
        guard descriptor >= 0 else { throw .file("eventfd") }
    }

    deinit {
        close(descriptor)
    }

    /// Adds a command. Does nothing after the end of the thread.
    func submit(_ command: Command) {
        let mustWake = state.withLock { state in
            guard !state.isClosed else { return false }
            state.commands.append(command)
            defer { state.isAsleep = false }
            return state.isAsleep
        }
        if mustWake {
            ccurl_eventfd_signal(descriptor)
        }
    }

    /// Moves all commands into `batch`, which must be empty.
    func take(into batch: inout [Command]) {
        state.withLock { state in
            state.isAsleep = false
            swap(&state.commands, &batch)
        }
    }

    /// Returns true if the thread may sleep. Then there are no commands, and the next command will wake the thread.
    func prepareToSleep() -> Bool {
        state.withLock { state in
            state.isAsleep = state.commands.isEmpty
            return state.isAsleep
        }
    }

    /// Closes the queue, and drops the remaining commands.
    func end() {
        let rest = state.withLock { state in
            state.isClosed = true
            defer { state.commands = [] }
            return state.commands
        }
        _ = rest  // released outside the lock
    }
}

#endif
