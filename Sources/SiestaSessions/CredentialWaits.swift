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
        let action: (Session.Permission) -> Void
    }

    private var waits = ObjectTable<Wait>()

    /// The time at which the first wait began; nil if no request waits.
    var start: TimeInterval? { waits.first?.time }

    mutating func add(
        _ request: AnyObject, isRefused: Bool, at now: TimeInterval, _ action: @escaping (Session.Permission) -> Void
    ) {
        _ = waits.set(Wait(request: request, time: now, isRefused: isRefused, action: action), of: request)
    }

    /// Removes the wait of a request. The caller releases it after the change, because its release may run code of the
    /// app.
    mutating func remove(_ request: AnyObject) -> Wait? { waits.set(nil, of: request) }

    /// Removes and returns all waits.
    mutating func removeAll() -> [Wait] { waits.removeAll() }

    /// Removes and returns the waits that began at this time or before.
    mutating func removeAll(until time: TimeInterval) -> [Wait] { waits.removeAll { $0.time <= time } }
}
