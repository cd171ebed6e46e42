public import Foundation
public import SiestaCore

extension RequestError.Cause {
    /// The credential of the request was about to expire or was refused, and its refresh failed. A later request tries
    /// again.
    public struct CredentialNotRefreshed: LocalizedError, CustomStringConvertible, CustomReflectable {
        /// The error of the refresh, usually a `URLError`.
        public let reason: any Error

        public init(_ reason: any Error) {
            self.reason = reason
        }

        /// The message ``UserMessages/cannotRefreshCredential``.
        public var errorDescription: String? { UserMessages.current.cannotRefreshCredential }

        /// The error of the refresh, without secrets.
        public var description: String { "The credential was not refreshed: \(PreparedText.error(reason))" }

        /// No children: `dump` shows only the ``description``, because errors may contain URLs with secrets.
        public var customMirror: Mirror { Mirror(self, children: [:]) }
    }

    /// The credential of the request was about to expire or was refused, and the ``RefreshLimit`` does not allow a refresh
    /// in the next minute. With the standard limit, requests never fail with this error, but wait.
    public struct TooManyRefreshes: LocalizedError {
        /// The time after which the session refreshes the credential again, in seconds from the time of the error.
        public let retryAfter: TimeInterval

        public init(retryAfter: TimeInterval) {
            self.retryAfter = retryAfter
        }

        /// The message ``UserMessages/cannotRefreshCredential``.
        public var errorDescription: String? { UserMessages.current.cannotRefreshCredential }
    }
}
