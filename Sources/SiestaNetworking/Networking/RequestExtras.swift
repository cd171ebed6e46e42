import Foundation
package import HTTPRules

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The properties of one request that a `URLRequest` cannot express. The core passes them to transports.
///
/// A provider of the app receives only the `URLRequest`: it performs no login, follows redirects by its own rules, and
/// receives the fields with a credential like all other fields.
package struct RequestExtras: Sendable {
    /// The login that the provider performs if the server asks for it.
    package var login: Login?

    /// The header fields that contain a credential, and the URLs to which they and the login may be sent. Below no
    /// other URL are they sent, even after redirects.
    package var secretScope: SecretScope?

    /// True if a redirect is delivered as the response, as a request for tokens needs it.
    package var deliversRedirects = false

    /// True if the request obtains a credential, for which other requests wait. Then it waits for none of them.
    package var obtainsCredential = false

    package init(
        login: Login? = nil, secretScope: SecretScope? = nil, deliversRedirects: Bool = false,
        obtainsCredential: Bool = false
    ) {
        (self.login, self.secretScope) = (login, secretScope)
        (self.deliversRedirects, self.obtainsCredential) = (deliversRedirects, obtainsCredential)
    }

    /// A user and a password for a scheme that only a provider can perform.
    ///
    /// It is a class, so that a request without extras passes few words.
    package final class Login: Sendable {
        package enum Scheme {
            /// Digest access authentication (RFC 7616). `URLSession` on Linux cannot perform it: the 401 is delivered.
            case digest
        }

        let user: String
        let password: String
        let scheme: Scheme

        package init(user: String, password: String, scheme: Scheme) {
            (self.user, self.password, self.scheme) = (user, password, scheme)
        }
    }
}

extension RequestExtras.Login: CustomStringConvertible, CustomReflectable {
    package var description: String { "\(scheme)" }

    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension RequestExtras {
    /// Removes from `request` the credentials that must not be sent to its URL.
    mutating func confine(_ request: inout URLRequest) {
        guard let scope = secretScope, let url = request.url, !scope.includes(url) else { return }
        dropSecrets(of: &request)
    }

    /// Removes the credentials that must not follow a redirect from `source`. `request` has the target of the redirect.
    mutating func confine(_ request: inout URLRequest, after source: URL?, _ redirect: RedirectRules.Redirect) {
        let isInScope = secretScope.map { scope in
            source.map { scope.includes(redirect.url, redirectedFrom: $0) } ?? false
        }
        if isInScope == false || !redirect.keepsOrigin { dropSecrets(of: &request) }
    }

    private mutating func dropSecrets(of request: inout URLRequest) {
        if let secretScope {
            for name in (request.allHTTPHeaderFields ?? [:]).keys where secretScope.isSecret(name) {
                request.setValue(nil, forHTTPHeaderField: name)
            }
        }
        (login, secretScope) = (nil, nil)
    }
}
