import SiestaCore

extension UserSession {
    /// The permission to send a request.
    enum Permission {
        /// The request is sent with this credential; without one if it is nil.
        case send(SessionRules.Holder?)
        case fail(RequestError)
    }
}
