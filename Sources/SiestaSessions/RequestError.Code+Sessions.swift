public import SiestaCore

extension RequestError.Code {
    /// The session has expired: the user must sign in again. The cause is ``SessionExpired``.
    public static var sessionExpired: Self { Self("sessionExpired", \.sessionExpired) }
    /// The credential of the request was about to expire or was refused, and its refresh failed. A later request starts
    /// another refresh. ``RequestError/Failure/underlyingError`` is the error of the refresh, usually a `URLError`.
    public static var credentialNotRefreshed: Self { Self("credentialNotRefreshed", \.cannotRefreshCredential) }
    /// The credential of the request was about to expire or was refused, and the ``RefreshLimit`` does not allow a
    /// refresh in the next minute. ``RequestError/retryAfter`` is the time after which the session can refresh the
    /// credential. With the standard limit, requests wait instead of failing with this error.
    public static var tooManyRefreshes: Self { Self("tooManyRefreshes", \.cannotRefreshCredential) }
    /// The session's ``Authenticator`` cannot send a credential. For example, a token contains a line break, or the
    /// user name for Basic authentication contains a colon. Nothing was sent. The error contains no part of the
    /// credential.
    public static var invalidCredential: Self { Self("invalidCredential", \.cannotSendRequest) }
    /// The ``CredentialStore`` of the session could not save the credential, for example because the disk is full. The
    /// sign-in has changed nothing. ``RequestError/Failure/underlyingError`` is the error of the store.
    public static var credentialNotSaved: Self { Self("credentialNotSaved", \.cannotSaveCredential) }
    /// A user cannot sign in to a service that has no session. Call
    /// ``Service/authenticate(with:alsoAt:)`` first.
    public static var missingSession: Self { Self("missingSession") }
    /// The URL of an authorization server is neither an HTTPS URL nor a URL of this machine. Nothing was sent.
    public static var insecureAddress: Self { Self("insecureAddress", \.cannotSendRequest) }
    /// A response of an authorization server is not a valid token response (RFC 6749 §5) or device
    /// authorization response (RFC 8628 §3.2). The error contains no part of the response.
    public static var invalidTokenResponse: Self { Self("invalidTokenResponse", \.cannotParseResponse) }
    /// An authorization server refused a request for a credential (RFC 6749 §4.1.2.1 and §5.2, RFC 8628 §3.5).
    ///
    /// ``RequestError/Failure/name`` is the error code. It is, for example, `access_denied` if the user has refused the
    /// authorization. It is `expired_token` if the user has not entered the code of a device in time. The code is
    /// `unknown_error` if the server sent characters other than letters and underscores.
    public static var authorizationRefused: Self { Self("authorizationRefused") }
    /// A callback URL does not complete an authorization: it does not belong to the flow, or contains no code (RFC 6749
    /// §4.1.2). The reason may be an attack. The error contains no part of the URL.
    public static var invalidCallback: Self { Self("invalidCallback") }
}

extension RequestError {
    /// A credential that cannot be sent.
    static func invalidCredential(_ reason: String) -> Self { Self(.init(.invalidCredential, reason: reason)) }
}

extension RequestError.Failure {
    static func authorizationRefused(_ code: String) -> Self {
        Self(.authorizationRefused, reason: "the error code is \(code)", name: code)
    }
}

extension SessionExpired: CodedError {
    package var code: RequestError.Code { .sessionExpired }
}
