/// A port of 127.0.0.1 with a full backlog: connecting to it neither succeeds nor fails, as with a machine that is not
/// there.
///
/// Releasing it closes the port.
package final class FullPort: Sendable {
    /// The port.
    package let port: UInt16

    private let sockets: [Socket]

    /// Takes a free port, listens with the shortest of backlogs, and fills that.
    package init() throws {
        let listener = try Socket.listening(at: .ipv4(), backlog: 0)
        port = try listener.address.port
        // Linux takes one connection more than the backlog; the next ones stay in the state of being connected.
        let first = try Socket.connected(to: .ipv4(port: port))
        let rest = try (0..<4).map { [port] _ in try Socket.connecting(to: .ipv4(port: port)) }
        sockets = [listener, first] + rest
    }
}
