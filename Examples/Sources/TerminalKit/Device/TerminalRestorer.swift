#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// Gives the terminal back as it was found, however the process ends.
///
/// The terminal is one for the whole process, and so is this. ``restore()`` and all that it calls are
/// async-signal-safe: they use memory that was allocated before, and system calls that POSIX allows in a signal handler
/// (XSH 2.4.3); no allocation, no reference counting, no lock.
enum TerminalRestorer {
    private struct Record {
        var device: TerminalDevice
        var original: termios
        var isEntered: sig_atomic_t
        var isOpen: Bool
    }

    /// Signals that end the process whatever handler was there before; that one, the Swift runtime's, prints a
    /// backtrace.
    static let crashes = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGQUIT]
    /// Signals that ask a process to end.
    static let requests = [SIGINT, SIGTERM, SIGHUP]

    // Signal handlers cannot wait for an actor. The pointers never change; what they point to is written on the main
    // actor only, but for `isEntered`, which a handler clears.
    nonisolated(unsafe) private static let record = {
        let pointer = UnsafeMutablePointer<Record>.allocate(capacity: 1)
        let device = TerminalDevice(input: STDIN_FILENO, output: STDOUT_FILENO)
        pointer.initialize(to: Record(device: device, original: termios(), isEntered: 0, isOpen: false))
        atexit { TerminalRestorer.restore() }
        return pointer
    }()

    // The same reason. One place for each signal number; there are fewer than 65 on every platform.
    nonisolated(unsafe) private static let earlierActions = {
        let pointer = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)
        pointer.initialize(repeating: sigaction(), count: 65)
        return pointer
    }()

    /// Remembers how the terminal is set, and catches the signals that end the process.
    ///
    /// False if one is open already, or if it has no settings to remember.
    @MainActor static func open(_ device: TerminalDevice) -> Bool {
        guard !record.pointee.isOpen, tcgetattr(device.input, &record.pointee.original) == 0 else { return false }
        record.pointee.device = device
        record.pointee.isOpen = true
        provideSignalStack()
        for signal in crashes + requests { catchSignal(signal) }
        return true
    }

    /// Sets raw mode: every key arrives at once and as it was sent, Ctrl-C and Ctrl-Z too.
    @MainActor static func enter() {
        var raw = record.pointee.original
        cfmakeraw(&raw)
        record.pointee.isEntered = 1
        while tcsetattr(record.pointee.device.input, TCSAFLUSH, &raw) != 0, errno == EINTR {}
    }

    /// Restores the terminal, and lets go of the signals.
    @MainActor static func close() {
        restore()
        for signal in crashes + requests { sigaction(signal, earlierActions + Int(signal), nil) }
        record.pointee.isOpen = false
    }

    /// Leaves all modes and raw mode; does nothing if that was done. Async-signal-safe.
    static func restore() {
        guard record.pointee.isEntered != 0 else { return }
        record.pointee.isEntered = 0
        writeFarewell(record.pointee.device.output)
        tcflush(record.pointee.device.input, TCIFLUSH)
        tcsetattr(record.pointee.device.input, TCSANOW, &record.pointee.original)
    }

    /// Ends a half-written update, bracketed paste, the hidden cursor, cut lines, styles, and the alternate screen.
    private static func writeFarewell(_ output: Int32) {
        let text: StaticString = "\u{1B}[?2026l\u{1B}[?2004l\u{1B}[?7h\u{1B}[?25h\u{1B}[0m\u{1B}[?1049l"
        for _ in 0..<10 {
            if write(output, text.utf8Start, text.utf8CodeUnitCount) >= 0 { return }
            guard errno == EAGAIN || errno == EINTR else { return }
            var descriptor = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
            poll(&descriptor, 1, 50)
        }
    }
}

extension TerminalRestorer {
    /// Installs the handler, unless the signal is ignored, as `nohup` makes it.
    private static func catchSignal(_ signal: Int32) {
        let earlier = earlierActions + Int(signal)
        sigaction(signal, nil, earlier)
        if earlier.pointee.isIgnoring { return }
        var action = sigaction { TerminalRestorer.end($0, $1, $2) }
        action.sa_flags = SA_SIGINFO | SA_ONSTACK
        sigaction(signal, &action, nil)
    }

    /// Restores the terminal, then lets the handler that was there before have the signal: for a crash, that of the
    /// Swift runtime, which prints a backtrace. Async-signal-safe.
    private static func end(
        _ signal: Int32, _ info: UnsafeMutablePointer<siginfo_t>?, _ context: UnsafeMutableRawPointer?
    ) {
        restore()
        let earlier = earlierActions + Int(signal)
        sigaction(signal, earlier, nil)
        let handler = earlier.pointee.handler
        handler?(signal, info, context)
        if isCrash(signal) ? !repeatsItself(signal, info) : handler == nil { raiseUncaught(signal) }
    }

    /// Spelled out, as the array above counts references.
    private static func isCrash(_ signal: Int32) -> Bool {
        signal == SIGSEGV || signal == SIGBUS || signal == SIGILL || signal == SIGTRAP || signal == SIGABRT
            || signal == SIGFPE || signal == SIGQUIT
    }

    /// A fault comes again when the handler returns to the instruction that made it, unlike a signal that was sent, and
    /// unlike a breakpoint, which counts as executed.
    private static func repeatsItself(_ signal: Int32, _ info: UnsafeMutablePointer<siginfo_t>?) -> Bool {
        guard let info, signal != SIGTRAP, signal != SIGABRT else { return false }
        return info.pointee.si_code > 0
    }

    /// Blocked while its handler runs, the signal ends the process as soon as that returns.
    private static func raiseUncaught(_ number: Int32) {
        signal(number, SIG_DFL)
        raise(number)
    }

    /// Gives the calling thread a stack for signal handlers if it has none: an overflow leaves no room on its own.
    private static func provideSignalStack() {
        var stack = stack_t()
        guard sigaltstack(nil, &stack) == 0, stack.ss_sp == nil else { return }
        stack.ss_size = 65_536
        stack.ss_flags = 0
        stack.ss_sp = UnsafeMutableRawPointer.allocate(byteCount: 65_536, alignment: 16)
        sigaltstack(&stack, nil)
    }
}
