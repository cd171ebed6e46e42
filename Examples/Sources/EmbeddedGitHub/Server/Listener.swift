import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// One period of service, from binding the port to the last thread's end.
///
/// ``stop()`` is called exactly once. When it returns, every descriptor and thread is gone and the port refuses.
final class Listener: Sendable {
    private let socket: Socket
    private let signal: StopSignal
    private let crew: ThreadCrew

    /// The port that is served.
    let port: UInt16

    /// Binds 127.0.0.1; clients can connect from here on, and are served after ``start(_:)``.
    init(port: UInt16, connections: Int) throws {
        signal = try StopSignal()
        do {
            socket = try Socket.listening(on: port)
        } catch {
            signal.raise()
            signal.release()
            throw error
        }
        self.port = socket.port
        crew = ThreadCrew(limit: connections + 1)
    }

    /// Takes connections and serves each on its own thread.
    func start(_ serve: @escaping @Sendable (Socket, StopSignal) -> Void) throws {
        let isRunning = crew.start { [socket, signal, crew] in
            while true {
                switch signal.wait(for: Int32(POLLIN), on: socket, until: Deadline(after: .infinity)) {
                case .stopped: return
                case .ready, .elapsed: Self.take(socket, signal, crew, serve)
                }
            }
        }
        guard isRunning else {
            stop()
            throw EmbeddedGitHub.SocketError("pthread_create")
        }
    }

    /// Ends everything and waits for the end.
    func stop() {
        signal.raise()
        crew.join()
        socket.release()
        signal.release()
    }

    private static func take(
        _ socket: Socket, _ signal: StopSignal, _ crew: ThreadCrew,
        _ serve: @escaping @Sendable (Socket, StopSignal) -> Void
    ) {
        guard let connection = socket.takeConnection() else {
            // Perhaps no descriptor is left: the socket stays readable, so wait for better times.
            _ = signal.wait(for: 0, on: socket, until: Deadline(after: 0.01))
            return
        }
        if !crew.start({ serve(connection, signal) }) { connection.reset() }
    }
}
