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

/// The life of one connection, on one thread: requests in, answers out, one after the other.
///
/// Whatever happens, ``serve()`` returns with the socket given back; soon after the stop signal in every case.
struct Connection {
    /// Lets time pass; nil when it has, else how the connection ended meanwhile.
    typealias Pause = @Sendable (TimeInterval, Socket, StopSignal) -> Ending?

    /// How a connection comes to its end.
    enum Ending: Sendable {
        /// The last answer is written.
        case finished

        /// The client has gone or takes too long.
        case abandoned

        /// The server is being stopped.
        case stopped

        /// The server cuts its streams.
        case cut
    }

    private let socket: Socket
    private let signal: StopSignal
    private let exchange: Exchange
    private let limits: Limits
    private let pause: Pause
    private var unread: [UInt8] = []

    init(_ socket: Socket, _ signal: StopSignal, _ exchange: Exchange, limits: Limits, pause: @escaping Pause) {
        (self.socket, self.signal, self.exchange) = (socket, signal, exchange)
        (self.limits, self.pause) = (limits, pause)
    }

    /// Serves until the end.
    mutating func serve() {
        while true {
            guard let ending = serveOne() else { continue }
            switch ending {
            case .finished: closeGently()
            case .abandoned: socket.release()
            case .stopped, .cut: socket.reset()
            }
            return
        }
    }

    /// Serves the next request; nil if another one may follow.
    private mutating func serveOne() -> Ending? {
        let deadline = Deadline(after: limits.idle)
        var hasContinued = false
        while true {
            switch RequestParser(limits: limits).parse(unread) {
            case .request(let request, let length):
                unread.removeFirst(length)
                return answer(request)
            case .bad(let status):
                return carryOut(exchange.refuse(status: status)) ?? .finished
            case .incomplete(let expectsContinue):
                if expectsContinue, !hasContinued {
                    hasContinued = true
                    if let ending = transmit(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) { return ending }
                }
                if let ending = receive(until: deadline) { return ending }
            }
        }
    }

    private func answer(_ request: HTTPRequest) -> Ending? {
        let latency = exchange.behaviour.latency
        if latency > 0, let ending = pause(latency, socket, signal) { return ending }
        return carryOut(exchange.answer(request))
    }

    private func carryOut(_ delivery: Delivery) -> Ending? {
        for step in delivery.steps {
            let ending =
                switch step {
                case .send(let bytes): transmit(bytes)
                case .pause(let seconds): pause(seconds, socket, signal)
                case .stream(let id): stream(after: id)
                }
            if let ending { return ending }
        }
        return delivery.keepsAlive ? nil : .finished
    }

    /// Sends events as they occur. Looks for new ones 50 times a second.
    private func stream(after id: Int) -> Ending {
        var id = id
        while let (bytes, lastID) = exchange.news(after: id) {
            if let ending = transmit(bytes) ?? pause(0.02, socket, signal) { return ending }
            id = lastID
        }
        return .cut
    }

    // MARK: - Moving bytes

    private mutating func receive(until deadline: Deadline) -> Ending? {
        switch signal.wait(for: Int32(POLLIN), on: socket, until: deadline) {
        case .stopped: return .stopped
        case .elapsed: return .abandoned
        case .ready: break
        }
        switch socket.read() {
        case .bytes(let bytes): unread += bytes
        case .nothing: break
        case .end: return .abandoned
        }
        return nil
    }

    private func transmit(_ bytes: [UInt8]) -> Ending? {
        var rest = bytes[...]
        while !rest.isEmpty {
            switch signal.wait(for: Int32(POLLOUT), on: socket, until: Deadline(after: limits.stalled)) {
            case .stopped: return .stopped
            case .elapsed: return .abandoned
            case .ready: break
            }
            guard let count = socket.write(rest) else { return .abandoned }
            rest = rest.dropFirst(count)
        }
        return nil
    }

    /// Says goodbye and waits a moment for the client to leave first.
    ///
    /// Bytes that nobody has read would otherwise make the kernel reset the connection, and the client might lose the
    /// answer (RFC 9112 section 9.6).
    private func closeGently() {
        socket.finishWriting()
        let deadline = Deadline(after: 1)
        while signal.wait(for: Int32(POLLIN), on: socket, until: deadline) == .ready, !deadline.isOver {
            if socket.read() == .end { break }
        }
        socket.release()
    }
}

extension Connection {
    /// The real way to let time pass: ends at once when the server stops, or when the client closes the connection.
    static let realPause: Pause = { seconds, socket, signal in
        let deadline = Deadline(after: seconds)
        var events = Int32(POLLIN)
        while true {
            switch signal.wait(for: events, on: socket, until: deadline) {
            case .elapsed: return nil
            case .stopped: return .stopped
            case .ready where events == 0 || socket.hasEnded: return .abandoned
            case .ready: events = 0  // a pipelined request waits to be read: watch for failures only
            }
        }
    }
}
