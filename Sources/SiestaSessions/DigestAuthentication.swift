import SiestaCore

#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// An authentication with a user name and a password that does not send the password (HTTP Digest, RFC 7616).
///
/// Each request contains a proof that is computed from the password and a value of the server:
///
/// ```swift
/// printer.authenticate(with: DigestAuthentication())
/// try await printer.signIn("ada", with: Credential(user: "ada", password: password))
/// ```
///
/// The transport answers the challenge of the server. libcurl and, on Apple platforms, a `URLSessionConfiguration`
/// support this. libcurl sends each request twice, because the server first sends its value. Custom providers cannot
/// perform the log-in: they deliver the status 401, and the session expires. The same applies to `URLSession` on Linux.
///
/// The credential cannot be refreshed: if the server refuses it, the session expires.
public struct DigestAuthentication: LoginAuthenticator {
    /// The store that keeps the user name and the password when the process ends.
    public let credentials: any CredentialStore

    /// Creates an authentication with a user name and a password.
    ///
    /// - Parameter credentials: The store that keeps the password when the process ends. The default keeps nothing.
    public init(credentials: any CredentialStore = .memory) {
        self.credentials = credentials
    }

    /// Does nothing, because the transport adds the credential.
    public func apply(_ credential: Credential, to request: inout URLRequest) {}

    /// Accepts a credential with a user name, and without control characters in both texts.
    ///
    /// - Throws: ``RequestError/Code/invalidCredential``.
    public func validate(_ credential: Credential) throws {
        if let defect = Self.defect(of: credential) { throw RequestError.Failure(.invalidCredential, reason: defect) }
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

extension DigestAuthentication: CustomStringConvertible, CustomReflectable {
    /// The name of the type.
    public var description: String { "DigestAuthentication" }

    /// An empty mirror, so that `dump` shows only the ``description``.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
