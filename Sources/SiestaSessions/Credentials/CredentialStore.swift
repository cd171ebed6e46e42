import SiestaCore

/// A store that keeps the credential of one session after the process ends.
///
/// A session calls the functions on its own queue, one at a time. While a session is created, the main thread waits for
/// the first call to ``load()``. Therefore ``load()`` must not wait for a network or a user. If the first call throws,
/// nobody is signed in, and the reason is logged.
///
/// ## Failures to save
///
/// ``UserSession/signIn(_:with:)`` saves the credential first. If saving fails, the sign-in changes nothing, and fails
/// with the code ``RequestError/Code/credentialNotSaved``. The session also saves a refreshed credential before using
/// it. If this fails, the session logs the reason in the category `network`, and still uses the new credential. At the
/// next launch, the store still contains the old credential.
///
/// ## Several processes
///
/// Several processes can use the same file or the same keychain item:
///
/// - Before a refresh, the session reads the store. If another process has saved a new credential of the same user, the
///   session uses this credential, and sends no request. If the server refuses the refresh token, the session reads the
///   store again.
/// - The processes do not wait for each other. If two processes refresh the credential at the same moment, a server
///   that accepts each refresh token only once may refuse one of the two requests.
/// - If one process signs the user out, the other processes notice this only when the server refuses the credential.
///
/// Sessions with different users must use different files or keychain items.
public protocol CredentialStore: Sendable {
    /// Returns the saved credential; nil if there is none.
    func load() throws -> StoredCredential?

    /// Saves a credential so that it survives a crash of the process. If `stored` is nil, removes the saved credential.
    func save(_ stored: StoredCredential?) throws
}

/// A credential and its principal, as a ``CredentialStore`` keeps them.
public struct StoredCredential: Sendable, Equatable, Codable {
    /// The name of the signed-in user.
    public var principal: String
    /// The user's credential.
    public var credential: Credential

    /// Creates a stored credential from a user's name and credential.
    public init(principal: String, credential: Credential) {
        (self.principal, self.credential) = (principal, credential)
    }

    /// The principal, for comparisons.
    var owner: Principal { Principal(principal) }

    /// Returns true if both values have the same principal and the same credential, byte for byte.
    public static func == (left: Self, right: Self) -> Bool {
        left.owner == right.owner && left.credential == right.credential
    }
}

/// A credential store that is part of the library.
///
/// The static members create stores: `.memory`, `.file(at:)`, and `.keychain(service:account:)` on Apple platforms.
public struct StandardCredentialStore: CredentialStore {
    /// The store on the disk or in the keychain; nil if nothing is kept.
    let base: (any CredentialStore)?

    public func load() throws -> StoredCredential? { try base?.load() }

    public func save(_ stored: StoredCredential?) throws { try base?.save(stored) }
}

extension CredentialStore where Self == StandardCredentialStore {
    /// A store that keeps nothing after the process ends. After the next launch, the user must sign in again.
    public static var memory: Self { Self(base: nil) }
}
