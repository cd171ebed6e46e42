#if os(Linux)
import Foundation

/// A thread that carries out transfers, and their connections; shared by all transports with equal options.
///
/// It runs as long as somebody holds this object: a transport, or a transfer that is not over.
final class Engine: Sendable {
    let options: TransportOptions
    let commands: CommandQueue

    /// The time-outs of a transfer in memory that says nothing else.
    let limits: TransferTimers.Limits

    private init(_ options: TransportOptions) throws(TransportError) {
        self.options = options
        limits = TransferTimers.Limits(options, idleTimeout: nil, isStreamed: false)
        commands = try CommandQueue()
        let loop = try EventLoop(options, commands)
        let thread = Thread { loop.run() }
        thread.name = "CurlTransport"
        thread.stackSize = 1 << 20
        thread.start()
    }

    deinit {
        commands.submit(.stop)
    }

    private struct Entry {
        weak let engine: Engine?
    }

    private static let engines = Locked<[TransportOptions: Entry]>([:])

    /// The engine of these options; one of its own for each transport that keeps cookies.
    static func of(_ options: TransportOptions) throws(TransportError) -> Engine {
        guard options.cookies == .off else { return try Engine(options) }
        let result = engines.withLock { engines -> Result<Engine, TransportError> in
            if let engine = engines[options]?.engine { return .success(engine) }
            engines = engines.filter { $0.value.engine != nil }
            do throws(TransportError) {
                let engine = try Engine(options)
                engines[options] = Entry(engine: engine)
                return .success(engine)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}
#endif
