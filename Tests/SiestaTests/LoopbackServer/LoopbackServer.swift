import Foundation

@testable import Siesta

/// An HTTP server on 127.0.0.1 whose every byte a script decides, for tests of what networks and servers do wrong.
///
/// Each connection has a thread of its own, so a script may wait as long as it likes. After ``stop()`` no thread and no
/// descriptor is left; releasing the server stops it.
final class LoopbackServer: Sendable {
    /// Answers one request. It runs on the thread of the connection; throwing closes the connection.
    typealias Script = @Sendable (Exchange) throws -> Void

    /// The port, chosen by the system.
    let port: UInt16

    private let core: Core
    private let acceptor: JoinableThread
    private let isStopped = Locked(false)

    /// Starts a server that answers each request by calling `script`.
    init(_ script: @escaping Script) throws {
        let listener = try Socket.listening()
        port = try listener.port
        let core = Core(script)
        self.core = core
        acceptor = JoinableThread { core.acceptConnections(of: listener) }
    }

    deinit {
        stop()
    }

    /// The requests received so far, in the order in which they were complete.
    var requests: [ReceivedRequest] { core.requests.withLock { $0 } }

    /// How many connections were opened so far.
    var connectionCount: Int { core.connections.withLock { $0.opened } }

    /// The URL of `path`, which may have a query, on this server.
    func url(_ path: String = "/", host: String = "127.0.0.1") -> URL {
        guard let url = URL(string: "http://\(host):\(port)\(path)") else {
            preconditionFailure("Not a path: \(path)")
        }
        return url
    }

    /// Closes the port and all connections, ends scripts that wait, and returns when all threads have ended.
    func stop() {
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

/// What the threads of a server share. They keep it alive, but not the server itself, so that releasing that stops all.
private final class Core: Sendable {
    let requests = Locked<[ReceivedRequest]>([])
    let connections = Locked(Connections())
    private let script: LoopbackServer.Script
    private let stopped = Gate()
    private let wake = Pipe()

    /// Connections by number, in the order of arrival. A thread is listed until somebody takes it to join it.
    struct Connections {
        var opened = 0
        var sockets: [Int: Socket] = [:]
        var threads: [Int: JoinableThread] = [:]
        var ended: [Int] = []

        /// Takes the threads that have nothing left to do.
        mutating func takeEnded() -> [JoinableThread] {
            defer { ended = [] }
            return ended.compactMap { threads.removeValue(forKey: $0) }
        }
    }

    init(_ script: @escaping LoopbackServer.Script) {
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
        var reader = RequestReader(socket)
        do {
            while let request = try reader.next() {
                requests.withLock { $0.append(request) }
                try script(Exchange(request: request, connection: socket, serverStopped: stopped))
            }
        } catch {
            // The script gave up, or the client did: either way the connection is of no more use.
        }
        socket.close()
        connections.withLock { connections in
            connections.sockets[number] = nil
            connections.ended.append(number)
        }
    }

    /// Lets scripts go that wait at a gate, and makes the accepting thread end.
    func stopAccepting() {
        stopped.open()
        wake.fileHandleForWriting.write(Data([0]))
    }

    /// Ends all connections and waits for their threads. No new ones must come.
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
