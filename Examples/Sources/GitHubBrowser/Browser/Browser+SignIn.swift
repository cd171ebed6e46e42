import EmbeddedGitHub
import Foundation
import Siesta
import TerminalKit

/// Signing in and out, and what the browser makes of the states of the session.
extension Browser {
    /// Who can sign in: the users of the embedded server, or the owner of the token.
    var users: [String] {
        backend.isLive ? token.map { [GitHubAPI.principal(of: $0)] } ?? [] : EmbeddedGitHub.logins
    }

    /// The signed-in user, as it is shown.
    var userName: String? { backend.isLive ? api.principal.map { _ in "signed in" } : api.principal }

    /// The user and the state of the session, in a few words.
    var userLabel: String {
        let name = userName ?? "anonymous"
        return switch api.session {
        case .signedOut, .signedIn: name
        case .refreshing: "\(name) · refreshing"
        case .expired: "session expired"
        }
    }

    /// Draws each new state of the session. If it has expired, the user must sign in.
    func followSession() -> Task<Void, Never> {
        let states = api.sessionStates
        return Task { [weak self] in
            for await _ in states { self?.sessionChanged() }
        }
    }

    private func sessionChanged() {
        if case .expired = api.session { isSignInShown = true }
        onChange()
    }

    // MARK: Keys

    /// Signs out, or lets the user sign in.
    func toggleSignIn() {
        guard api.principal == nil else { return signOut() }
        switch users.count {
        case 0: say("Start with --token TOKEN to sign in", isBad: true)
        case 1: signIn(users[0])
        default: isSignInShown = true
        }
    }

    /// Lets another user sign in.
    func switchUser() {
        if users.count > 1 { isSignInShown = true } else { toggleSignIn() }
    }

    /// Takes a key on the sign-in screen.
    func pressOnSignIn(_ key: Key) {
        guard !isChangingUser else { return }
        switch key {
        case .character("q"): onQuit()
        case .character(let letter):
            guard let number = letter.wholeNumberValue, users.indices.contains(number - 1) else { return }
            signIn(users[number - 1])
        case .escape, .left, .backspace:
            // The data of an expired session is not shown again before its user has signed in.
            if case .expired = api.session { signOut() } else { isSignInShown = false }
        default: break
        }
    }

    /// Makes the embedded server revoke the tokens of the user.
    func revokeTokens() {
        guard case .embedded(let server) = backend else { return }
        guard let user = api.principal else { return say("Nobody is signed in") }
        server.revokeTokens(of: user)
        say("The server has revoked the tokens of \(user); r asks it")
    }

    // MARK: Changes

    private func signIn(_ user: String) {
        changeUser {
            let credential =
                self.backend.isLive ? Credential(self.token ?? "") : try await self.api.credential(of: user)
            try await self.leavingScreen { try await self.api.signIn(user, with: credential) }
            return "Signed in" + (self.backend.isLive ? "" : " as \(user)")
        }
    }

    private func signOut() {
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
                say(try await change())
                isSignInShown = false
            } catch {
                say("Not signed in: \(Self.message(of: error))", isBad: true)
            }
            isChangingUser = false
            onChange()
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
