public import Foundation
public import SiestaCore

/// The state of a resource's connection to its ``LiveSource``, independent of loads and errors of the resource.
public enum LiveState: Sendable {
    /// The resource has no source, or no observer.
    case off
    /// A connection is being opened.
    case connecting
    /// The connection is open, but the data is missing or possibly outdated. The resource may have no data, for example
    /// after a deletion. If changes may be missing from its data, the resource is loaded.
    case catchingUp
    /// The connection is open, and the data is up to date and counts as fresh. The date is the time at which this state
    /// began.
    case live(since: Date)
    /// There is no connection, and the resource is polled until a connection is open; see
    /// ``LiveSource/pollingInterval``. For `nextAttempt`, see ``failed(_:nextAttempt:)``.
    case polling(nextAttempt: Date?)
    /// There is no connection, and the resource is not polled. `nextAttempt` is the time of the next attempt to
    /// connect. It is nil if the next attempt has to wait for the network, or if another attempt would fail with the
    /// same error. After a successful load of the resource, another attempt is made, but no earlier than 30 seconds
    /// after the failure. ``Resource/retryNow()`` and a sign-in start an attempt at once.
    case failed(RequestError?, nextAttempt: Date?)

    /// True if the state is ``live(since:)``.
    public var isLive: Bool { if case .live = self { true } else { false } }
}

extension LiveState: CustomStringConvertible {
    /// The state in one or two words: `live`, `connecting`, `catching up`, `polling`, `failed` or `off`.
    public var description: String {
        switch self {
        case .off: "off"
        case .connecting: "connecting"
        case .catchingUp: "catching up"
        case .live: "live"
        case .polling: "polling"
        case .failed: "failed"
        }
    }
}
