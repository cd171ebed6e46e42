import Dispatch
import Isolation
import SiestaCore

/// The credential store of one session, used by one call at a time, in the order of the calls.
final class CredentialVault: Sendable {
    private let store: any CredentialStore
    private let queue = DispatchQueue(label: "Siesta.CredentialVault")
    /// The value that this process has read or written last. Another value comes from another process.
    private let known = Locked<StoredCredential?>(nil)
    /// True if the last save has failed. The store may have its value nevertheless.
    private let isUnsure = Locked(false)
    /// The last refresh that has ended, which the session may not have noticed yet: the old and the new credential.
    private let succession = Locked<(old: Credential, new: StoredCredential)?>(nil)

    init(_ store: any CredentialStore) {
        self.store = store
    }

    private let changes = Locked(0)

    /// A number that grows with each sign-in and sign-out. A refresh saves its credential only if the number is still
    /// the same.
    var generation: Int { changes.withLock { $0 } }

    /// Prevents the refreshes that have begun before from saving their credentials.
    func endSuccessions() { changes.withLock { $0 += 1 } }

    /// False if the store keeps nothing.
    var isPersistent: Bool { (store as? StandardCredentialStore).map { $0.base != nil } ?? true }

    /// Returns the saved credential. Waits for the store.
    func load() -> StoredCredential? {
        guard isPersistent else { return nil }
        return queue.sync { loaded() }
    }

    private func loaded() -> StoredCredential? {
        do {
            let stored = try store.load()
            known.withLock { $0 = stored }
            return stored
        } catch {
            SiestaLog.emit(.network, ["The saved credential cannot be used:", error])
            return nil
        }
    }

    func save(_ stored: StoredCredential) async throws {
        _ = try await run { vault in
            let saved = try vault.replace(stored)
            vault.endSuccessions()
            vault.succession.withLock { $0 = nil }
            return saved
        }
    }

    /// Saves a credential, or removes the saved one, if this process has saved another one since, or has tried to.
    func restore(_ stored: StoredCredential?) async {
        do {
            _ = try await run { vault in
                let present = vault.successor(of: stored) ?? stored
                guard vault.isUnsure.withLock({ $0 }) || vault.known.withLock({ $0 }) != present else { return nil }
                return try vault.replace(present)
            }
        } catch {
            SiestaLog.emit(.network, ["The store may have the credential of another user:", error])
        }
    }

    /// Saves a refreshed credential, unless the user has signed in or out since, or another process has saved one.
    ///
    /// - Parameters:
    ///   - old: the credential that was refreshed.
    ///   - generation: the ``generation`` at the beginning of the refresh.
    func saveSuccessor(_ stored: StoredCredential, to old: Credential, of generation: Int) async throws {
        guard isPersistent else { return }
        _ = try await run { vault in
            guard vault.generation == generation else { return nil }
            vault.succession.withLock { $0 = (old, stored) }
            let saved = try vault.store.load()
            guard saved?.owner == stored.owner, saved == vault.known.withLock({ $0 }) else { return nil }
            return try vault.replace(stored)
        }
    }

    /// Returns the credential to which a credential was refreshed last; nil if it was not.
    private func successor(of stored: StoredCredential?) -> StoredCredential? {
        guard let stored, let last = succession.withLock({ $0 }), last.new.owner == stored.owner,
            last.old.hasSameTokens(as: stored.credential)
        else { return nil }
        return last.new
    }

    private func replace(_ stored: StoredCredential?) throws -> Credential? {
        isUnsure.withLock { $0 = true }
        try store.save(stored)
        isUnsure.withLock { $0 = false }
        known.withLock { $0 = stored }
        return stored?.credential
    }

    /// Removes the saved credential.
    func remove() async {
        guard isPersistent else { return }
        endSuccessions()
        do {
            _ = try await run { vault in
                vault.succession.withLock { $0 = nil }
                return try vault.replace(nil)
            }
        } catch {
            SiestaLog.emit(.network, ["The saved credential could not be removed:", error])
        }
    }

    /// Returns the credential that another process has saved for the same principal; nil if there is none.
    ///
    /// Only the tokens count: a store of the app may return less than it has saved, such as dates without fractions.
    func otherCredential(of principal: String) async -> Credential? {
        guard isPersistent else { return nil }
        let other = try? await run { vault -> Credential? in
            guard let saved = try vault.store.load(), saved.owner == Principal(principal) else { return nil }
            let old = vault.known.withLock { exchange(&$0, with: saved) }
            guard let old = old?.credential else { return nil }
            let new = saved.credential
            return old.hasSameTokens(as: new) ? nil : new
        }
        return other ?? nil
    }

    /// Calls `body` on the queue. It is in the queue when this function suspends, so that the order of calls is kept.
    private func run(_ body: @escaping @Sendable (CredentialVault) throws -> Credential?) async throws -> Credential? {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try body(self) }) }
        }
    }
}
