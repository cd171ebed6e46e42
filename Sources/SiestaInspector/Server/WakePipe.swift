import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(Darwin)
import Darwin
#endif

/// A pipe by which any thread ends the wait of the server's thread.
final class WakePipe: Sendable {
    private let reading: CInt
    private let writing: CInt

    init() throws(ServerSocket.Failure) {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { throw ServerSocket.Failure("pipe") }
        (reading, writing) = (ends[0], ends[1])
        for end in ends {
            _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
    }

    deinit {
        close(reading)
        close(writing)
    }

    /// The descriptor for which the server's thread waits.
    var descriptor: CInt { reading }

    /// Ends the current wait, or the next one. If the pipe is full, the thread will wake anyway.
    func wake() {
        var byte: UInt8 = 1
        _ = write(writing, &byte, 1)
    }

    /// Removes all wakes so far.
    func clear() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(reading, &bytes, bytes.count) > 0 {}
    }
}
