public import Foundation

extension EmbeddedGitHub {
    /// The logins of the users who can sign in with OAuth 2.0. They differ in what they have starred.
    public static let logins = [login, "priya-ramanan"]

    /// The identifier of the only client. It has no secret.
    public static let clientID = "github-browser"

    /// The URL to which the authorization endpoint redirects.
    public static let redirectURL = "github-browser://signed-in"

    /// The lifetime of an access token, in seconds.
    public static let tokenLifetime = 20

    /// The authorization endpoint. It redirects at once, with a code for the user that the parameter `login` names.
    public var authorizationURL: URL { Self.authorizationURL(at: baseURL) }

    /// The token endpoint. A refresh token works once; each response contains the next one.
    public var tokenURL: URL { Self.tokenURL(at: baseURL) }

    /// The authorization endpoint of a server with this base URL. The server need not run.
    public static func authorizationURL(at baseURL: URL) -> URL {
        baseURL.appendingPathComponent(Endpoint.authorize.rawValue)
    }

    /// The token endpoint of a server with this base URL. The server need not run.
    public static func tokenURL(at baseURL: URL) -> URL {
        baseURL.appendingPathComponent(Endpoint.accessToken.rawValue)
    }

    /// The number of requests to the token endpoint.
    public var tokenRequestCount: Int { exchange.tokenRequestCount }

    /// Makes all access tokens that OAuth 2.0 has given to a user invalid.
    ///
    /// - Parameter keepingRefreshTokens: If true, the refresh tokens stay valid. By default, they become invalid, too.
    public func revokeTokens(of login: String, keepingRefreshTokens: Bool = false) {
        exchange.revokeTokens(of: login, keepingRefreshTokens: keepingRefreshTokens)
    }
}
