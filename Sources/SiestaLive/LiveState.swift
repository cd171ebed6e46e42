public import Foundation
public import SiestaCore

/// The state of a resource's connection to its ``LiveSource``, independent of loads and errors of the resource.
public enum LiveState: Sendable {
    /// The resource has no source, or no observer.
    case off
    /// A connection is being opened.
    case connecting
    /// The connection is open, and a load is catching up with earlier changes.
    case catchingUp
    /// The data follows the server, and counts as fresh.
    case live(since: Date)
    /// There is no connection. Until a connection is open, the resource is polled; see ``LiveSource/pollingInterval``.
    case polling(nextAttempt: Date?)
    /// There is no connection. `nextAttempt` is the time of the next attempt. The time is nil if the next attempt
    /// depends on the network, or if another attempt would be useless after this error. ``Resource/retryNow()`` starts
    /// an attempt.
    case failed(RequestError?, nextAttempt: Date?)

    /// True for ``live(since:)``.
    public var isLive: Bool { if case .live = self { true } else { false } }
}

extension LiveState: CustomStringConvertible {
    /// One or two words: `live`, `connecting`, `catching up`, `polling`, `failed` or `off`.
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
