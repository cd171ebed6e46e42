package import SiestaCore

#if canImport(FoundationNetworking)
import Foundation
package import FoundationNetworking
#else
package import Foundation
#endif

/// An authenticator that sends a user name and a password; see `basic(credentials:)` of ``StandardAuthenticator``.
package struct BasicAuthentication: Authenticator {
    /// The store that keeps the user name and the password after the process ends.
    package let credentials: any CredentialStore

    package init(credentials: any CredentialStore = .memory) {
        self.credentials = credentials
    }

    /// Sets the field `Authorization`. Does not change a request that already has the field. Does nothing if the
    /// credential is not valid.
    package func apply(_ credential: Credential, to request: inout URLRequest) {
        guard Self.defect(of: credential) == nil, let user = credential.user else { return }
        request.addCredential(Self.field(user, credential.secret), as: "Authorization")
    }

    /// Returns the value of the field `Authorization` (RFC 7617 §2).
    static func field(_ user: String, _ password: String) -> String {
        "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
    }

    /// Accepts a credential that has a user name without a colon. The user name and the password must not contain
    /// control characters.
    ///
    /// - Throws: ``RequestError/Code/invalidCredential``.
    package func validate(_ credential: Credential) throws(RequestError) {
        if let defect = Self.defect(of: credential) { throw .invalidCredential(defect) }
    }

    private static func defect(of credential: Credential) -> String? {
        guard let user = credential.user else { return "it has no user name" }
        if user.utf8.contains(UInt8(ascii: ":")) { return "the user name contains a colon" }
        return LoginSyntax.defect(user: user, password: credential.secret)
    }
}

/// The rule for user names and passwords of all schemes (RFC 7617 §2, RFC 7616 §3.4). Pure.
enum LoginSyntax {
    /// Returns the reason why a login cannot be sent; nil if it can.
    static func defect(user: String, password: String) -> String? {
        let isControl = { (scalar: Unicode.Scalar) in scalar.properties.generalCategory == .control }
        return user.unicodeScalars.contains(where: isControl) || password.unicodeScalars.contains(where: isControl)
            ? "it contains a control character, such as a line break" : nil
    }
}
