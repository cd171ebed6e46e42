public import SiestaCore

#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// An authenticator that proves knowledge of a password without sending the password (HTTP Digest, RFC 7616).
///
/// Each request contains a proof that is computed from the password and a value that the server has sent:
///
/// ```swift
/// printer.authenticate(with: DigestAuthentication())
/// try await printer.signIn("ada", with: Credential(user: "ada", password: password))
/// ```
///
/// The transport performs the log-in: it responds to the challenge of the server. libcurl supports this log-in, and so
/// does a `URLSessionConfiguration` on Apple platforms. libcurl sends each request twice, because the first response
/// contains the server's value. Custom providers and `URLSession` on Linux cannot perform the log-in. With such a
/// provider, the app receives the status 401, and the session expires.
///
/// The credential cannot be refreshed. If the server refuses the credential, the session expires.
public struct DigestAuthentication: LoginAuthenticator {
    /// The store that keeps the user name and the password after the process ends.
    public let credentials: any CredentialStore

    /// Creates an authenticator for a user name and a password.
    ///
    /// - Parameter credentials: The store that keeps the password after the process ends. The default store keeps
    ///   nothing.
    public init(credentials: any CredentialStore = .memory) {
        self.credentials = credentials
    }

    /// Does nothing, because the transport adds the credential.
    public func apply(_ credential: Credential, to request: inout URLRequest) {}

    /// Accepts a credential that has a user name. The user name and the password must not contain control characters.
    ///
    /// - Throws: ``RequestError/Code/invalidCredential``.
    public func validate(_ credential: Credential) throws(RequestError) {
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
