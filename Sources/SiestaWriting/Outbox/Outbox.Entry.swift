public import Foundation
import SiestaCore

extension Outbox {
    /// A change that stays on disk until the server has confirmed it or the app has dropped it.
    ///
    /// An entry contains no credentials. The session adds them when the outbox sends the request.
    public struct Entry: Identifiable, Equatable, Sendable {
        /// The identity of the entry: a UUID string. The identity never changes.
        public let id: String
        /// The position in the order of acceptance. Entries of one scope are sent in this order.
        package var number: UInt64
        /// The name of the queue in which the entry waits. Entries with the same scope are sent one after another.
        public let scope: String
        /// The principal who made the change; nil if nobody was signed in. The entry is sent only for this principal.
        public let principal: String?
        /// The wall time at which the app made the change.
        public let creationTime: Date
        /// The identity of the entry that creates the resource of this entry; nil if the resource exists.
        package internal(set) var dependency: String?
        /// The request to send.
        public package(set) var request: Outbox.StoredRequest
        /// The conditions in later entries of the same scope that mean the version which the condition of this entry names:
        /// confirmed entries have turned the former versions into this one. Only the first of these entries is written
        /// after a confirmation; see ``OutboxRules/rebaseFollower(of:on:)``.
        package var formerConditions: [Outbox.Condition] = []
        /// The edits of resources that are shown until the entry is confirmed or dropped.
        package var edits: [Outbox.StoredEdit]
        /// The way in which a confirmed change becomes part of the resources.
        package var settlement: UInt8
        /// The value of the `Idempotency-Key` field. At first, it is equal to ``id``. Servers may repeat their response
        /// to a known key. Therefore, an entry that the server has refused gets a new key when the app edits or retries
        /// it.
        public package(set) var idempotencyKey: String
        /// The number of times that the request was sent with the current ``idempotencyKey``.
        public package(set) var attempts: Int
        /// The wall time from which the age of the entry is counted: its creation, or the last edit or retry.
        package var waitsSince: Date
        /// The current state of the entry, for example queued or refused.
        public package(set) var state: State

        package init(
            id: String = UUID().uuidString, scope: String, principal: String? = nil, creationTime: Date = Date(),
            dependency: String? = nil, request: Outbox.StoredRequest, edits: [Outbox.StoredEdit] = [],
            settlement: UInt8 = 0
        ) {
            (self.id, idempotencyKey, number, attempts, state) = (id, id, 0, 0, .queued)
            (self.scope, self.principal, self.dependency) = (scope, principal, dependency)
            (self.creationTime, waitsSince) = (creationTime, creationTime)
            (self.request, self.edits, self.settlement) = (request, edits, settlement)
        }

        /// The ``principal``, for comparisons.
        var owner: Principal? { .named(principal) }

        /// True if the server may have applied the change, although no response says so.
        package var mayBeApplied: Bool {
            switch state {
            case .sending, .confirmed: true
            case .queued: attempts > 0
            case .refused(let status, _): status == nil && attempts > 0
            case .conflict: false
            }
        }

        /// The size for the limit in bytes: that of the texts, the body and the deltas, and an estimate for the rest.
        package var size: Int {
            var size = 100 + id.utf8.count + scope.utf8.count + (principal?.utf8.count ?? 0)
            size += (dependency?.utf8.count ?? 0) + request.address.text.utf8.count + request.size
            for edit in edits { size += edit.address.text.utf8.count + edit.delta.count }
            return size
        }
    }
}

extension Outbox.Entry: CustomStringConvertible, CustomReflectable {
    /// A string that contains the entry's position in the order of acceptance, its HTTP method and its state. It
    /// contains no URL, header or body.
    public var description: String { PreparedText.line("Outbox entry \(number) (\(request.method), \(state))") }

    /// An empty mirror, so that `dump` shows only the ``description``.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension Outbox.Entry {
    /// The progress of an entry, from the queue to the confirmation by the server.
    public enum State: Equatable, Sendable, CustomStringConvertible {
        /// The entry waits for its first or its next attempt.
        case queued
        /// The request is being sent. If the process ends before the response arrives, the entry is queued after the
        /// restart, and sent again with the same `Idempotency-Key`.
        case sending
        /// The server has carried out the change, and the change is becoming part of the data. After that, the outbox
        /// removes the entry. A confirmed entry is not sent again, even after a restart, and cannot be dropped.
        case confirmed
        /// The server has refused the change, or the outbox did not send it. In the second case, the status is nil:
        /// either the entry has waited longer than ``Outbox/ageLimit``, or its request cannot be sent, for example
        /// because its file is missing. The entry stays until the app drops, edits or retries it.
        case refused(status: Int?, message: String)
        /// The server has reported a conflict (status 409, 412 or 428). The entry stays until a resolver resolves the
        /// conflict, or until the app drops, edits or retries the entry.
        case conflict(status: Int)

        /// A Boolean value that indicates whether the entry waits for the app to drop, edit or retry it.
        public var needsDecision: Bool {
            switch self {
            case .refused, .conflict: true
            case .queued, .sending, .confirmed: false
            }
        }

        /// The name of the state, and the status of the response if there is one.
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
