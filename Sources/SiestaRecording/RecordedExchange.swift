import Foundation
import HTTPRules
import SiestaCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// An exchange as it was observed, with its secrets.
struct RecordedExchange: Sendable {
    /// The first part of a body, and its size.
    struct Bytes: Sendable {
        private(set) var content = Data()
        private(set) var size = 0

        mutating func append(_ piece: Data, limit: Int) {
            size += piece.count
            guard content.count < limit, !piece.isEmpty else { return }
            if content.isEmpty, piece.count <= limit {
                content = piece
            } else {
                content.append(piece.prefix(limit - content.count))  // In place: there may be many pieces.
            }
        }
    }

    /// The request without its body, of which ``requestBody`` is the first part.
    let request: URLRequest
    /// The wall time at the start.
    let started: TimeInterval
    /// The monotonic time at the start.
    let begin: TimeInterval
    /// The monotonic time at the end; nil before the end.
    private(set) var end: TimeInterval?
    private(set) var requestBody = Bytes()
    private(set) var head: ExchangeEvent.Head?
    /// The monotonic time of the arrival of the head; nil if it did not arrive before the body.
    private(set) var headTime: TimeInterval?
    private(set) var responseBody = Bytes()
    private(set) var error: (any Error)?
    var metrics: RequestMetrics?

    init(_ request: URLRequest, clock: SiestaClock, bodyLimit: Int) {
        let body = request.httpBody
        var request = request
        if body != nil { request.httpBody = nil }  // Otherwise the whole body would stay in memory.
        self.request = request
        (started, begin) = (clock.wallTime, clock.monotonicTime)
        if let body { requestBody.append(body, limit: bodyLimit) }
    }

    /// Records an event. Events after the end change nothing.
    mutating func receive(_ event: ExchangeEvent, at time: TimeInterval, bodyLimit: Int) {
        guard end == nil else { return }
        switch event {
        case .beganBody: requestBody = Bytes()
        case .sent(let piece): requestBody.append(piece, limit: bodyLimit)
        case .received(let head): (self.head, headTime) = (head, time)
        case .receivedPiece(let piece): responseBody.append(piece, limit: bodyLimit)
        case .ended(let head, let body, let error):
            end = time
            if let head { self.head = head }
            if let body { responseBody.append(body, limit: bodyLimit) }
            self.error = error
        }
    }

    /// True for an event stream that is still open, of which the recording contains what has arrived.
    var isOpenStream: Bool {
        guard end == nil, let head, 200..<300 ~= head.status else { return false }
        return MediaType.essence(of: contentType ?? "") == "text/event-stream"
    }

    /// The content type of the response; nil if there is none.
    var contentType: String? { head?.fields.first { $0.name.lowercased() == "content-type" }?.value }

    /// The approximate size in memory, in bytes.
    var cost: Int {
        let fields = head?.fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count } ?? 0
        return 1000 + fields + requestBody.content.count + responseBody.content.count
    }
}
