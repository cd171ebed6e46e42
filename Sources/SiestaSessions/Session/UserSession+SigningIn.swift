import Foundation
public import SiestaCore

extension UserSession {
    /// Signs a user in, and saves the credential in the store of the authenticator.
    ///
    /// The function saves the credential first. If saving fails, the function throws, and the current user stays signed
    /// in. A sign-in cancels an earlier sign-in that is still running. If the earlier sign-in has already saved its
    /// credential, and saving the new credential fails, the function restores the credential of the current user in the
    /// store.
    ///
    /// ## If another user was signed in
    ///
    /// The sign-in has these effects in all services of the session. The data of the previous user is removed before
    /// any observer is notified.
    ///
    /// - Requests, downloads and loops over ``Resource/bytes`` of personal resources are cancelled. Their errors have
    ///   the cause ``RequestError/Cause/RequestCancelled``. Responses that arrive later are ignored.
    /// - All personal resources are wiped, and their polls end.
    /// - Cookies are removed. When the function returns, the cookie file has been deleted. If the process ends earlier,
    ///   the file is ignored at the next launch, because it is marked with the previous user.
    /// - Caches use the partition of the new user.
    ///
    /// A write of one user is never sent with the credential of another user. Therefore a POST or a change that waits
    /// for a retry, a refresh or an earlier change is cancelled, even if its resource is not personal. The same applies
    /// to streams and downloads with an unsafe method, such as POST. A download does not resume an interrupted download
    /// of another user, even if the server sends the same validator for both files.
    ///
    /// ## If nobody or the same user was signed in
    ///
    /// If nobody was signed in, a sign-in also wipes the resources, and cancels their requests, including waiting
    /// writes. Cookies are kept, because a log-in may have set them. After the sign-in, the cookies belong to the new
    /// user, in memory and in the cookie file.
    ///
    /// If the same user signs in again, resources keep their data, and use the new credential. Requests and polls
    /// continue, and responses that arrive later are used. If a load failed before the sign-in, load the resource
    /// again.
    ///
    /// ## Loads after the user has changed
    ///
    /// When the user changes, the library does not load any resources. Observers receive ``ResourceEvent/newData(_:)``
    /// with the source `wipe`. Load the resources of the visible screens again, and restart their polls.
    ///
    /// ## Resources that are not personal
    ///
    /// When the user changes, resources with ``Configuration/isPersonal`` set to false keep their data, and their
    /// requests and polls continue. The cache entries of these resources belong to no principal. Cookies are removed
    /// even if they belong to such resources.
    ///
    /// Requests for these resources also carry the credential, and wait for a refresh. While the session is expired,
    /// they carry no credential. If the server refuses the credential of such a request after the session has expired
    /// or the user has signed out, the request is sent again without a credential.
    ///
    /// ## Caches
    ///
    /// The caches of the module `SiestaStorage` have a partition for each principal:
    ///
    /// - While nobody is signed in, caches neither return nor store the entries of personal resources.
    /// - When the user changes, the entries of the previous user stay on disk, hidden from other users. These entries
    ///   are used again when the previous user signs in again. ``signOut()`` removes the entries of the signed-in user.
    /// - If you pass a closure to `partitioned(by:)`, the closure, instead of the session's principal, selects the
    ///   partition. It should return the same names as the session, because a sign-out removes the entries of the
    ///   session's principal.
    /// - Custom caches (``EntityCache``) do not receive the principal. Include the user in their keys.
    ///
    /// - Parameters:
    ///   - principal: The name of the user. The user's data is stored under this name. Therefore, the name must be the
    ///     same each time that this user signs in, and different for each user. Use an identifier that the server
    ///     assigns and never changes. The name must not be empty. Names with different UTF-8 bytes belong to different
    ///     users, even if Swift considers the strings equal: `"é"` can be one Unicode scalar or two.
    ///   - credential: The credential of the user.
    /// - Throws: An error with one of these codes:
    ///   - ``RequestError/Code/invalidCredential`` if the name is empty, or if the authenticator cannot send the
    ///     credential. Nothing has changed. If ``Authenticator/validate(_:)`` of a custom authenticator throws an error
    ///     that is not a ``RequestError``, this error is the cause, and the code is ``RequestError/Code/other``.
    ///   - ``RequestError/Code/credentialNotSaved`` if the store cannot save the credential. Nothing has changed.
    ///   - ``RequestError/Code/cancelled`` if another sign-in or a sign-out has replaced this sign-in during the call.
    ///     Cancelling the task has no effect.
    public func signIn(_ principal: String, with credential: Credential) async throws(RequestError) {
        if principal.isEmpty {
            throw clock.whileCurrent { .invalidCredential("the name of the user is empty") }
        }
        try validate(credential)
        intentions += 1
        let intention = intentions
        if vault.isPersistent {
            try await save(StoredCredential(principal: principal, credential: credential), intention)
        }
        guard intention == intentions else { throw cancellation }
        vault.endSuccessions()
        let old = rules.principal
        refresh?.cancel()
        // Code of the app that is told of the change may begin another sign-in or sign-out, which wins.
        let isSignedIn = change { (rules: inout SessionRules) -> Bool in
            guard intention == intentions else { return false }
            rules.signIn(principal, credential)
            return true
        }
        guard isSignedIn else { throw cancellation }
        let isSame = Principal.named(old) == Principal(principal)
        // If code of the app has already replaced this user, the data of the last user was removed then.
        if !isSame, Principal.named(rules.principal) == Principal(principal) { leave(old) }
        release()
        for member in members.compactMap(\.member) where isSame && intention == intentions { member.signedInAgain() }
        for member in members.compactMap(\.member) { await member.cookiesAreGone() }
        // Code of the app that was told of the change may have signed the user out, or another user in.
        guard Principal.named(rules.principal) == Principal(principal) else { throw cancellation }
    }

