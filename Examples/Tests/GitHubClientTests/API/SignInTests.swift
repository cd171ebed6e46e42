import EmbeddedGitHub
import Foundation
import Siesta
import SiestaTesting
import TestKit
import Testing

@testable import GitHubClient

@Suite("Signing in", .timeLimit(.test))
@MainActor
struct SignInTests {
    private let clock = TestClock()
    private let server: EmbeddedGitHub
    private let api: GitHubAPI

    init() throws {
        let clock = clock
        let server = try EmbeddedGitHub(now: { Date(timeIntervalSinceReferenceDate: clock.wallTime) })
        self.server = server
        api = clock.whileCurrent {
            GitHubAPI(baseURL: server.baseURL, authorization: GitHubAPI.Authorization(embeddedAt: server.baseURL))
        }
    }

    private func signIn(_ login: String) async throws {
        try await api.signIn(login, with: api.credential(of: login))
    }

    @Test("gives requests the token of the user")
    func user() async throws {
        try await signIn("priya-ramanan")
        #expect(api.session?.state == .signedIn("priya-ramanan"))
        let stars = try await api.starred.get(.always)
        #expect(stars.map(\.name) == ["fjordfs", "quorum", "parachute"])
        #expect(server.served.last?.login == "priya-ramanan")
    }

    @Test("fails in words for an unknown user")
    func unknown() async {
        await #expect(throws: RequestError.self) { try await signIn("old-rope") }
        #expect(api.session?.state == .signedOut)
    }

    @Test("lasts across refreshes, until the server revokes the tokens")
    func refreshes() async throws {
        try await signIn("mira-sato")
        for count in 2...4 {
            clock.advance(by: 19)
            _ = try await api.starred.get(.always)
            #expect(server.tokenRequestCount == count)
        }
        server.revokeTokens(of: "mira-sato")
        await #expect(throws: RequestError.self) { _ = try await api.starred.get(.always) }
        #expect(api.session?.state == .expired(SessionExpired(reason: "invalid_grant")))
        #expect(api.principal == "mira-sato")
    }

    @Test("with the token of the command line is done at the start")
    func token() async {
        let api = GitHubAPI(baseURL: server.baseURL, token: EmbeddedGitHub.token)
        #expect(api.session?.state == .signedIn(GitHubAPI.principal(of: EmbeddedGitHub.token)))
        #expect(api.principal?.contains(EmbeddedGitHub.token) == false)
    }
}
