/// A port of 127.0.0.1 with a full backlog. A connection to it neither succeeds nor fails, as with an unreachable
/// machine.
///
/// Releasing this object closes the port.
package final class FullPort: Sendable {
    /// The port.
    package let port: UInt16

    private let sockets: [Socket]

    /// Takes a free port, listens with the shortest backlog, and fills the backlog.
    package init() throws {
        let listener = try Socket.listening(at: .ipv4(), backlog: 0)
        port = try listener.address.port
        // Linux accepts one connection more than the backlog. The next ones remain in progress.
        let first = try Socket.connected(to: .ipv4(port: port))
        let rest = try (0..<4).map { [port] _ in try Socket.connecting(to: .ipv4(port: port)) }
        sockets = [listener, first] + rest
    }
}
