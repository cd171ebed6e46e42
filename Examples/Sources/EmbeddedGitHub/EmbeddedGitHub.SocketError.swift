#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

extension EmbeddedGitHub {
    /// Why the server cannot be started.
    public struct SocketError: Error, Sendable, Hashable, CustomStringConvertible {
        /// The system call that failed.
        public let call: String

        /// The value of `errno` after it, as `EADDRINUSE` if the port is taken.
        public let code: Int32

        /// As in `bind: Address already in use`.
        public var description: String {
            "\(call): \(String(cString: strerror(code)))"
        }

        init(_ call: String) {
            (self.call, code) = (call, errno)
        }
    }
}
