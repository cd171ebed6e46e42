public import Foundation

/// A small server inside the process that speaks HTTP/1.1 and the JSON of `api.github.com`, with invented data.
///
/// It listens on 127.0.0.1 only and never connects to anything. Every member can be called from any thread. The data is
/// the same on every run. Stars that are given or taken, the log, and the behaviour outlive ``stop()`` and
/// ``restart()``. A server that is released stops.
public final class EmbeddedGitHub: Sendable {
    /// A token that never expires, accepted as `Authorization: token X`, `Bearer X`, and as password of `Basic`.
    public static let token = "embedded-demo-token"

    /// The login that ``token`` belongs to.
    public static let login = "mira-sato"

    /// `http://127.0.0.1:PORT/`; it stays the same for the life of the server.
    public let baseURL: URL

    let exchange: Exchange
    private let limits: Limits
    private let pause: Connection.Pause
    private let port: UInt16
    private let running: Guarded<Listener?>

    /// Binds the port and serves at once.
    ///
    /// - Parameters:
    ///   - port: 0 takes any free port.
    ///   - behaviour: How to answer until ``behaviour`` is set.
    ///   - now: The current time; the default is that of the system. Tokens expire by it. Any thread may call it.
    /// - Throws: ``SocketError`` if the port is taken or the system has no descriptor or thread left.
    public convenience init(
        port: UInt16 = 0, behaviour: Behaviour = Behaviour(), now: @escaping @Sendable () -> Date = { Date() }
    ) throws {
        try self.init(
            port: port, behaviour: behaviour, limits: Limits(),
            now: { Moment(seconds: Int(now().timeIntervalSince1970.rounded(.down))) })
    }

    init(
        port: UInt16 = 0, behaviour: Behaviour = Behaviour(), limits: Limits,
        now: @escaping @Sendable () -> Moment = { Moment(seconds: Int(Date().timeIntervalSince1970)) },
        pause: @escaping Connection.Pause = Connection.realPause
    ) throws {
        let listener = try Listener(port: port, connections: limits.connections)
        let base = "http://127.0.0.1:\(listener.port)"
        guard let url = URL(string: base + "/") else { preconditionFailure("an address with a port is a URL") }
        (baseURL, self.port, self.limits, self.pause) = (url, listener.port, limits, pause)
        exchange = Exchange(hub: Hub(base: base), behaviour: behaviour, now: now)
        running = Guarded(nil)
        try running.withLock { $0 = try started(listener) }
    }

    deinit {
        stop()
    }

    /// How requests are answered from now on.
    ///
    /// The latency counts from the moment at which a request is complete; everything else is looked at when the latency
    /// has passed, so that a change reaches requests that still wait.
    public var behaviour: Behaviour {
        get { exchange.behaviour }
        set { exchange.behaviour = newValue }
    }

    /// The last 500 requests, oldest first; each is entered when its answer is decided, before the first byte leaves.
    public var served: [ServedRequest] {
        exchange.served
    }

    /// The writes that were carried out, oldest first.
    public var applied: [AppliedWrite] {
        exchange.applied
    }

    /// Calls a closure for every entry of ``served`` that is still to come, for the life of the server.
    ///
    /// Calls come one at a time, in the order of the log, on a private queue; the closure may call anything here.
    public func onServed(_ observer: @escaping @Sendable (ServedRequest) -> Void) {
        exchange.onServed(observer)
    }

    /// Is gone: cuts answers in the middle, resets all connections, and lets the port refuse new ones.
    ///
    /// When it returns, all threads and descriptors of the server are given back. Does nothing if it is stopped.
    public func stop() {
        running.withLock { listener in
            listener?.stop()
            listener = nil
        }
    }

    /// Serves again on the same port, after stopping if necessary.
    ///
    /// - Throws: ``SocketError`` if somebody else has taken the port; the server is stopped then.
    public func restart() throws {
        try running.withLock { listener in
            listener?.stop()
            listener = nil
            listener = try started(Listener(port: port, connections: limits.connections))
        }
    }

    private func started(_ listener: Listener) throws -> Listener {
        try listener.start { [exchange, limits, pause] socket, signal in
            var connection = Connection(socket, signal, exchange, limits: limits, pause: pause)
            connection.serve()
        }
        return listener
    }
}
