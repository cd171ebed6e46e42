package import SiestaCore

#if canImport(FoundationNetworking)
import Foundation
package import FoundationNetworking
#else
package import Foundation
#endif

/// An authenticator whose log-in the transport performs; see `digest(credentials:)` of ``StandardAuthenticator``.
package struct DigestAuthentication: LoginAuthenticator {
    /// The store that keeps the user name and the password after the process ends.
    package let credentials: any CredentialStore

    package init(credentials: any CredentialStore = .memory) {
        self.credentials = credentials
    }

    /// Does nothing, because the transport adds the credential.
    package func apply(_ credential: Credential, to request: inout URLRequest) {}

    /// Accepts a credential that has a user name. The user name and the password must not contain control characters.
    ///
    /// - Throws: ``RequestError/Code/invalidCredential``.
    package func validate(_ credential: Credential) throws(RequestError) {
        if let defect = Self.defect(of: credential) { throw .invalidCredential(defect) }
    }

    private static func defect(of credential: Credential) -> String? {
        guard let user = credential.user else { return "it has no user name" }
        return LoginSyntax.defect(user: user, password: credential.secret)
    }

    func login(_ credential: Credential) -> AuthenticationLogin? {
        guard Self.defect(of: credential) == nil, let user = credential.user else { return nil }
        return AuthenticationLogin(user: user, password: credential.secret)
    }
}
