import Foundation
import SiestaCore

extension UserSession {
    /// Signs a user in, and saves the credential in the store of the authenticator.
    ///
    /// The function saves the credential first. If saving fails, the function throws and changes nothing. If, before
    /// this failure, the call has cancelled an earlier sign-in, the function restores the credential of the signed-in user
    /// in the store.
    ///
    /// ## If another user was signed in
    ///
    /// In all services of the session, the data of the old user is removed before any observer is notified:
    ///
    /// - Requests, downloads and loops over ``Resource/bytes`` are cancelled with the cause
    ///   ``RequestError/Cause/RequestCancelled``. Responses that arrive later are ignored.
    /// - All resources are wiped, and polls end.
    /// - Cookies are removed. When the function returns, their file has been deleted. If the process ends earlier, the
    ///   next launch ignores the file, because the file names the old user.
    /// - Caches use the partition of the new user.
    ///
    /// A write is never sent with the credential of a user who did not make it. Therefore a POST or a change that waits
    /// for a retry, a refresh or an earlier change is cancelled, even if its resource is not personal. The same applies
    /// to streams and downloads whose method is a write. A download does not continue the interrupted download of
    /// another user, even if the server has the same validator for both files.
    ///
    /// ## If nobody or the same user was signed in
    ///
    /// If nobody was signed in, a sign-in also wipes the data, and cancels all requests, including writes that wait.
    /// Cookies stay, because a log-in may have set them. After the sign-in, the cookies belong to the new user, in
    /// memory and in their file.
    ///
    /// If the same user signs in again, resources keep their data, and use the new credential. Requests and polls
    /// continue, and responses that arrive later are used. Load a resource again if its load has failed.
    ///
    /// ## Loads after the user has changed
    ///
    /// When the user changes, the library loads nothing. Observers receive ``ResourceEvent/newData(_:)`` with the
    /// source `wipe`. Load the resources of the visible screens again, and restart their polls.
    ///
    /// ## Resources that are not personal
    ///
    /// Resources with ``Configuration/isPersonal`` set to false keep their data, their requests and their polls. The
    /// cache entries of these resources belong to no principal. Their requests still carry the credential, and wait for
    /// a refresh. While the session is expired, these requests carry no credential. Cookies are removed for all
    /// resources.
    ///
    /// ## Caches
    ///
    /// The caches of the module `SiestaStorage` have a partition for each principal:
    ///
    /// - While nobody is signed in, caches find and store nothing, except for resources that are not personal.
    /// - When the user changes, the entries of the previous user stay on disk, hidden from other users. These entries
    ///   are used again when that user returns. ``signOut()`` removes them.
    /// - A closure that you pass to `partitioned(by:)` replaces the principal of the session. The closure should return
    ///   the same names as the session, because a sign-out removes the entries of the session's principal.
    /// - Custom caches (``EntityCache``) do not know the principal. Include the user in their keys.
    ///
    /// - Parameters:
    ///   - principal: The name of the user. The name is the key of stored data. Therefore it must be the same in each
    ///     session of this user, and different for each user. Use an identifier that the server assigns and never
    ///     changes. The name must not be empty. Names with different bytes are different users, even if Swift
    ///     considers the strings equal: `"é"` can be one Unicode scalar or two.
    ///   - credential: The credential.
    /// - Throws: ``RequestError/Code/invalidCredential`` if the name is empty; the error of
    ///   ``Authenticator/validate(_:)``; or the error of the store if it cannot save the credential. In
    ///   these cases, nothing has changed. A `CancellationError` if another sign-in or sign-out was started during the
    ///   call.
    public func signIn(_ principal: String, with credential: Credential) async throws {
        if principal.isEmpty { throw RequestError.Failure(.invalidCredential, reason: "the name of the user is empty") }
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
    /// The function performs these steps in order:
    ///
    /// 1. Before the first suspension, the state becomes ``UserSession/State/signedOut``, resources are
    ///    wiped, requests are cancelled, polls end and cookies are removed, as in ``signIn(_:with:)`` for another user.
    /// 2. It removes the credential from the store.
    /// 3. It waits until the user's partition of the caches and the file of the cookies are removed from disk.
    /// 4. It notifies the server; see ``Authenticator/revoke(_:over:)``. A failure is ignored, and the attempt ends
    ///    after 5 seconds.
    ///
    /// The function never throws. If some data cannot be removed, the reason is logged. If nobody is signed in, the
    /// function still removes the saved credential from the store. A screen can show the new state at once, without
    /// waiting for the function to return.
    ///
    /// The function removes the stored data of the services that exist at this time. The following stays on disk: files
    /// of finished and interrupted downloads, cache entries of resources that are not personal, custom caches, and the
    /// data of other users.
    public func signOut() async {
        intentions += 1
        let intention = intentions
        let old = rules.holder
        refresh?.cancel()
        change { if intention == intentions { $0.signOut() } }
        // Code of the app that is told of the change may begin a sign-in, whose credential stays in the store.
        if intention == intentions {
            leave(old?.principal ?? "")
            release()
        }
        let members = members.compactMap(\.member)
        for member in members { if let old { member.removeStoredData(of: old.principal) } }
        if intention == intentions { await vault.remove() }
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
