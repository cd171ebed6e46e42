#if os(Linux) || os(Android)
import Foundation
import HTTPRules
import Isolation

/// A thread that carries out exchanges, and its connections. All transports with equal options share an engine, unless
/// they store cookies.
///
/// The thread runs while a transport or a running exchange holds this object.
final class Engine: Sendable {
    let options: TransportOptions
    let commands: CommandQueue

    /// The time-outs of an exchange in memory. A request can set its own idle time-out.
    let limits: ExchangeTimers.Limits

    private init(_ options: TransportOptions) throws(TransportError) {
        self.options = options
        limits = ExchangeTimers.Limits(options, idleTimeout: nil, isStreamed: false)
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

    /// Options of which also all texts are equal byte for byte. A socket or a password that only looks the same is another.
    private struct Key: Hashable {
        let options: TransportOptions
        let texts: [ExactText]

        init(_ options: TransportOptions) {
            self.options = options
            let certificate = options.clientCertificate
            let texts = [
                options.caFile, options.unixSocket, options.userAgent, certificate?.certificateFile,
                certificate?.keyFile, certificate?.password,
            ]
            self.texts = texts.map { ExactText($0 ?? "") }
        }
    }

    private static let engines = Locked<[Key: Entry]>([:])

    /// Returns the engine for these options. A transport that stores cookies has its own engine.
    static func of(_ options: TransportOptions) throws(TransportError) -> Engine {
        guard !options.keepsCookies else { return try Engine(options) }
        let key = Key(options)
        let result = engines.withLock { engines -> Result<Engine, TransportError> in
            if let engine = engines[key]?.engine { return .success(engine) }
            engines = engines.filter { $0.value.engine != nil }
            do throws(TransportError) {
                let engine = try Engine(options)
                engines[key] = Entry(engine: engine)
                return .success(engine)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}
#endif
