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
    }
}
