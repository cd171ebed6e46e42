import SiestaCore

extension Session {
    /// The state of a session.
    public enum State: Sendable, Equatable {
        /// Nobody is signed in. Requests carry no credential.
        case signedOut
        /// The principal with this name is signed in.
        case signedIn(String)
        /// The credential is being refreshed. ``Session/principal`` is the signed-in user.
        case refreshing
        /// The user must sign in again. Until then, requests of personal resources fail without being sent, and others
        /// carry no credential. The data of the user stays.
        case expired(SessionExpired)

        /// Returns true if both states are the same. Names with different bytes are different, also if they look the
        /// same.
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
