public import SiestaCore

extension RequestError.Code {
    /// The session has expired: the user must sign in again. The cause is ``SessionExpired``.
    public static var sessionExpired: Self { Self("sessionExpired", \.sessionExpired) }
    /// The session could not refresh the credential, which the server had refused or which had expired. The next
    /// request starts another refresh. ``RequestError/Failure/underlyingError`` is the error that ended the refresh,
    /// usually a `URLError`.
    public static var credentialNotRefreshed: Self { Self("credentialNotRefreshed", \.cannotRefreshCredential) }
    /// The credential has expired or was refused, and the ``RefreshLimit`` does not allow a refresh in the next minute.
    /// ``RequestError/retryAfter`` is the number of seconds after which the session can refresh the credential. With
    /// the standard limit, this error does not occur, because requests wait for at most 30 seconds.
    public static var tooManyRefreshes: Self { Self("tooManyRefreshes", \.cannotRefreshCredential) }
    /// The session's ``Authenticator`` cannot send the credential. For example, a token contains a line break, or the
    /// user name for Basic authentication contains a colon. Nothing was sent. The error contains no part of the
    /// credential.
    public static var invalidCredential: Self { Self("invalidCredential", \.cannotSendRequest) }
    /// The ``CredentialStore`` of the session could not save the credential, for example because the disk is full. The
    /// sign-in has changed nothing. ``RequestError/Failure/underlyingError`` is the error that the store threw.
    public static var credentialNotSaved: Self { Self("credentialNotSaved", \.cannotSaveCredential) }
    /// The service has no session, so nobody can sign in. Call ``Service/authenticate(with:alsoAt:)`` first.
    public static var missingSession: Self { Self("missingSession") }
    /// The URL of an authorization server is neither an HTTPS URL nor a URL of this machine. Nothing was sent.
    public static var insecureAddress: Self { Self("insecureAddress", \.cannotSendRequest) }
    /// A response of an authorization server is not a valid token response (RFC 6749 §5) or device
    /// authorization response (RFC 8628 §3.2). The error contains no part of the response.
    public static var invalidTokenResponse: Self { Self("invalidTokenResponse", \.cannotParseResponse) }
    /// An authorization server refused a request for a credential (RFC 6749 §4.1.2.1 and §5.2, RFC 8628 §3.5).
    ///
    /// ``RequestError/Failure/name`` is the error code of the server, for example `access_denied` if the user has
    /// refused the authorization, or `expired_token` if the user has not entered the code of a device in time. If this
    /// code contains characters other than letters and underscores, the name is `unknown_error`.
    public static var authorizationRefused: Self { Self("authorizationRefused") }
    /// The URL of a redirect does not complete the authorization: it does not belong to the
    /// ``OAuth2/AuthorizationFlow``, or contains no code (RFC 6749 §4.1.2). Such a URL can be part of an attack. The
    /// error contains no part of the URL.
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
