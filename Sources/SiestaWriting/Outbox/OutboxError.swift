public import Foundation

/// A reason why an outbox does not accept or change an entry.
public enum OutboxError: LocalizedError, Equatable, Sendable {
    /// The service has no outbox, but a durable change needs one. Set ``Service/outbox``.
    case noOutbox
    /// The outbox contains the maximum number of entries.
    case tooManyEntries(limit: Int)
    /// With this change, the entries would exceed the maximum number of bytes.
    case tooManyBytes(limit: Int)
    /// The outbox already contains an entry with this identity.
    case duplicate(id: String)
    /// The outbox contains no entry with this identity.
    case unknownEntry(id: String)
    /// The entry that creates the resource is not in the outbox, or belongs to another principal.
    case unknownDependency(id: String)
    /// The server has carried out the change that creates the resource, but its response contains no URL of the same
    /// origin for this resource.
    case unknownAddress(id: String)
    /// The URL of the request or of an edited resource contains a user name or a password. An outbox never stores such
    /// URLs.
    case credentialsInAddress
    /// The request is being sent, so the entry cannot be edited, retried or dropped now. To cancel the request and drop
    /// the entry, call ``PendingChange/cancel()``.
    case isBeingSent(id: String)
    /// The entry was sent, but no response has arrived, so the server may have carried out the change. The app cannot
    /// edit such an entry, because the server might carry out both requests, or ignore the edited request as a
    /// repetition.
    case mayBeApplied(id: String)
    /// The entry is neither refused nor in conflict, and therefore cannot be retried.
    case needsNoDecision(id: String)
    /// The entry has waited longer than ``Outbox/ageLimit``.
    case tooOld(id: String)
    /// The outbox has ended, because the service now has another outbox or none, or because the service was released.
    case hasEnded
    /// The entry cannot be sent now, for example because an earlier entry of its scope has not been confirmed.
    case notSendable(id: String)

    /// A sentence that states the reason.
    public var errorDescription: String? {
        switch self {
        case .noOutbox: "The service has no outbox, which a durable change needs"
        case .tooManyEntries(let limit): "The outbox is full: it contains \(limit) changes"
        case .tooManyBytes(let limit): "The outbox is full: its changes may have \(limit) bytes in total"
        case .duplicate: "The outbox already contains the change"
        case .unknownEntry: "The outbox does not contain the change"
        case .unknownDependency: "The outbox does not contain the change that creates the resource"
        case .unknownAddress: "The server has not named a URL of the created resource that may be used"
        case .credentialsInAddress: "The URL contains a user name or a password, which the outbox does not store"
        case .isBeingSent: "The change is being sent"
        case .mayBeApplied: "The server may have applied the change already"
        case .needsNoDecision: "The change was not refused"
        case .tooOld: "The change has waited too long to be sent"
        case .hasEnded: "The outbox has ended"
        case .notSendable: "The change cannot be sent now"
        }
    }
}
