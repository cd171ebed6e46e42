import SiestaCore

/// The error that an ``Authenticator`` throws if it cannot refresh a credential, and the user must sign in again.
///
/// If a request fails because the session has expired, this error is also the cause of its ``RequestError``. If the
/// server refused the request, the status of the ``RequestError`` is 401. If the request was not sent, the status is
/// nil.
///
/// An app can distinguish the causes of a failed request:
///
/// ```swift
/// switch error.code {
/// case .sessionExpired: print("sign in again")
/// case .credentialNotRefreshed: print("no new token:", error)
/// case .tooManyRefreshes: print("wait \(Int(error.retryAfter ?? 0)) s")
/// default: print(error.userMessage)
/// }
/// ```
public struct SessionExpired: Error, Sendable, Equatable {
    /// The reason that the server gave, such as `invalid_grant`; nil if the server gave no reason.
    public let reason: String?

    /// Creates an error for an authenticator to throw.
    ///
    /// - Parameter reason: The reason that the server gave; nil by default.
    public init(reason: String? = nil) {
        self.reason = reason
    }
}

extension SessionExpired: CustomStringConvertible {
    /// A description that contains the ``reason``, on one line and without control characters.
    public var description: String {
        reason.map { PreparedText.line("The session has expired: \($0)", limit: 200) } ?? "The session has expired"
    }
}
