public import Foundation
public import SiestaCore

extension RequestError.Cause {
    /// A credential cannot be sent by the session's ``Authenticator``, for example because a token contains a line
    /// break, or the user name for Basic authentication a colon. Nothing was sent.
    ///
    /// The error contains no part of the credential.
    public struct InvalidCredential: LocalizedError, CustomStringConvertible, Hashable {
        /// The reason, in English.
        public let reason: String

        init(_ reason: String) {
            self.reason = reason
        }

        /// The message ``UserMessages/cannotSendRequest``.
        public var errorDescription: String? { UserMessages.current.cannotSendRequest }

        /// The reason.
        public var description: String { "The credential cannot be sent: \(reason)" }
    }
}
