import Foundation
import SiestaCore

extension Session {
    /// Signs a user in, and saves the credential in the store of the authenticator.
    ///
    /// If another user was signed in, this happens before the function returns: the requests of the old user are
    /// cancelled, and late responses are dropped; all resources are wiped; polls end; cookies are removed, also from
    /// the disk; caches use the partition of the new user. Resources with ``Configuration/isPersonal`` set to false
    /// keep their data.
    ///
    /// If nobody was signed in, cookies stay, because a log-in may have set them.
    ///
    /// If the same user signs in again, resources keep their data, and use the new credential.
    ///
    /// - Parameters:
    ///   - principal: The name of the user, the same in each session of this user: it is the key of stored data. It must
    ///     not be empty. Names with different bytes are different, also if they look the same.
    ///   - credential: The credential.
    /// - Throws: ``RequestError/Cause/InvalidCredential`` if the name is empty; the error of
    ///   ``Authenticator/validate(_:)``, or of the store if it cannot save the credential. Nothing has changed then. A
    ///   `CancellationError`, if another sign-in or sign-out was begun meanwhile.
    public func signIn(_ principal: String, with credential: Credential) async throws {
        if principal.isEmpty { throw RequestError.Cause.InvalidCredential("the name of the user is empty") }
        try authenticator.validate(credential)
        intentions += 1
        let intention = intentions
        if vault.isPersistent {
            try await save(StoredCredential(principal: principal, credential: credential), intention)
        }
        guard intention == intentions else { throw CancellationError() }
        vault.endSuccessions()
        let old = rules.principal
        refresh?.cancel()
        // Code of the app that is told of the change may begin another sign-in or sign-out, which wins.
        change { if intention == intentions { $0.signIn(principal, credential) } }
        guard intention == intentions else { throw CancellationError() }
        if Principal.named(old) != Principal(principal) { leave(old) }
        release()
        for member in members.compactMap(\.member) { await member.cookiesAreGone() }
    }

    private func save(_ stored: StoredCredential, _ intention: Int) async throws {
        do {
            try await vault.save(stored)
        } catch {
            // The store may have the credential of an earlier sign-in, which this one has cancelled.
            if intention == intentions {
                await vault.restore(rules.holder.map { .init(principal: $0.principal, credential: $0.credential) })
            }
            throw error
        }
    }

    /// Signs the user out, and removes the data of the user from this device.
    ///
    /// Before the first suspension, the same happens as in ``signIn(_:with:)`` for another user. When the function
    /// returns, the credential, the user's part of the caches and the cookies are removed from the disk. Errors of the
    /// removal are logged. If nobody is signed in, it still removes what the store has saved.
    public func signOut() async {
        intentions += 1
        let intention = intentions
        let old = rules.holder
        refresh?.cancel()
        change { if intention == intentions { $0.signOut() } }
        let isLast = intention == intentions  // Code of the app that was told of the change may have begun a sign-in.
        if isLast {
            leave(old?.principal ?? "")
            release()
        }
        let members = members.compactMap(\.member)
        for member in members { if let old { member.removeStoredData(of: old.principal) } }
        if isLast { await vault.remove() }
        for member in members { await member.storedDataIsGone() }
        guard let old, let network = members.first?.authenticationNetwork else { return }
        let revocation = Task { [authenticator] in await authenticator.revoke(old.credential, over: network) }
        clock.schedule(after: Self.revocationTimeLimit) { revocation.cancel() }
        await revocation.value
    }

    /// Tells all services that the requests and the data of the last principal must end. Afterwards, only requests wait
    /// that belong to no principal.
    ///
    /// Each step is made for all services before the next one, because code of the app that is told by one service may
    /// use the others.
    private func leave(_ old: String?) {
        let changes = members.compactMap { $0.member?.principalChanged(from: old) }
        for step in PrincipalChangeStep.allCases { for change in changes { change.make(step) } }
    }

    /// The time after which the revocation of a credential is cancelled, in seconds. The user is signed out before.
    private static let revocationTimeLimit: TimeInterval = 5
}
