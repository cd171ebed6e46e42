import Foundation
import Isolation
import SiestaCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What a stream of events asks for.
struct EventRequest: Sendable {
    typealias Mutation = @MainActor @Sendable (inout URLRequest) -> Void

    let resource: Resource
    var method = RequestMethod.get
    var options = EventStream.Options()
    /// The changes of the caller, after the fields of the stream.
    var mutation: Mutation?

    /// True if the stream connects again after the end of a connection.
    var reconnects: Bool { options.reconnects ?? (method == .get) }

    @MainActor
    fileprivate func recipe(after lastID: String) -> NetworkRequest.Recipe {
        NetworkRequest.Recipe(resource: resource, method: method) { [mutation, options] request in
            request.setValue("text/event-stream", forHTTPHeaderField: "Accept")
            request.setValue("no-store", forHTTPHeaderField: "Cache-Control")
            // The transport's own time-out for silence comes after that of the stream.
            request.timeoutInterval = options.silenceLimit.isFinite ? options.silenceLimit + 60 : 31_536_000
            if let text = EventStream.fieldValue(ofID: lastID) {
                request.setValue(text, forHTTPHeaderField: "Last-Event-ID")
            }
            mutation?(&request)
        }
    }
}

extension EventStream {
    /// The longest identifier that is sent back to the server, in bytes.
    private static let idLimit = 4096

    /// Returns the value of `Last-Event-ID`; nil if there is no identifier, or if it cannot be sent in a header field. Then
    /// the stream begins at the present.
    static func fieldValue(ofID id: String) -> String? {
        let blanks: Set<UInt8> = [0x20, 0x09]
        // A field value neither begins nor ends with white space (RFC 9110 §5.5).
        guard let first = id.utf8.first, let last = id.utf8.last, !blanks.contains(first), !blanks.contains(last),
            id.utf8.count <= idLimit, id.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 })
        else { return nil }
        return id
    }
}

/// One connection of a stream. It ends if the server is silent for too long, even if the transport does not notice.
final class EventConnection: Sendable {
    private let response: StreamedResponse
    private let clock: SiestaClock
    private let limit: TimeInterval
    private let state = Locked(State())

    private struct State {
        /// The monotonic time since which the consumer has waited for the server; nil if it does not wait.
        var waitingSince: TimeInterval?
        /// The number of parts of the response that the consumer has received.
        var receivedCount = 0
        var isWatched = false
        var end: End?
    }

    /// The reason why the connection was ended on this side.
    enum End { case silence, pause }

    /// - Parameter last: the request of the last connection of the same stream.
    init(_ request: EventRequest, after lastID: String, continuing last: StreamedResponse.Request?) {
        response = StreamedResponse(of: request.resource, isWork: !request.reconnects, continuing: last) {
            request.recipe(after: lastID)
        }
        (clock, limit) = (request.resource.clock, request.options.silenceLimit)
    }

    /// The reason why this side has ended the connection; nil if it has not.
    var end: End? { state.withLock { $0.end } }

    /// The request, for the connection that follows.
    var request: StreamedResponse.Request { response.request }

    /// The head of the response; nil before it has arrived.
    var head: NetworkResponse.Head? { response.head }

    /// Waits for the head of a success. Returns nil if there is none; then ``next()`` throws the error.
    func headArrives() async -> NetworkResponse.Head? {
        beginWait()
        let head = await response.headArrives().flatMap { 200..<300 ~= $0.status ? $0 : nil }
        endWait(hasReceived: head != nil)
        return end == nil ? head : nil
    }

    /// Waits for the next bytes. Returns nil at the end of the response.
    func next() async throws(RequestError) -> Data? {
        beginWait()
        var piece: Data?
        defer { endWait(hasReceived: piece != nil) }
        piece = try await response.next()
        return piece
    }

    /// Ends the connection, whatever the transport does.
    func stop(because end: End) {
        state.withLock { $0.end = $0.end ?? end }
        response.stop()
    }

    // MARK: Silence

    private func beginWait() {
        let now = clock.monotonicTime
        let isFirst = state.withLock { state in
            state.waitingSince = now
            defer { state.isWatched = true }
            return !state.isWatched
        }
        if isFirst, limit.isFinite { watch(for: limit) }
    }

    private func endWait(hasReceived: Bool) {
        state.withLock { state in
            state.waitingSince = nil
            if hasReceived { state.receivedCount += 1 }
        }
    }

    /// Checks the connection later. One timer serves all pieces.
    private func watch(for time: TimeInterval) {
        clock.scheduleReport(after: time) { [weak self] in self?.checkSilence() }
    }

    private func checkSilence() {
        let (now, arrivalCount) = (clock.monotonicTime, response.arrivalCount)
        let rest = state.withLock { state in
            guard state.end == nil else { return -1.0 }
            // A part that has arrived ends the silence before the consumer's thread has received it.
            guard let begin = state.waitingSince, state.receivedCount == arrivalCount else { return limit }
            return begin + limit - now
        }
        guard rest > 0 else { return end == nil ? stop(because: .silence) : () }
        watch(for: rest)
    }
}
