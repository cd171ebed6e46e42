package import Foundation
import Isolation

/// An HTTP server that only this machine can reach, for tests of faulty networks and servers. A script determines every
/// byte that it sends.
///
/// Each connection has its own thread, so a script may wait for any time. After ``stop()`` no thread and no descriptor
/// is left. Releasing the server stops it.
package final class LoopbackServer: Sendable {
    /// Responds to one request. It runs on the thread of the connection. If it throws, the connection is closed.
    package typealias Script = @Sendable (ServedExchange) throws -> Void

    /// Serves one connection from its first byte. It runs on the thread of the connection, which ends with it.
    package typealias ConnectionScript = @Sendable (Connection) throws -> Void

    /// The address at which the server listens.
    package let address: LoopbackAddress

    private let core: Core
    private let acceptor: JoinableThread
    private let isStopped = Locked(false)

    /// Starts a server that calls `script` for each request when the request is complete.
    package convenience init(_ address: LoopbackAddress = .ipv4(), _ script: @escaping Script) throws {
        let requests = Locked<[ReceivedRequest]>([])
        try self.init(address, requests: requests) { connection in
            var previous = 0
            while let request = try connection.request() {
                requests.withLock { $0.append(request) }
                try script(ServedExchange(request: request, previousRequests: previous, connection: connection))
                previous += 1
            }
        }
    }

    /// Starts a server that calls `script` for each connection. Only the script reads and records requests.
    package static func serving(
        at address: LoopbackAddress = .ipv4(), _ script: @escaping ConnectionScript
    ) throws -> LoopbackServer {
        try LoopbackServer(address, requests: Locked([]), script)
    }

    private init(
        _ address: LoopbackAddress, requests: Locked<[ReceivedRequest]>, _ script: @escaping ConnectionScript
    ) throws {
        let listener = try Socket.listening(at: address)
        self.address = try listener.address
        let core = Core(requests: requests, script)
        self.core = core
        acceptor = JoinableThread { core.acceptConnections(of: listener) }
    }

    deinit {
        stop()
    }

    /// The requests received so far, in the order in which they were complete.
    package var requests: [ReceivedRequest] { core.requests.withLock { $0 } }

    /// The number of connections opened so far.
    package var connectionCount: Int { core.connections.withLock { $0.opened } }

    /// The number of connections that are currently served.
    package var openConnectionCount: Int { core.connections.withLock { $0.sockets.count } }

    /// The port, chosen by the system; 0 for a Unix socket.
    package var port: UInt16 { address.port }

    /// Returns the URL of `path`, which may have a query, on this server. With a Unix socket, the host of the URL has
    /// no effect.
    package func url(_ path: String = "/", host: String? = nil) -> URL {
        let authority = address.port == 0 ? (host ?? "localhost") : "\(host ?? address.host):\(address.port)"
        guard let url = URL(string: "http://\(authority)\(path)") else {
            preconditionFailure("Not a path: \(path)")
        }
        return url
    }

    /// Closes the port and all connections, ends waiting scripts, and returns when all threads have ended.
    package func stop() {
        let wasStopped = isStopped.withLock { isStopped in
            defer { isStopped = true }
            return isStopped
        }
        guard !wasStopped else { return }
        core.stopAccepting()
        acceptor.join()
        core.endConnections()
    }
}

/// The state that the threads of a server share. The threads keep it alive, but not the server. Therefore releasing the
/// server stops all threads.
private final class Core: Sendable {
    let requests: Locked<[ReceivedRequest]>
    let connections = Locked(Connections())
    private let script: LoopbackServer.ConnectionScript
    private let stopped = Gate()
    private let wake = Pipe()

    /// Connections by number, in the order of arrival. A thread is listed until it is taken to be joined.
    struct Connections {
        var opened = 0
        var sockets: [Int: Socket] = [:]
        var threads: [Int: JoinableThread] = [:]
        var ended: [Int] = []

        /// Removes and returns the threads that have ended their work.
        mutating func takeEnded() -> [JoinableThread] {
            defer { ended = [] }
            return ended.compactMap { threads.removeValue(forKey: $0) }
        }
    }

    init(requests: Locked<[ReceivedRequest]>, _ script: @escaping LoopbackServer.ConnectionScript) {
        self.requests = requests
        self.script = script
    }

    func acceptConnections(of listener: Socket) {
        while let socket = try? listener.accepted(unless: wake) {
            let ended = connections.withLock { connections in
                let number = connections.opened
                connections.opened += 1
                connections.sockets[number] = socket
                connections.threads[number] = JoinableThread { self.serve(socket, number: number) }
                return connections.takeEnded()
            }
            for thread in ended {
                thread.join()
            }
        }
        listener.close()
    }

    private func serve(_ socket: Socket, number: Int) {
        // An error means that the script or the client has ended the exchange. The connection is then of no further
        // use.
        try? script(Connection(socket, number: number, stopped: stopped))
        socket.close()
        connections.withLock { connections in
            connections.sockets[number] = nil
            connections.ended.append(number)
        }
    }

    /// Ends the waits of scripts at gates, and makes the accepting thread end.
    func stopAccepting() {
        stopped.open()
        wake.fileHandleForWriting.write(Data([0]))
    }

    /// Ends all connections and waits for their threads. No new connections may arrive.
    func endConnections() {
        wake.fileHandleForReading.closeFile()
        wake.fileHandleForWriting.closeFile()
        let (sockets, threads) = connections.withLock { connections in
            defer { connections.threads = [:] }
            return (Array(connections.sockets.values), Array(connections.threads.values))
        }
        for socket in sockets {
            socket.shutDown()
        }
        for thread in threads {
            thread.join()
        }
    }
}
