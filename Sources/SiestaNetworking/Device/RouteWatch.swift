#if os(Linux) || os(Android)
import Dispatch

/// Reads the routes of the kernel once at its creation, and again after each change, until it is released.
///
/// Changes that arrive while the routes are read cause one further reading together.
final class RouteWatch: @unchecked Sendable {  // sound: `init` uses `reader` before the queue does, then only the queue
    /// The number of datagrams that the creator waits for. They contain some thousands of routes.
    private static let maximumAtStart = 16

    /// The result of the first reading; nil if the table is so long that its reading continues on the queue.
    let first: Bool?

    private let queue = DispatchQueue(label: "Siesta network status")
    private let source: any DispatchSourceRead
    private let sockets: RouteSockets
    private let report: @Sendable (Bool) -> Void
    private var reader: RouteReader

    /// - Parameter report: Is called on a queue with the result of each reading but the first.
    init(_ sockets: RouteSockets, report: @escaping @Sendable (Bool) -> Void) {
        self.sockets = sockets
        self.report = report
        var reader = RouteReader(sockets)
        first = reader.read(maximum: Self.maximumAtStart)
        self.reader = reader
        source = DispatchSource.makeReadSource(fileDescriptor: sockets.changes, queue: queue)
        source.setEventHandler { [weak self] in self?.read() }
        source.setCancelHandler { withExtendedLifetime(sockets) {} }  // a watched descriptor must stay open
        source.resume()
        if first == nil { queue.async { [weak self] in self?.read() } }
    }

    deinit {
        source.cancel()
    }

    private func read() {
        sockets.discardReports()
        if let isConnected = reader.read() { report(isConnected) }
    }
}
#endif
