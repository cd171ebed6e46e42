import SiestaCore

extension UserSession {
    /// The state of a session.
    public enum State: Sendable, Equatable {
        /// Nobody is signed in. Requests carry no credential.
        case signedOut
        /// The principal with this name is signed in. Requests carry the credential.
        case signedIn(String)
        /// The session is refreshing the credential, and requests that need it wait. ``UserSession/principal`` is the
        /// signed-in user.
        ///
        /// Treat this state like ``UserSession/State/signedIn(_:)``: the user is still signed in.
        case refreshing
        /// The user must sign in again. Until then, requests for personal resources fail at once with the cause
        /// ``SessionExpired`` and are not sent. Requests for other resources are sent without a credential.
        ///
        /// The user's data, polls, cookies and stored credential are kept.
        case expired(SessionExpired)

        /// Returns true if both states are the same, including the user name or the reason. User names are compared
        /// byte by byte.
        public static func == (left: Self, right: Self) -> Bool {
            switch (left, right) {
            case (.signedOut, .signedOut), (.refreshing, .refreshing): true
            case (.signedIn(let left), .signedIn(let right)): Principal(left) == Principal(right)
            case (.expired(let left), .expired(let right)): left == right
            default: false
            }
        }
    }
}
