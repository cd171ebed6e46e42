import HTTPRules
package import SiestaCore

#if canImport(FoundationNetworking)
import Foundation
package import FoundationNetworking
#else
package import Foundation
#endif

/// An authenticator that sends a key; see `apiKey(header:credentials:)` of ``StandardAuthenticator``.
///
/// The logs, descriptions and errors of the library never contain the key, wherever it is.
package struct APIKey: Authenticator {
    /// The place of a key in a request.
    package enum Place: Sendable {
        /// The header field with this name. If the name is not a token (RFC 9110 §5.1), requests do not carry the key.
        case header(String)
        /// The query item with this name.
        case query(String)
    }

    private let place: Place
    /// The store that keeps the key after the process ends.
    package let credentials: any CredentialStore

    /// Creates an authenticator, and hides the value of the field or the query item in the logs of the whole process.
    package init(_ place: Place, credentials: any CredentialStore = .memory) {
        (self.place, self.credentials) = (place, credentials)
        switch place {
        case .header(let name): SiestaLog.hideHeader(name)
        case .query(let name): SiestaLog.hideQueryItem(name)
        }
    }

    /// The name of the field with the key; empty if the key is in the query.
    package var credentialHeaders: Set<String> {
        if case .header(let name) = place { [name] } else { [] }
    }

    /// Adds the key to a request.
    ///
    /// If the request already has the header field, the field does not change. If the request has a query item with the
    /// same name, the key replaces the value of the item. The order of the other query items and the fragment do not
    /// change.
    package func apply(_ credential: Credential, to request: inout URLRequest) {
        switch place {
        case .header(let name): request.addCredential(credential.secret, as: name)
        case .query(let name):
            guard let url = request.url else { return }
            let text = QueryText.setting(name, to: credential.secret, in: url.absoluteString)
            if let changed = URL(reference: text) { request.url = changed }
        }
    }

    /// Accepts a key that is not empty. A key in a header field must not contain a control character such as a line
    /// break.
    ///
    /// - Throws: ``RequestError/Code/invalidCredential``, or ``RequestError/Code/invalidHeader`` if the name of the
    ///   field is not valid in HTTP.
    package func validate(_ credential: Credential) throws(RequestError) {
        switch place {
        case .header(let name):
            guard HeaderSyntax.isName(name) else { throw RequestError(.invalidHeader(name)) }
            try TokenSyntax.check(credential.secret)
        case .query:
            if credential.secret.isEmpty { throw .invalidCredential("it is empty") }
        }
    }
}
