#if os(Linux)
import CCurl
import Glibc

/// What other threads ask of an engine's thread, in order.
///
/// The thread is woken through a descriptor, and only if it sleeps.
final class CommandQueue: Sendable {
    /// Becomes readable when the thread has to wake up.
    let descriptor: Int32
    private let state = Locked(State())

    enum Command {
        case start(Transfer)
        case cancel(Transfer)
        /// The consumer has caught up.
        case resume(Transfer)
        /// The body source has something.
        case supply(Transfer)
        /// The consumer has got its last call, and may have failed.
        case consumed(Transfer, TransportError?)
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

    /// Adds a command; does nothing once the thread has ended.
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

    /// Takes all commands into `batch`, which must be empty.
    func take(into batch: inout [Command]) {
        state.withLock { state in
            state.isAsleep = false
            swap(&state.commands, &batch)
        }
    }

    /// Whether the thread may go to sleep: there are no commands, and the next one will wake it.
    func prepareToSleep() -> Bool {
        state.withLock { state in
            state.isAsleep = state.commands.isEmpty
            return state.isAsleep
        }
    }

    /// Takes no more commands, and drops those that are left.
    func end() {
        let rest = state.withLock { state in
            state.isClosed = true
            defer { state.commands = [] }
            return state.commands
        }
        _ = rest  // released without the lock
    }
}

#endif
