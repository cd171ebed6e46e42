import Foundation
import HTTPRules
import SiestaCore

/// Reads one stream of events over as many connections as it needs. One task uses it.
///
/// It is an actor so that bytes of a server are parsed outside the main actor.
actor EventReader {
    /// What happens to the stream.
    enum Step: Sendable {
        /// The wait for the next connection is over.
        case opening
        /// A connection was opened. `lastID` is the identifier with which it was asked for; empty for none.
        case opened(NetworkResponse.Head, lastID: String)
        case events([ServerEvent])
        /// A connection has ended, or could not be opened. The next one is opened after the delay, in seconds.
        case interrupted(RequestError?, delay: TimeInterval)
    }

    private let request: EventRequest
    private let clock: SiestaClock
    private var rules = ReconnectRules()
    private var parser: EventParser
    private var connection: EventConnection?
    /// The request of the last connection. If the user changes between two connections, the stream ends.
    private var last: StreamedResponse.Request?
    /// The delay before the next connection; nil without one.
    private var delay: TimeInterval?
    private var isEnded = false
    /// True if the stream cannot be read any further, and the events before have been returned.
    private var isTooLong = false

    init(_ request: EventRequest, after lastID: String = "") {
        self.request = request
        clock = request.resource.clock
        parser = EventParser(limit: request.options.eventLimit, lastID: lastID)
    }

    /// Waits for what happens next. Returns nil at the end of the stream, and after an error was thrown.
    ///
    /// - Throws: The error that ends the stream: a cancellation, or a failure for which another attempt is of no use.
    func next() async throws(RequestError) -> Step? {
        guard !isEnded else { return nil }
        do {
            if let delay {
                self.delay = nil
                try await pause(for: delay)
                return .opening
            }
            let step = connection == nil ? try await open() : try await read()
            if step == nil { end() }
            return step
        } catch {
            end()
            throw error
        }
    }

    private func end() {
        isEnded = true
        (connection, last) = (nil, nil)
    }

    /// Ends the connection, and forgets the identifiers. Returns the delay before the next connection, which begins at the
    /// present.
    func reset() -> TimeInterval {
        parser = EventParser(limit: request.options.eventLimit)
        (connection, isTooLong) = (nil, false)
        let time = rules.delay(at: clock.monotonicTime, retryAfter: nil, fraction: clock.fraction)
        delay = time
        return time
    }

    private func open() async throws(RequestError) -> Step? {
        let connection = EventConnection(request, after: parser.lastID, continuing: last)
        self.connection = connection
        // The user may change while the first connection waits.
        if last == nil { last = connection.request }
        // After a time in the background, a request that is sent only once would be sent again.
        if request.reconnects { await request.resource.waitsOfStreams.add(connection) }
        guard connection.end == nil else { return try interruption(nil) }
        last = connection.request
        guard let head = await connection.headArrives() else {
            do {
                _ = try await connection.next()
                return try interruption(nil)
            } catch {
                return try interruption(error)
            }
        }
        guard head.status != 204 else { return nil }  // The server wants no more connections (HTML §9.2.3).
        let type = head.fields.contentType ?? ""
        guard MediaType.essence(of: type) == "text/event-stream" else {
            throw failure(.init(.notEventStream, reason: "the content type is \(PreparedText.line(type, limit: 100))"))
        }
        rules.opened(at: clock.monotonicTime)
        return .opened(head, lastID: EventStream.fieldValue(ofID: parser.lastID) ?? "")
    }

    private func read() async throws(RequestError) -> Step? {
        guard let connection else { return nil }
        var events: [ServerEvent] = []
        while events.isEmpty {
            guard !isTooLong else { throw failure(.contentTooLong(parser.limit, raise: "eventLimit")) }
            let piece: Data?
            do {
                piece = try await connection.next()
            } catch {
                return try interruption(error)
            }
            guard let piece else { return try interruption(nil) }
            do {
                try parser.add([UInt8](piece), to: &events)
            } catch {
                isTooLong = true
            }
            if let retry = parser.retry { rules.asked = retry }
        }
        return .events(events)
    }

    /// Returns the step after the end of a connection; nil if it is the end of the stream.
    private func interruption(_ error: RequestError?) throws(RequestError) -> Step? {
        let end = connection?.end
        connection = nil
        // An unfinished event is dropped (HTML §9.2.6).
        parser = EventParser(limit: parser.limit, lastID: parser.lastID)
        guard !Task.isCancelled else { throw error ?? clock.whileCurrent { RequestError.cancelled() } }
        switch end {
        case .pause:
            delay = 0
            return .interrupted(nil, delay: 0)
        case .silence:
            return try interruption(by: failure(.init(.silentStream, reason: "for \(request.options.silenceLimit) s")))
        case nil:
            if let error, !Self.mayPass(error) { throw error }
            guard error != nil || request.reconnects else { return nil }
            return try interruption(by: error)
        }
    }

    private func interruption(by error: RequestError?) throws(RequestError) -> Step {
        if !request.reconnects, let error { throw error }
        let time = rules.delay(
            at: clock.monotonicTime, retryAfter: error?.retryAfter, fraction: clock.fraction)
        delay = time
        return .interrupted(error, delay: time)
    }

    private func pause(for delay: TimeInterval) async throws(RequestError) {
        let waits = await request.resource.waitsOfStreams
        await waits.wait(for: delay)
        if Task.isCancelled { throw clock.whileCurrent { RequestError.cancelled() } }
    }

    private func failure(_ failure: RequestError.Failure) -> RequestError {
        var error = clock.whileCurrent { RequestError(failure) }
        error.setRequest(request.resource.url(of: request), method: request.method.rawValue.uppercased())
        return error
    }
}

extension Resource {
    /// The address of a resource whose loads have a body continues after a space.
    fileprivate nonisolated func url(of request: EventRequest) -> URL? {
        URL(string: location)
    }
}

extension EventReader {
    /// Returns true if another connection may succeed after an error: the connection was lost or took too long to open, or the
    /// server is overloaded or restarts.
    private static func mayPass(_ error: any Error) -> Bool {
        switch error {
        case let error as RequestError:
            let status = error.httpStatusCode
            if let status, HTTPStatus.transient.contains(status) { return true }
            guard status == nil || error.cause is RequestError.Failure else { return false }
            return error.cause.map(mayPass) ?? false
        case let cancellation as RequestError.Cause.RequestCancelled:
            return cancellation.networkError != nil  // Neither the library nor the app has cancelled the request.
        case let failure as RequestError.Failure:
            if failure.retryAfter != nil || failure.code == .timeLimitExceeded { return true }
            // The request has needed another one, such as the refresh of its credential.
            return failure.underlyingError.map(mayPass) ?? false
        default:
            let error = error as NSError
            return error.domain == NSURLErrorDomain && !lastingErrors.contains(error.code)
        }
    }

    /// The errors of the network that another attempt cannot solve.
    private static let lastingErrors = Set<Int>(
        [
            URLError.Code.unsupportedURL, .badURL, .userAuthenticationRequired, .cannotDecodeContentData,
            .cannotDecodeRawData, .serverCertificateUntrusted, .appTransportSecurityRequiresSecureConnection,
            .dataLengthExceedsMaximum,
        ].map(\.rawValue))
}
