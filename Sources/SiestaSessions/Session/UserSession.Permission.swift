import SiestaCore

extension UserSession {
    /// A credential as one request has used it.
    struct Use: Sendable {
        let credential: Credential
        let number: Int32
    }

    /// The permission to send a request.
    enum Permission {
        /// The request is sent with this credential; without one if it is nil.
        case send(Use?)
        case fail(RequestError)
    }
}
