import Dispatch
import Isolation

/// The credential store of one session, used by one call at a time, in the order of the calls.
final class CredentialVault: Sendable {
    private let store: any CredentialStore
    private let queue = DispatchQueue(label: "Siesta.CredentialVault")
    /// The value that this process has read or written last. Another value comes from another process.
    private let known = Locked<StoredCredential?>(nil)

    init(_ store: any CredentialStore) {
        self.store = store
    }

    private let changes = Locked(0)

    /// The number of sign-ins and sign-outs that were saved.
    var generation: Int { changes.withLock { $0 } }

    /// False if the store keeps nothing.
    var isPersistent: Bool { !(store is MemoryCredentialStore) }

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

    /// Saves a credential.
    func save(_ stored: StoredCredential) async throws {
        changes.withLock { $0 += 1 }
        _ = try await run { try $0.replace(stored) }
    }

    /// Saves a refreshed credential, unless the user has signed in or out since, or another process has saved one.
    ///
    /// - Parameter generation: The ``generation`` at the beginning of the refresh.
    func saveSuccessor(_ stored: StoredCredential, of generation: Int) async throws {
        guard isPersistent else { return }
        _ = try await run { vault in
            guard vault.generation == generation else { return nil }
            let saved = try vault.store.load()
            guard saved?.principal == stored.principal, saved == vault.known.withLock({ $0 }) else { return nil }
            return try vault.replace(stored)
        }
    }

    private func replace(_ stored: StoredCredential?) throws -> Credential? {
        try store.save(stored)
        known.withLock { $0 = stored }
        return stored?.credential
    }

    /// Removes the saved credential.
    func remove() async {
        guard isPersistent else { return }
        changes.withLock { $0 += 1 }
        do {
            _ = try await run { try $0.replace(nil) }
        } catch {
            SiestaLog.emit(.network, ["The saved credential could not be removed:", error])
        }
    }

    /// Returns the credential that another process has saved for the same principal; nil if there is none.
    func otherCredential(of principal: String) async -> Credential? {
        guard isPersistent else { return nil }
        let other = try? await run { vault -> Credential? in
            guard let saved = try vault.store.load(), saved.principal == principal else { return nil }
            let old = vault.known.withLock { exchange(&$0, with: saved) }
            guard let old, old != saved else { return nil }
            return saved.credential
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
