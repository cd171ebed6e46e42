import Foundation
import SiestaCore

/// The requests that wait for a refresh of a credential, in the order in which they began to wait. Times are monotonic,
/// in seconds.
struct CredentialWaits {
    /// The wait of one request.
    struct Wait {
        /// The request. It is kept, so that no other request gets its identity.
        fileprivate let request: AnyObject
        fileprivate let time: TimeInterval
        /// True if the server has refused the credential of the request; false if the request was not sent before.
        let isRefused: Bool
        /// Lets the request go on.
        let action: (UserSession.Permission) -> Void
    }

    /// Nil if no request waits, so that a request with a valid credential calls no generic function of the core.
    private var waits: ObjectTable<Wait>?

    /// The time at which the first wait began; nil if no request waits.
    var start: TimeInterval? { waits?.first?.time }

    mutating func add(
        _ request: AnyObject, isRefused: Bool, at now: TimeInterval,
        _ action: @escaping (UserSession.Permission) -> Void
    ) {
        if waits == nil { waits = ObjectTable() }
        _ = waits?.set(Wait(request: request, time: now, isRefused: isRefused, action: action), of: request)
    }

    /// Removes the wait of a request. The caller releases it after the change, because its release may run code of the
    /// app.
    mutating func remove(_ request: AnyObject) -> Wait? {
        guard waits != nil else { return nil }
        defer { dropIfEmpty() }
        return waits?.set(nil, of: request)
    }

    /// Removes and returns all waits.
    mutating func removeAll() -> [Wait] { removeAll(until: .infinity) }

    /// Removes and returns the waits that began at this time or before.
    mutating func removeAll(until time: TimeInterval) -> [Wait] {
        guard waits != nil else { return [] }
        defer { dropIfEmpty() }
        return waits?.removeAll { $0.time <= time } ?? []
    }

    private mutating func dropIfEmpty() {
        if waits?.isEmpty == true { waits = nil }
    }
}
