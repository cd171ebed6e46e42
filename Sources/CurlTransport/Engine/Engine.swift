#if os(Linux)
import Foundation

/// A thread that carries out transfers, with its connections. All transports with equal options share it, unless they
/// store cookies.
///
/// It runs as long as a transport, or a transfer that is not over, holds this object.
final class Engine: Sendable {
    let options: TransportOptions
    let commands: CommandQueue

    /// The time-outs of a transfer in memory whose request does not set its own.
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

    /// Returns the engine for these options. A transport that stores cookies gets an engine of its own.
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
