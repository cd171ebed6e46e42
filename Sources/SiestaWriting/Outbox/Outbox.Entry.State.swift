import SiestaCore

extension Outbox.Entry {
    /// The state of an entry.
    public enum State: Hashable, Sendable, CustomStringConvertible {
        /// The entry waits to be sent, for the first time or again.
        case queued
        /// The request is being sent. After a restart, the entry is queued and sent again with the same
        /// `Idempotency-Key`.
        case sending
        /// The server has applied the change, and the change is becoming part of the data. Afterwards, the entry leaves
        /// the outbox. A confirmed entry is not sent again, even after a restart, and cannot be dropped.
        case confirmed
        /// The server has refused the change, or the entry cannot be sent. The status is nil if the entry was not sent,
        /// because it is older than the limit or because its request cannot be sent. The entry stays until the app
        /// drops, edits or retries it.
        case refused(status: Int?, message: String)
        /// The resource has changed on the server. The entry stays until the app drops, edits or retries it.
        case conflict(status: Int)

        /// A Boolean value that indicates whether the entry waits for a decision of the app.
        public var needsDecision: Bool {
            switch self {
            case .refused, .conflict: true
            case .queued, .sending, .confirmed: false
            }
        }

        /// The name of the state, and the status of the response.
        public var description: String {
            switch self {
            case .queued: "queued"
            case .sending: "sending"
            case .confirmed: "confirmed"
            case .refused(let status?, _): "refused with status \(status)"
            case .refused(nil, _): "refused before it was sent"
            case .conflict(let status): "conflict with status \(status)"
            }
        }
    }
}
