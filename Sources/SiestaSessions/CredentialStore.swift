import SiestaCore

/// A place that keeps the credential of one session when the process ends.
///
/// A session calls the functions on a queue of its own, never two at the same time. One call is different: when the
/// session is created, it calls ``load()`` while the main thread waits. Therefore ``load()`` must not wait for a network
/// or for a user. Before a refresh, the session calls it again, because another process may have saved a credential.
public protocol CredentialStore: Sendable {
    /// Returns what was saved last; nil if nothing was saved.
    func load() throws -> StoredCredential?

    /// Saves a credential so that it survives a crash of the process. Nil removes the saved one.
    func save(_ stored: StoredCredential?) throws
}

/// A credential and its principal, as a ``CredentialStore`` keeps them.
public struct StoredCredential: Sendable, Hashable, Codable {
    /// The name of the signed-in user.
    public var principal: String
    /// The user's credential.
    public var credential: Credential

    /// Creates a value for a store.
    public init(principal: String, credential: Credential) {
        (self.principal, self.credential) = (principal, credential)
    }

    /// The principal, for comparisons.
    var owner: Principal { Principal(principal) }

    /// Returns true if both have the same principal and the same credential, byte for byte.
    public static func == (left: Self, right: Self) -> Bool {
        left.owner == right.owner && left.credential == right.credential
    }

    /// Hashes the principal and the credential.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(owner)
        hasher.combine(credential)
    }
}

/// A store that keeps nothing: after the end of the process, the user must sign in again.
public struct MemoryCredentialStore: CredentialStore {
    /// Creates a store.
    public init() {}

    /// Returns nil.
    public func load() -> StoredCredential? { nil }

    /// Does nothing.
    public func save(_ stored: StoredCredential?) {}
}

extension CredentialStore where Self == MemoryCredentialStore {
    /// A store that keeps nothing when the process ends.
    public static var memory: Self { Self() }
}
