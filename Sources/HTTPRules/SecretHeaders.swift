/// Decides whether the value of a header field must not be shown. Pure.
package enum SecretHeaders {
    /// The text that replaces the value of a secret field.
    package static let mark = "<redacted>"

    /// The default names of secret fields, in lower case.
    package static let names: Set<String> = [
        "authorization", "proxy-authorization", "authentication-info", "proxy-authentication-info", "cookie", "cookie2",
        "set-cookie", "set-cookie2", "api-key", "apikey", "x-api-key", "x-apikey", "x-auth-token", "x-access-token",
        "x-refresh-token", "x-id-token", "x-session-id", "x-session-token", "x-csrf-token", "x-xsrf-token",
        "x-csrftoken", "x-amz-security-token", "x-goog-api-key", "x-goog-iam-authorization-token",
        "x-functions-key", "ocp-apim-subscription-key", "x-vault-token", "private-token", "job-token",
        "x-gitlab-token", "x-hub-signature", "x-hub-signature-256", "dpop", "x-forwarded-access-token",
    ]

    /// The substrings, in lower case, that make a field secret.
    private static let words = [
        "authorization", "token", "secret", "password", "passwd", "credential", "cookie", "session", "api-key",
        "apikey", "api_key", "signature",
    ]

    /// The parts between hyphens, in lower case, that make a field secret. They are not substrings because, for
    /// example, `auth` would match `X-Author`.
    private static let parts: Set<Substring> = [
        "auth", "bearer", "jwt", "key", "otp", "pass", "passphrase", "pin", "pwd", "sessid", "sid",
    ]

    /// The fields that contain such a part, but are not secret.
    private static let harmless: Set<String> = [
        "idempotency-key", "surrogate-key", "sec-websocket-key", "x-cache-key", "cache-key", "x-surrogate-key",
    ]

    /// Returns true if the value of the field `name` must not be shown: if `names` contains the name, or if the name
    /// itself indicates a secret. `names` must be in lower case. A name that ``StreamSafety`` does not allow counts as
    /// secret.
    package static func include(_ name: String, among names: Set<String> = names) -> Bool {
        guard StreamSafety.allows(name) else { return true }
        let name = name.lowercased()
        if names.contains(name) || words.contains(where: { name.contains($0) }) { return true }
        return !harmless.contains(name) && name.split { $0 == "-" || $0 == "_" }.contains { parts.contains($0) }
    }
}
