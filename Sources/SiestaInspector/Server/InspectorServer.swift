import Dispatch
import Foundation
import Isolation

/// A small HTTP server on loopback: one request for each connection, and streams of events (Server-Sent Events).
///
/// One thread serves all connections, and no call of it blocks. Any thread may use this object. The limits hold for all
/// clients together, so that no client can take memory or descriptors from the app.
final class InspectorServer: Sendable {
    /// Answers an accepted request. Runs in a task of its own.
    typealias Handler = @Sendable (Admission.Route, HTTPRequest) async -> HTTPReply

    /// The messages to the server's thread, and the past events.
    struct Mailbox: Sendable {
        var replies: [(connection: Int, reply: HTTPReply)] = []
        var events: [(id: Int, bytes: [UInt8])] = []
        var history: EventHistory
        /// The number of streams of events.
        var readers = 0
        var isStopped = false
    }

    let admission: Admission
    private let mailbox: Locked<Mailbox>
    private let pipe: WakePipe
    private let hasEnded = DispatchSemaphore(value: 0)

    /// Listens on a port of 127.0.0.1; on a free port if the number is 0.
    init(
        port: UInt16, limits: ServerLimits = ServerLimits(), handler: @escaping Handler
    ) throws(ServerSocket.Failure) {
        pipe = try WakePipe()
        mailbox = Locked(Mailbox(history: EventHistory(count: limits.keptEvents, bytes: limits.keptBytes)))
        let listener = try ServerSocket.listening(port: port)
        admission = Admission(token: Admission.newToken(), port: listener.port)
        let (mailbox, pipe, admission, hasEnded) = (mailbox, pipe, admission, hasEnded)
        let thread = Thread {
            let loop = ServerLoop(
                listener: listener, mailbox: mailbox, pipe: pipe, admission: admission, limits: limits, handler: handler
            )
            loop.run()
            hasEnded.signal()
        }
        thread.name = "Siesta inspector"
        thread.start()
    }

    /// The address of the page.
    var url: String { "http://127.0.0.1:\(admission.port)/\(admission.token)/" }

    /// True if a page receives events.
    var hasReaders: Bool { mailbox.withLock { $0.readers > 0 } }

    /// The number of the last event.
    var lastEvent: Int { mailbox.withLock { $0.history.last } }

    /// Sends an event to all streams. `data` must have one line. Without streams, only counts the event.
    func publish(_ data: [UInt8]) {
        mailbox.withLock { box in
            guard box.readers > 0 else { return box.history.skip() }
            let bytes = box.history.append(data)
            box.events.append((box.history.last, bytes))
        }
        pipe.wake()
    }

    /// Closes all connections and the port, and returns after that. Further calls have no effect.
    func stop() {
        guard mailbox.withLock({ exchange(&$0.isStopped, with: true) }) == false else { return }
        pipe.wake()
        hasEnded.wait()
    }

    deinit { stop() }
}
