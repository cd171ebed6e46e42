import Foundation
import Observation
import SiestaCore
import SiestaSessions
import SiestaTesting
import TestDoubles
import TestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Names of users that look the same, and have different bytes: they are different users.
@MainActor @Suite(.timeLimit(.test))
struct UserNameTests {
    private let first = "jos\u{e9}"
    private let second = "jose\u{301}"
    private let store = TestCredentialStore()

    @Test func `A credential that another process has saved is used only for the same name`() async throws {
        let signing = SigningService(credentials: store)
        signing.accepted = ["of the second", "new"]
        try await signing.service.signIn(first, with: Credential("old"))
        store.stored = StoredCredential(principal: second, credential: Credential("of the second"))
        let request = signing.resource.load()
        await signing.endRefresh(.success(Credential("new")))
        #expect(await request.completion().failure == nil)
        #expect(signing.tokens == ["old", "new"])
        #expect(store.stored?.credential.secret == "of the second")
    }

    @Test func `If a refresh fails, the credential of another name does not replace it`() async throws {
        let signing = SigningService(credentials: store)
        signing.accepted = ["of the second"]
        try await signing.service.signIn(first, with: Credential("old"))
        let request = signing.resource.load()
        await signing.refreshBegins()
        store.stored = StoredCredential(principal: second, credential: Credential("of the second"))
        await signing.endRefresh(.failure(SessionExpired(reason: "invalid_grant")))
        #expect(await request.completion().failure?.cause is SessionExpired)
        #expect(signing.tokens == ["old"])
    }

    @Test func `The states of two users differ, and so do their stored credentials`() {
        #expect(UserSession.State.signedIn(first) != .signedIn(second))
        #expect(UserSession.State.signedIn(first) == .signedIn(first))
        #expect(UserSession.State.signedIn(first) != .refreshing)
        #expect(UserSession.State.refreshing == .refreshing)
        #expect(UserSession.State.expired(SessionExpired(reason: "a")) != .expired(SessionExpired(reason: "b")))
        let stored = [first, second].map { StoredCredential(principal: $0, credential: Credential("a")) }
        #expect(stored[0] != stored[1])
        #expect(Credential(first) != Credential(second))
        #expect(Credential("a", refreshToken: first) != Credential("a", refreshToken: second))
        #expect(Credential(user: first, password: "p") != Credential(user: second, password: "p"))
        #expect(Credential("a", details: ["x": first]) != Credential("a", details: ["x": second]))
        #expect(Credential("a", details: ["x": first]) == Credential("a", details: ["x": first]))
    }

    @Test func `A session announces the sign-in of another name`() async throws {
        let signing = SigningService()
        try await signing.service.signIn(first, with: Credential("1"))
        let changes = try #require(signing.service.session).states
        var names: [[UInt8]] = []
        var iterator = changes.makeAsyncIterator()
        for name in [first, second] {
            try await signing.service.signIn(name, with: Credential(name))
            guard case .signedIn(let name)? = await iterator.next() else { continue }
            names.append(Array(name.utf8))
        }
        #expect(names == [Array(first.utf8), Array(second.utf8)])
    }

    @Test func `Data of one name is not shown to the other`() async throws {
        let signing = SigningService()
        signing.accepted = ["1", "2"]
        try await signing.service.signIn(first, with: Credential("1"))
        await signing.resource.load().completion()
        try await signing.service.signIn(second, with: Credential("2"))
        #expect(signing.resource.latestData == nil)
        let session = UserSession(signing.authenticator)
        try await session.signIn(first, with: Credential("1"))
        await signing.resource.load().completion()
        signing.service.authenticate(sharing: session)
        #expect(signing.resource.latestData == nil)
    }
}
