import EmbeddedGitHub
import Foundation
import Siesta

/// Signing in and out, and the effects of the states of the session.
extension BrowserModel {
    /// Who can sign in: the users of the embedded server, or the owner of the token.
    package var users: [String] {
        backend.isLive ? token.map { [GitHubAPI.principal(of: $0)] } ?? [] : EmbeddedGitHub.logins
    }

    /// The signed-in user, as it is shown.
    package var userName: String? { backend.isLive ? api.principal.map { _ in "signed in" } : api.principal }

    /// The user and the state of the session, in a few words.
    package var userLabel: String {
        let name = userName ?? "anonymous"
        return switch api.session?.state {
        case .signedOut, .signedIn, nil: name
        case .refreshing: "\(name) · refreshing"
        case .expired: "session expired"
        }
    }

    /// The reason for which the user must sign in again; nil if the session has not expired.
    package var expiration: String? {
        guard case .expired(let reason) = api.session?.state else { return nil }
        let text = reason.reason.map { ": \($0)" } ?? ""
        return "The session of \(backend.isLive ? "the token" : api.principal ?? "") has expired\(text)."
    }

    /// Follows the states of the session. If it has expired, the user must sign in.
    func followSession() -> Task<Void, Never> {
        let session = api.session
        return Task { [weak self] in
            guard let states = session?.states else { return }
            for await _ in states { self?.sessionChanged() }
        }
    }

    private func sessionChanged() {
        if case .expired = api.session?.state { isSignInShown = true }
        onChange()
    }

    // MARK: Actions

    /// Signs out, or lets the user sign in.
    package func toggleSignIn() {
        guard api.principal == nil else { return signOut() }
        switch users.count {
        case 0: notice = Notice("Start with --token TOKEN to sign in", isBad: true)
        case 1: signIn(users[0])
        default: isSignInShown = true
        }
    }

    /// Lets another user sign in.
    package func switchUser() {
        if users.count > 1 { isSignInShown = true } else { toggleSignIn() }
    }

    /// Leaves the sign-in screen without another user. If the session has expired, signs out.
    package func leaveSignIn() {
        // The data of an expired session is not shown again before its user has signed in.
        if case .expired = api.session?.state { signOut() } else { isSignInShown = false }
    }

    /// Makes the embedded server revoke the tokens of the user.
    package func revokeTokens() {
        guard !backend.isLive else { return }
        guard let user = api.principal else { return notice = Notice("Nobody is signed in") }
        backend.revokeTokens(of: user)
        notice = Notice("The server has revoked the tokens of \(user)", next: .reload)
    }

    // MARK: Changes

    /// Signs in a user. Nothing happens while another change is running. The outcome is in ``notice``.
    package func signIn(_ user: String) {
        changeUser {
            let credential =
                self.backend.isLive ? Credential(self.token ?? "") : try await self.api.credential(of: user)
            try await self.leavingScreen { try await self.api.signIn(user, with: credential) }
            return "Signed in" + (self.backend.isLive ? "" : " as \(user)")
        }
    }

    /// Signs out. The outcome is in ``notice``.
    package func signOut() {
        changeUser {
            await self.leavingScreen { await self.api.signOut() }
            return "Signed out"
        }
    }

    /// Makes a change of the session, which ends with a message.
    private func changeUser(_ change: @escaping () async throws -> String) {
        guard !isChangingUser else { return }
        isChangingUser = true
        Task {
            do {
                notice = Notice(try await change())
                isSignInShown = false
            } catch {
                notice = Notice("Not signed in: \(Self.message(of: error))", isBad: true)
            }
            isChangingUser = false
        }
    }

    /// Errors of the network get the same words as in a request.
    private static func message(of error: any Error) -> String {
        let error = error as? RequestError ?? RequestError(response: nil, content: nil, cause: error)
        return error.userMessage
    }

    /// Nothing on view asks for anything while the session changes. The next user sees nothing of the last one.
    private func leavingScreen(_ change: () async throws -> Void) async rethrows {
        let before = api.principal
        screen.disappear()
        defer {
            screen.appear()
            if api.principal != before { forgetUser() }
            // What has failed before is tried again at once.
            for resource in screen.monitor.resources where resource.latestError != nil { resource.load() }
        }
        try await change()
    }
}
