#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// The two file descriptors of a terminal, and the system calls on them.
///
/// Neither is made non-blocking: the shell that started the process shares their file description.
struct TerminalDevice: Sendable {
    /// What a read gave.
    enum Input: Equatable {
        /// Some bytes, at least one.
        case bytes([UInt8])
        /// Nothing yet.
        case nothing
        /// The terminal is gone.
        case end
    }

    let input: Int32
    let output: Int32

    var isTerminal: Bool {
        isatty(input) == 1 && isatty(output) == 1
    }

    /// The size the kernel knows, or the standard one.
    var size: TerminalSize {
        var window = winsize()
        guard ioctl(output, UInt(TIOCGWINSZ), &window) == 0, window.ws_row > 0, window.ws_col > 0 else {
            return .standard
        }
        return TerminalSize(rows: Int(window.ws_row), columns: Int(window.ws_col))
    }

    /// Reads what is there, 4 096 bytes at most. Called when the descriptor is readable, so that it does not block.
    func readAvailable() -> Input {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: 4_096) { buffer, count in
            let length = read(input, buffer.baseAddress, buffer.count)
            failure = length < 0 ? errno : 0
            count = max(length, 0)
        }
        if !bytes.isEmpty { return .bytes(bytes) }
        return failure == EAGAIN || failure == EINTR ? .nothing : .end
    }

    /// Writes all of it, waiting for a terminal that is slow; false if the terminal is gone.
    func writeAll(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let length = rest.withUnsafeBytes { write(output, $0.baseAddress, $0.count) }
            if length > 0 {
                rest = rest.dropFirst(length)
            } else if length == 0 || errno == EAGAIN {
                waitUntilWritable()
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }

    private func waitUntilWritable() {
        var descriptor = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
        _ = poll(&descriptor, 1, -1)
    }
}