    /// The error of a sign-in that another sign-in or a sign-out has replaced.
    private var cancellation: RequestError { clock.whileCurrent { .cancelled() } }

    private func validate(_ credential: Credential) throws(RequestError) {
        do {
            try authenticator.validate(credential)
        } catch {
            if let error = error as? RequestError { throw error }
            throw clock.whileCurrent { RequestError(response: nil, content: nil, cause: error) }
        }
    }

    private func save(_ stored: StoredCredential, _ intention: Int) async throws(RequestError) {
        do {
            try await vault.save(stored)
        } catch {
            // The store may have the credential of an earlier sign-in, which this one has cancelled.
            if intention == intentions {
                await vault.restore(rules.holder.map { .init(principal: $0.principal, credential: $0.credential) })
            }
            throw clock.whileCurrent { RequestError(.init(.credentialNotSaved, underlyingError: error)) }
        }
    }

    /// Signs the user out, and removes the user's data from this device.
    ///
    /// The function performs these steps in order:
    ///
    /// 1. Before it suspends for the first time, it changes the state to ``UserSession/State/signedOut``, wipes the
    ///    resources, cancels requests, ends polls and removes cookies, as ``signIn(_:with:)`` does for another user.
    /// 2. It removes the credential from the store.
    /// 3. It waits until the user's partition of the caches and the cookie file are removed from disk.
    /// 4. It notifies the server; see ``Authenticator/revoke(_:over:)``. A failure is ignored, and the notification is
    ///    cancelled after 5 seconds.
    ///
    /// The function never throws. If some data cannot be removed, the reason is logged. If nobody is signed in, the
    /// function still removes the saved credential from the store. A screen can show the new state before the function
    /// returns.
    ///
    /// The function removes only the stored data of services that exist when it is called. The following data stays on
    /// disk: files of finished and interrupted downloads, cache entries of resources that are not personal, entries of
    /// custom caches, and the data of other users.
    public func signOut() async {
        intentions += 1
        let intention = intentions
        let old = rules.holder
        refresh?.cancel()
        // Code of the app that is told of the change may sign another user in, who stays signed in.
        let isSignedOut = change { (rules: inout SessionRules) -> Bool in
            guard rules.holder?.number == old?.number else { return false }
            rules.signOut()
            return true
        }
        if isSignedOut {
            leave(old?.principal ?? "")
            release()
        }
        let members = members.compactMap(\.member)
        for member in members { if let old { member.removeStoredData(of: old.principal) } }
        // The credential of a sign-in that has begun in the meantime stays in the store.
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
