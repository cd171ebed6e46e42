public import Foundation
import HTTPRules
public import SiestaCore

extension OAuth2 {
    /// Begins an authorization by the user in a browser: the authorization code grant with PKCE (RFC 6749 §4.1, RFC
    /// 7636).
    ///
    /// Open ``AuthorizationFlow/url`` in a browser. When the browser is redirected to `redirectURL`, pass the complete
    /// URL to ``AuthorizationFlow/credential(from:over:)``. Keep the flow in memory until this call, because the flow
    /// contains random values that must match those in the URL. On Apple platforms, `ASWebAuthenticationSession` can
    /// open the browser. A command-line tool can print the URL, and receive the redirect on a local port.
    ///
    /// The token response does not contain the name of the user. Before the sign-in, request this name from the server.
    /// For this request, use a service without a session, and add the credential with ``OAuth2/apply(_:to:)``.
    ///
    /// - Parameters:
    ///   - authorizationURL: The authorization endpoint (RFC 6749 §3.1). The scheme must be `https`, unless the host is
    ///     this machine.
    ///   - redirectURL: The URL to which the browser is redirected: a URL with a custom scheme, a universal link, or a
    ///     URL of this machine.
    ///   - scopes: The requested scopes. By default, the server chooses them.
    ///   - parameters: Additional query items for this URL, such as `prompt`. They cannot replace the query items that
    ///     the flow sets.
    public func authorizationFlow(
        authorizationURL: URL, redirectURL: URL, scopes: [String] = [], parameters: [String: String] = [:]
    ) -> AuthorizationFlow {
        AuthorizationFlow(
            self, authorizationURL, redirectURL: redirectURL, scopes: scopes, parameters: parameters,
            state: RandomText.make(), verifier: RandomText.make())
    }

    /// One authorization by the user in a browser; see
    /// ``OAuth2/authorizationFlow(authorizationURL:redirectURL:scopes:parameters:)``.
    ///
    /// A flow can be used only once. It contains secrets, which its textual description does not show.
    public struct AuthorizationFlow: Sendable {
        /// The URL to open in a browser.
        public var url: URL { secrets.value.url }

        private let oauth: OAuth2
        private let secrets:
            Hidden<(url: URL, authorizationURL: URL, redirectURL: URL, state: String, verifier: String)>

        /// - Parameters:
        ///   - state: The random text that the callback must contain (RFC 6749 §10.12).
        ///   - verifier: The random text whose digest the URL contains (RFC 7636 §4.1).
        init(
            _ oauth: OAuth2, _ authorizationURL: URL, redirectURL: URL, scopes: [String],
            parameters: [String: String], state: String, verifier: String
        ) {
            self.oauth = oauth
            var items = parameters.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
            items += [("response_type", "code"), ("client_id", oauth.client.id)]
            items.append(("redirect_uri", redirectURL.absoluteString))
            if !scopes.isEmpty { items.append(("scope", scopes.joined(separator: " "))) }
            items.append(("state", state))
            items += [("code_challenge", RandomText.challenge(for: verifier)), ("code_challenge_method", "S256")]
            let text = items.reduce(authorizationURL.absoluteString) { QueryText.setting($1.0, to: $1.1, in: $0) }
            let url = URL(reference: text) ?? authorizationURL
            secrets = Hidden((url, authorizationURL, redirectURL, state, verifier))
        }

        /// Exchanges the code in the URL of the redirect for a credential.
        ///
        /// `callback` must have the scheme, host, port and path of `redirectURL`, and contain the random `state`
        /// parameter of this flow.
        ///
        /// - Parameters:
        ///   - callback: The complete URL to which the browser was redirected.
        ///   - network: The service's ``Service/authenticationNetwork``.
        /// - Throws: A ``RequestError`` with one of these codes: ``RequestError/Code/invalidCallback`` if `callback`
        ///   does not belong to this flow, ``RequestError/Code/authorizationRefused`` if the user has refused, or one
        ///   of the codes of ``OAuth2/clientCredentials(scopes:over:)``.
        public func credential(
            from callback: URL, over network: AuthenticationNetwork
        ) async throws(RequestError) -> Credential {
            let (_, authorizationURL, redirectURL, state, verifier) = secrets.value
            try TokenRequest.check(authorizationURL)
            let code = try AuthorizationCallback.code(in: callback, redirectURL: redirectURL, state: state)
            let form = [
                ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirectURL.absoluteString),
                ("code_verifier", verifier),
            ]
            return try await oauth.firstCredential(form, replacing: nil, over: network)
        }
    }
}

/// The rules for the URL to which the browser is redirected at the end of an authorization (RFC 6749 §4.1.2). Pure.
enum AuthorizationCallback {
    /// Returns the code.
    ///
    /// - Throws: ``RequestError/Code/invalidCallback`` or ``RequestError/Code/authorizationRefused``.
    static func code(in callback: URL, redirectURL: URL, state: String) throws(RequestError) -> String {
        guard isSamePlace(callback, redirectURL) else { throw invalid("it is not the redirect URL") }
        let text = callback.absoluteString.prefix { $0 != "#" }
        let items = QueryText.items(of: String(text.drop { $0 != "?" }.dropFirst()))
        func value(_ name: String) throws(RequestError) -> String? {
            let values = items.filter { $0.name.hasSameBytes(as: name) }.map(\.value)
            guard values.count < 2 else { throw invalid("it contains \(name) more than once") }
            return values.first
        }
        guard let received = try value("state"), isEqual(received, state) else {
            throw invalid("its state belongs to another authorization")
        }
        if let code = try value("error") {
            throw RequestError(.authorizationRefused(TokenResponse.cleaned(code)))
        }
        guard let code = try value("code"), !code.isEmpty else { throw invalid("it contains no code") }
        return code
    }

    private static func invalid(_ reason: String) -> RequestError {
        RequestError(.init(.invalidCallback, reason: reason))
    }

    /// Returns true if both URLs differ in query and fragment only. Browsers change the case of schemes and hosts, remove
    /// a default port, and add a slash to an empty path.
    private static func isSamePlace(_ one: URL, _ other: URL) -> Bool {
        func path(_ url: URL) -> String { url.path.isEmpty ? "/" : url.path }
        return URLOrigin(one) == URLOrigin(other) && path(one).hasSameBytes(as: path(other))
    }

    /// Compares two texts in a time that depends on their lengths only, so that it reveals no part of the state.
    static func isEqual(_ one: String, _ other: String) -> Bool {
        let (one, other) = (Array(one.utf8), Array(other.utf8))
        guard one.count == other.count else { return false }
        return zip(one, other).reduce(UInt8(0)) { $0 | $1.0 ^ $1.1 } == 0
    }
}
