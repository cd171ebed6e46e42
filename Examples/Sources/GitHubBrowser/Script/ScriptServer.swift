import EmbeddedGitHub
import Foundation

/// The server of a ``Rig``. In a replay, there is none: it has served nothing, and what it is told to do has no effect.
@MainActor
struct ScriptServer {
    /// The server; nil in a replay.
    let embedded: EmbeddedGitHub?
    /// The address of the server, also if the server ran when the session was recorded.
    let baseURL: URL

    /// A server that runs.
    init(_ server: EmbeddedGitHub) {
        (embedded, baseURL) = (server, server.baseURL)
    }

    /// No server, but its address in another run.
    init(recordedAt baseURL: URL) {
        (embedded, self.baseURL) = (nil, baseURL)
    }

    /// How requests are answered from now on.
    var behaviour: EmbeddedGitHub.Behaviour {
        get { embedded?.behaviour ?? EmbeddedGitHub.Behaviour() }
        nonmutating set { embedded?.behaviour = newValue }
    }

    /// The requests that it has answered.
    var served: [EmbeddedGitHub.ServedRequest] { embedded?.served ?? [] }

    /// The writes that it has carried out.
    var applied: [EmbeddedGitHub.AppliedWrite] { embedded?.applied ?? [] }

    /// The number of requests to the token endpoint.
    var tokenRequestCount: Int { embedded?.tokenRequestCount ?? 0 }

    func stop() { embedded?.stop() }

    func restart() throws { try embedded?.restart() }

    /// Makes all access tokens of a user invalid.
    func revokeTokens(of login: String, keepingRefreshTokens: Bool) {
        embedded?.revokeTokens(of: login, keepingRefreshTokens: keepingRefreshTokens)
    }
}
