public import Foundation
import HTTPRules
import SiestaCore

/// The data that authenticates one principal: a token, a password, or an API key. It can include a refresh token.
///
/// A credential is secret. Its ``description`` and its mirror contain no part of the credential.
public struct Credential: Sendable, Equatable, Codable {
    /// The secret that requests carry: an access token, a password, or an API key.
    public var secret: String

    /// The user name that belongs to a password; nil for tokens and keys.
    public var user: String?

    /// The token for requesting a new access token; nil if there is no refresh token.
    public var refreshToken: String?

    /// The time at which the secret expires; nil if this time is unknown.
    public var expirationDate: Date?

    /// Additional values of the credential, such as a scope. These values are also secret, and are stored with the
    /// credential.
    public var details: [String: String]

    /// Creates a credential from a token or a key.
    public init(
        _ secret: String, refreshToken: String? = nil, expirationDate: Date? = nil, details: [String: String] = [:]
    ) {
        (self.secret, self.refreshToken) = (secret, refreshToken)
        (self.expirationDate, self.details) = (expirationDate, details)
    }

    /// Creates a credential from a token with a lifetime, such as the `expires_in` of a token response (RFC 6749 §5.1).
    ///
    /// - Parameters:
    ///   - secret: The token that requests carry.
    ///   - refreshToken: The token for requesting a new token; nil if there is no refresh token.
    ///   - lifetime: The number of seconds from now until the token expires. If this value is nil or not positive, the
    ///     ``expirationDate`` is nil.
    ///   - details: Additional values of the credential.
    public init(
        _ secret: String, refreshToken: String? = nil, expiresIn lifetime: TimeInterval?,
        details: [String: String] = [:]
    ) {
        self.init(secret, refreshToken: refreshToken, details: details)
        let now = Date(timeIntervalSinceReferenceDate: SiestaClock.active.wallTime)
        setLifetime(lifetime.flatMap(TokenResponse.usable), from: now)
    }

    /// Sets the time at which the secret expires, and the lifetime, which limits the leeway of ``OAuth2``.
    mutating func setLifetime(_ lifetime: TimeInterval?, from start: Date) {
        expirationDate = lifetime.map { start.addingTimeInterval($0) }
        details[TokenResponse.lifetimeName] = lifetime.map { String($0) }
    }

    /// Creates a credential from a user's name and password.
    public init(user: String, password: String) {
        self.init(password)
        self.user = user
    }

    /// Returns true if both credentials have the same values, byte for byte.
    public static func == (left: Self, right: Self) -> Bool { left.exact == right.exact }

    /// Returns true if both have the same secret and the same refresh token.
    func hasSameTokens(as other: Credential) -> Bool {
        let (own, others) = (exact, other.exact)
        return (own.secret, own.refreshToken) == (others.secret, others.refreshToken)
    }

    private struct Exact: Equatable {
        let secret: ExactText
        let user: ExactText?
        let refreshToken: ExactText?
        let expirationDate: Date?
        let details: [ExactText: ExactText]
    }

    private var exact: Exact {
        Exact(
            secret: ExactText(secret), user: user.map { ExactText($0) },
            refreshToken: refreshToken.map { ExactText($0) }, expirationDate: expirationDate,
            details: details.reduce(into: [:]) { $0[ExactText($1.key)] = ExactText($1.value) })
    }
}

extension Credential: CustomStringConvertible, CustomReflectable {
    /// The word `Credential`, without any part of the credential.
    public var description: String { "Credential" }

    /// An empty mirror, so that `dump` shows only the ``description``.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
