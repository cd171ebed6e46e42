import Isolation

/// The user to whom the cookies of a service belong. Any thread may use it.
package final class CookieOwner: Sendable {
    private struct State {
        var principal: Principal?
        var hasSession = false
    }

    private let state = Locked(State())

    /// The user; nil if nobody is signed in.
    package var principal: Principal? {
        get { state.withLock { $0.principal } }
        set { state.withLock { $0.principal = newValue } }
    }

    /// True if a session says who is signed in. Cookies of another user are of no more use then.
    package var hasSession: Bool {
        get { state.withLock { $0.hasSession } }
        set { state.withLock { $0.hasSession = newValue } }
    }
}
