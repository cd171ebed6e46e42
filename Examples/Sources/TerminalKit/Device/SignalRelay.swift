import Dispatch

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// Tells the main actor of signals, in place of what they would do.
///
/// A signal handler may do next to nothing, so it writes the number into a pipe that the main queue reads. (A Dispatch
/// signal source wants the signal ignored, and on Linux an ignored signal is lost under `dispatchMain()`, where the
/// first thread has ended.) Signals that were ignored before stay so. One relay at a time; it lives until ``cancel()``,
/// which puts back what was there.
@MainActor
final class SignalRelay {
    private let source: any DispatchSourceRead
    private var earlierActions: [Int32: sigaction] = [:]

    init(_ signals: [Int32], handler: @escaping @MainActor (Int32) -> Void) {
        source = DispatchSource.makeReadSource(fileDescriptor: SignalPipe.reading, queue: .main)
        _ = SignalPipe.next()
        source.setEventHandler {
            MainActor.assumeIsolated {
                while let signal = SignalPipe.next() { handler(signal) }
            }
        }
        source.activate()
        for signal in signals { relay(signal) }
    }

    func cancel() {
        for (signal, var action) in earlierActions { sigaction(signal, &action, nil) }
        earlierActions = [:]
        source.cancel()
    }

    private func relay(_ signal: Int32) {
        var action = sigaction { number, _, _ in SignalPipe.send(number) }
        action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK
        var earlier = sigaction()
        sigaction(signal, nil, &earlier)
        if earlier.isIgnoring { return }
        sigaction(signal, &action, nil)
        earlierActions[signal] = earlier
    }
}

/// A pipe for the whole process, made when first used and never closed: a handler may still be running.
private enum SignalPipe {
    static let ends: (reading: Int32, writing: Int32) = {
        var ends: [Int32] = [-1, -1]
        pipe(&ends)
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        return (ends[0], ends[1])
    }()

    static var reading: Int32 { ends.reading }

    /// Async-signal-safe, once the pipe was made. A full pipe has enough to tell already.
    static func send(_ signal: Int32) {
        let before = errno
        var byte = UInt8(truncatingIfNeeded: signal)
        _ = write(ends.writing, &byte, 1)
        errno = before
    }

    static func next() -> Int32? {
        var byte: UInt8 = 0
        return read(ends.reading, &byte, 1) == 1 ? Int32(byte) : nil
    }
}
