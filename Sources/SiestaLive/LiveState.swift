public import Foundation
public import SiestaCore

/// Whether the data of a resource follows the server, by a ``LiveSource``. Apart from loads and errors of the resource.
public enum LiveState: Sendable {
    /// The resource has no source, or nothing observes it.
    case off
    /// A connection is being opened.
    case connecting
    /// The connection is open, and a load brings what has happened before.
    case catchingUp
    /// The data is that of the server. It counts as fresh.
    case live(since: Date)
    /// There is no connection. The resource is loaded again and again until there is one; see
    /// ``LiveSource/pollingInterval``.
    case polling(nextAttempt: Date?)
    /// There is no connection. `nextAttempt` is the time of the next attempt; nil if it depends on the network, or if the error
    /// is one for which another attempt is of no use. ``Resource/retryNow()`` makes one.
    case failed(RequestError?, nextAttempt: Date?)

    /// True for ``live(since:)``.
    public var isLive: Bool { if case .live = self { true } else { false } }
}

extension LiveState: CustomStringConvertible {
    /// A word or two: `live`, `connecting`, `catching up`, `polling`, `failed` or `off`.
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
