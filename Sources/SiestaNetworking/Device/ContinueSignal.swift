#if os(Linux) || os(Android)
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// The handler for `SIGCONT`, and the pipe through which it reports the signal.
///
/// A signal source of Dispatch would replace a handler of the app. It would also block the signal in threads of the
/// app, and child processes would inherit this.
enum ContinueSignal {
    /// The descriptors of a pipe that is never closed, because the handler may run at any time.
    private static let ends: (reading: CInt, writing: CInt)? = {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        return (ends[0], ends[1])
    }()

    /// The address of the handler that the app had set; 0 or 1 if it had set none.
    private static let earlier = Atomic<Int>(0)

    private static let handler: SignalHandler = { number, info, context in
        ContinueSignal.receive(number, info, context)
    }

    /// Sets the handler, unless it is set already. Returns the descriptor that becomes readable after each signal; nil
    /// if the system refuses.
    static func handle() -> CInt? {
        var action = sigaction()
        guard let ends, sigaction(SIGCONT, nil, &action) == 0 else { return nil }
        let address = action.address
        if address == unsafeBitCast(handler, to: Int.self) { return ends.reading }
        earlier.store(address, ordering: .sequentiallyConsistent)
        // Keeps the mask and the flags of the app's handler.
        action.sa_flags = SA_SIGINFO | (isFunction(address) ? action.sa_flags : SA_RESTART | SA_ONSTACK)
        action.setHandler(handler)
        return sigaction(SIGCONT, &action, nil) == 0 ? ends.reading : nil
    }

    /// Empties the pipe.
    static func discard() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while let ends, read(ends.reading, &bytes, bytes.count) > 0 {}
    }

    /// Runs as a signal handler: it only calls functions that signal-safety(7) permits. All constants that it reads were
    /// computed before the handler was set. If the pipe is full, the signal is reported anyway.
    private static func receive(
        _ number: CInt, _ info: UnsafeMutablePointer<siginfo_t>?, _ context: UnsafeMutableRawPointer?
    ) {
        let error = errno
        var byte: UInt8 = 0
        if let ends { _ = write(ends.writing, &byte, 1) }
        errno = error
        let address = earlier.load(ordering: .sequentiallyConsistent)
        // A handler that takes only the number ignores the other arguments.
        if isFunction(address) { unsafeBitCast(address, to: SignalHandler.self)(number, info, context) }
    }

    /// Returns false for `SIG_DFL` and `SIG_IGN`.
    private static func isFunction(_ address: Int) -> Bool { address != 0 && address != 1 }
}

private typealias SignalHandler =
    @convention(c) @Sendable (CInt, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void

// Each C library has another name for the union of both kinds of handlers.
extension sigaction {
    fileprivate var address: Int {
        #if canImport(Glibc)
        unsafeBitCast(__sigaction_handler, to: Int.self)
        #elseif canImport(Musl)
        unsafeBitCast(__sa_handler, to: Int.self)
        #else
        unsafeBitCast(sa_sigaction, to: Int.self)
        #endif
    }

    fileprivate mutating func setHandler(_ handler: @escaping SignalHandler) {
        #if canImport(Glibc)
        __sigaction_handler.sa_sigaction = handler
        #elseif canImport(Musl)
        __sa_handler.sa_sigaction = handler
        #else
        sa_sigaction = handler
        #endif
    }
}
#endif
