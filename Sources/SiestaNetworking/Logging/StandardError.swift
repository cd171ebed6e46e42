import Foundation
import Isolation

#if os(Linux) || os(Android)
// One of these modules declares the members of C structures for the compiler, depending on what it has read before.
import CDispatch
import CoreFoundation
#endif

/// Writes lines to standard error. If standard error is closed or full, the process neither ends nor waits for long.
///
/// A line that cannot be written is lost; the next line that can be written reports the number of lost lines.
enum StandardError {
    static func write(_ line: String) {
        output.withLock { $0.write(line, to: STDERR_FILENO) }
    }

    private static let output = Locked(LineOutput())
}

/// The state of a descriptor to which lines are written.
struct LineOutput: Sendable {
    /// The number of lines that were lost since the last line was written.
    private(set) var lostCount = 0
    /// True if only a part of the last line was written.
    private var isInsideLine = false
    /// The maximum size of one write, in bytes. Linux reports room in a pipe if this number of bytes can be written
    /// without waiting.
    private static let pieceLength = 4096
    /// The time for which a write waits for room, in milliseconds.
    private static let writeTimeout: CInt = 100

    /// Writes a line and a line feed.
    mutating func write(_ line: String, to descriptor: CInt) {
        let report = lostCount > 0 ? "[Siesta] \(lostCount) messages were lost: nobody read standard error\n" : ""
        let bytes = Array(((isInsideLine ? "\n" : "") + report + line + "\n").utf8)
        let written = ignoringBrokenPipe(descriptor) { write(bytes, to: descriptor) }
        if written > 0 { isInsideLine = written < bytes.count }
        lostCount = written == bytes.count ? 0 : lostCount + 1
    }

    /// Returns the number of bytes written. Waits a short time for a reader, unless the write of the last line was
    /// incomplete.
    private func write(_ bytes: [UInt8], to descriptor: CInt) -> Int {
        var (done, refusals) = (0, 0)
        while done < bytes.count, hasRoom(descriptor), refusals < 10 {
            let end = min(done + Self.pieceLength, bytes.count)
            let count = bytes[done..<end].withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 { done += count; continue }
            guard errno == EINTR || errno == EAGAIN else { break }
            refusals += 1
        }
        return done
    }

    private func hasRoom(_ descriptor: CInt) -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        let count = poll(&request, 1, lostCount == 0 ? Self.writeTimeout : 0)
        return count > 0 && request.revents & Int16(POLLOUT) != 0
    }
}

/// Runs `write`. If the pipe has no reader, the write fails with `EPIPE`, and no signal is raised.
private func ignoringBrokenPipe(_ descriptor: CInt, _ write: () -> Int) -> Int {
    #if canImport(Darwin)
    let setting = fcntl(descriptor, F_GETNOSIGPIPE)
    _ = fcntl(descriptor, F_SETNOSIGPIPE, 1)
    defer { if setting == 0 { _ = fcntl(descriptor, F_SETNOSIGPIPE, 0) } }
    return write()
    #else
    var (brokenPipe, former, pending) = (sigset_t(), sigset_t(), sigset_t())
    sigemptyset(&brokenPipe)
    sigaddset(&brokenPipe, SIGPIPE)
    sigpending(&pending)
    pthread_sigmask(SIG_BLOCK, &brokenPipe, &former)
    let count = write()
    // The kernel sends the signal to this thread only, and the signal is blocked here. A signal that was already
    // pending belongs to other code.
    var noTime = timespec()
    if sigismember(&pending, SIGPIPE) == 0 { _ = uninterrupted { sigtimedwait(&brokenPipe, nil, &noTime) } }
    pthread_sigmask(SIG_SETMASK, &former, nil)
    return count
    #endif
}
