import Foundation
import Waiting

/// A port of 127.0.0.1 with a full backlog. A connection to it neither succeeds nor fails, as with an unreachable
/// machine.
///
/// Releasing this object closes the port.
package final class FullPort: Sendable {
    /// The port.
    package let port: UInt16

    private let sockets: [Socket]
    private let ownAttempts: Int

    /// Takes a free port, listens with the shortest backlog, and fills the backlog.
    package init() throws {
        let listener = try Socket.listening(at: .ipv4(), backlog: 0)
        port = try listener.address.port
        // Linux accepts one connection more than the backlog. The next ones remain in progress.
        let first = try Socket.connected(to: .ipv4(port: port))
        let rest = try (0..<4).map { [port] _ in try Socket.connecting(to: .ipv4(port: port)) }
        sockets = [listener, first] + rest
        ownAttempts = Self.attempts(at: port)
    }

    /// Waits until another socket of this machine tries to connect to the port. Polls, because only the kernel knows.
    ///
    /// Returns at once on systems other than Linux, which do not list their sockets in a file.
    package func waitForAttempt() async throws {
        #if os(Linux)
        try await Poll.until { Self.attempts(at: port) > ownAttempts }
        #endif
    }

    /// Returns the number of sockets that have asked the port for a connection and have no response.
    private static func attempts(at port: UInt16) -> Int {
        let isSent = "02"  // TCP_SYN_SENT
        let address = String(format: "0100007F:%04X", Int(port))
        return SystemFile.lines(of: "/proc/net/tcp").count { line in
            let fields = line.split(separator: " ")
            return fields.count > 3 && fields[2] == address && fields[3] == isSent
        }
    }
}
