package import EmbeddedGitHub
package import Foundation

/// The server that the browser talks to.
package enum Backend: Sendable {
    /// The real one, or one that is compatible with it.
    case live(URL)
    /// The one inside this process.
    case embedded(EmbeddedGitHub)
    /// An embedded server of another run, with this base URL. The networking answers from a recording.
    case recorded(URL)

    /// How the embedded server is made to behave.
    package enum Mood: Character, CaseIterable, Sendable {
        case normal = "1"
        case slow = "2"
        case failing = "3"
        case gone = "4"
        case limited = "5"

        /// The name on the screen.
        package var name: String {
            switch self {
            case .normal: "normal"
            case .slow: "slow"
            case .failing: "failing"
            case .gone: "gone"
            case .limited: "rate limit"
            }
        }

        /// What the server has to do; nil if it shall not run at all.
        package var behaviour: EmbeddedGitHub.Behaviour? {
            switch self {
            case .normal: EmbeddedGitHub.Behaviour()
            case .slow: EmbeddedGitHub.Behaviour(latency: 0.8, bytesPerSecond: 40_000)
            case .failing: EmbeddedGitHub.Behaviour(fault: .serverError)
            case .gone: nil
            case .limited: EmbeddedGitHub.Behaviour(fault: .rateLimited, quotaReset: 45)
            }
        }
    }

    /// The server of GitHub.
    package static let gitHub = Backend.live(URL(string: "https://api.github.com/") ?? URL(fileURLWithPath: "/"))

    /// Where the API is.
    package var baseURL: URL {
        switch self {
        case .live(let url), .recorded(let url): url
        case .embedded(let server): server.baseURL
        }
    }

    /// The server at which users sign in; nil for the real one, which needs a registered app.
    package var authorization: GitHubAPI.Authorization? {
        isLive ? nil : GitHubAPI.Authorization(embeddedAt: baseURL)
    }

    /// The name of the real one.
    package var host: String { baseURL.host ?? "" }

    /// Whether it is the real one.
    package var isLive: Bool {
        if case .live = self { true } else { false }
    }

    /// True if the server has a stream of changes. GitHub has none.
    package var hasStream: Bool { host != Self.gitHub.host }

    /// The account whose repositories are shown first.
    package var firstLogin: String { isLive ? "swiftlang" : "lanternworks" }

    /// Makes the embedded server behave, and starts it again if it is gone; false if it cannot, or is not embedded. The
    /// responses of a recorded server do not change.
    package func adopt(_ mood: Mood, after previous: Mood) -> Bool {
        guard case .embedded(let server) = self else { return !isLive }
        guard var behaviour = mood.behaviour else {
            server.stop()
            return true
        }
        (behaviour.avatarFaults, behaviour.cutsStreams) = (
            server.behaviour.avatarFaults, server.behaviour.cutsStreams
        )
        server.behaviour = behaviour
        guard previous == .gone else { return true }
        do { try server.restart() } catch { return false }
        return true
    }

    /// Makes the embedded server cut its streams, or permit them again. Returns true if they are cut now, and nil without an
    /// embedded server.
    package func toggleStreams() -> Bool? {
        guard case .embedded(let server) = self else { return nil }
        server.behaviour.cutsStreams.toggle()
        return server.behaviour.cutsStreams
    }

    /// Makes the embedded server revoke the tokens of a user.
    package func revokeTokens(of user: String) {
        if case .embedded(let server) = self { server.revokeTokens(of: user) }
    }
}
