import Foundation

/// Writes lines to standard error, and neither ends the process nor stops it for long if that is closed or full.
///
/// A line that nobody takes is lost; the next one that somebody takes says how many were.
enum StandardError {
    static func write(_ line: String) {
        output.withLock { $0.write(line, to: STDERR_FILENO) }
    }

    private static let output = Locked(LineOutput())
}

/// What is known of a descriptor that lines are written to.
struct LineOutput: Sendable {
    /// The number of lines since the last one that was written.
    private(set) var lostCount = 0
    /// Whether the last line was written only in part.
    private var isInsideLine = false
    /// Linux says that a pipe has room if so many bytes can be written without waiting.
    private static let pieceLength = 4096
    private static let patience: CInt = 100  // milliseconds

    /// Writes a line and what ends it.
    mutating func write(_ line: String, to descriptor: CInt) {
        let report = lostCount > 0 ? "[Siesta] \(lostCount) messages were lost: nobody read standard error\n" : ""
        let bytes = Array(((isInsideLine ? "\n" : "") + report + line + "\n").utf8)
        let written = ignoringBrokenPipe(descriptor) { write(bytes, to: descriptor) }
        if written > 0 { isInsideLine = written < bytes.count }
        lostCount = written == bytes.count ? 0 : lostCount + 1
    }

    /// The number of bytes written. Waits for a reader a moment, unless the last line has waited in vain.
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
        let count = poll(&request, 1, lostCount == 0 ? Self.patience : 0)
        return count > 0 && request.revents & Int16(POLLOUT) != 0
    }
}

/// Runs `write`, in which a pipe that nobody reads is an error (`EPIPE`) and raises no signal.
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
    // The signal comes to this thread alone, while it is blocked here. One that was pending before is not ours.
    var noTime = timespec()
    if sigismember(&pending, SIGPIPE) == 0 { while sigtimedwait(&brokenPipe, nil, &noTime) < 0, errno == EINTR {} }
    pthread_sigmask(SIG_SETMASK, &former, nil)
    return count
    #endif
}
