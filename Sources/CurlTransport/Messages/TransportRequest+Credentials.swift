#if os(Linux) || os(Android)
import Foundation
package import HTTPRules

extension TransportRequest {
    /// A user and a password with which the transport signs in if the server asks for it.
    ///
    /// The transport sends the request without a credential first. If the server responds with status 401 and a
    /// challenge that it can answer, it sends the request again within the same exchange. The response to the first
    /// request is not delivered. If the server refuses the credential, the exchange delivers the second 401.
    ///
    /// The request is sent with HTTP/1.1, unless the options require HTTP/2. A body that cannot be sent again fails
    /// with ``TransportError/Kind/bodySource`` if the server asks for the log-in after it has received a part of the
    /// body.
    ///
    /// A request fails with ``TransportError/Kind/badRequest`` if the user or the password contains a control character
    /// other than a tab.
    package struct Login: Sendable, Hashable {
        /// The way in which the password is proved to the server.
        package enum Scheme: Sendable, Hashable {
            /// Digest access authentication (RFC 7616). The password itself is never sent.
            case digest
        }

        /// The name of the user.
        package var user: String

        /// The password.
        package var password: String

        /// The scheme; ``Scheme/digest`` by default.
        package var scheme: Scheme

        /// Creates a login.
        package init(user: String, password: String, scheme: Scheme = .digest) {
            (self.user, self.password, self.scheme) = (user, password, scheme)
        }
    }

    /// The header fields that contain a credential, and the URLs to which the credential may be sent.
    ///
    /// If the URL of the request, or the target of a redirect, is not below one of the prefixes, the transport removes
    /// the fields and does not use ``TransportRequest/login``. It does not add them again if a later redirect leads
    /// back. It also removes them when a redirect leads from https to http, or to another origin.
    package struct SecretScope: Sendable, Hashable {
        package let rule: HTTPRules.SecretScope

        /// Creates a scope.
        ///
        /// - Parameters:
        ///   - fields: The names of the header fields. Their case does not matter.
        ///   - prefixes: Absolute URLs whose paths end with a slash, such as `https://api.example.com/v1/`. A URL that
        ///     contains a dot segment, such as `..`, is below no prefix.
        package init(fields: [String], prefixes: [String]) {
            rule = HTTPRules.SecretScope(fields: fields, prefixes: prefixes)
        }

        package init(_ rule: HTTPRules.SecretScope) { self.rule = rule }
    }

    /// The login with which the transport signs in if the server asks for it; nil by default.
    package var login: Login? {
        get { rare?.values.login }
        set { change { $0.login = newValue } }
    }

    /// The limits of the credentials in this request; nil by default.
    ///
    /// Without a scope, the general rule applies: a redirect to another scheme, host or port loses the login, and all
    /// header fields that may be a credential.
    package var secretScope: SecretScope? {
        get { rare?.values.secretScope }
        set { change { $0.secretScope = newValue } }
    }

    /// True if the transport follows the redirects of this request according to the options; true by default. If it is
    /// false, a redirect is delivered as the response.
    package var followsRedirects: Bool {
        get { rare?.values.followsRedirects ?? true }
        set { change { $0.followsRedirects = newValue } }
    }

    /// True if the request obtains a credential; false by default. Other requests wait for the credential. Therefore it
    /// has connections of its own, and does not wait for any of them.
    package var obtainsCredential: Bool {
        get { rare?.values.obtainsCredential ?? false }
        set { change { $0.obtainsCredential = newValue } }
    }

    /// The properties that few requests have. They share a reference, so that all other requests stay small.
    final class Rare: Sendable {
        struct Values {
            var login: Login?
            var secretScope: SecretScope?
            var followsRedirects = true
            var obtainsCredential = false
        }

        let values: Values

        init(_ values: Values) { self.values = values }
    }

    private mutating func change(_ change: (inout Rare.Values) -> Void) {
        var values = rare?.values ?? Rare.Values()
        change(&values)
        rare = Rare(values)
    }
}

extension TransportRequest {
    /// Removes the credentials if they must not be sent to ``url``.
    mutating func confine() {
        guard let scope = secretScope, !scope.rule.includes(url) else { return }
        dropSecrets()
    }

    /// Removes the credentials if they must not follow a redirect from `source` to ``url``.
    mutating func confine(after source: URL, _ redirect: RedirectRules.Redirect) {
        guard rare != nil else { return }
        let isInScope = secretScope?.rule.includes(url, redirectedFrom: source) ?? true
        if !isInScope || !redirect.keepsOrigin { dropSecrets() }
    }

    private mutating func dropSecrets() {
        if let scope = secretScope { headers.remove(where: scope.rule.isSecret) }
        change { ($0.login, $0.secretScope) = (nil, nil) }
    }
}

extension TransportRequest.Login: CustomStringConvertible, CustomReflectable {
    /// The scheme, without the user and the password.
    package var description: String { "\(scheme)" }

    /// An empty mirror. Therefore `dump` shows only the ``description``.
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The error of a body that must be sent again, because the server asked for the log-in, and that can be read only once.
package struct UnrepeatableSource: Error, CustomStringConvertible {
    /// The reason.
    package var description: String { "the server asked for the log-in, and the body cannot be sent again" }
}
#endif
