import Foundation
import Isolation
import LoopbackServer
import SiestaCore
import SiestaRetrying
import SiestaSessions
import SiestaTesting
import TestDoubles
import TestKit
import Testing
import Waiting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What ends the waits of sessions and their requests: time limits, other processes, and the origin.
@MainActor @Suite(.timeLimit(.test))
struct SessionLimitsTests {
    @Test func `A refresh that hangs is cancelled after a minute, and the next request refreshes again`() async throws {
        let signing = SigningService()
        let count = Locked(0)
        signing.authenticator.automatic = { _, _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number == 1 { try await Cancellation.wait() }
            return Credential("new")
        }
        try await signing.service.signIn("ada", with: Credential("old"))
        let request = signing.resource.load()
        try await Poll.until { count.withLock { $0 } == 1 }
        await signing.settle()
        signing.clock.advance(by: 61)
        #expect(await request.completion().failure?.code == .credentialNotRefreshed)
        try await Poll.until { signing.service.session?.state == .signedIn("ada") }
        signing.accepted = ["new"]
        #expect(await signing.resource.load().completion().failure == nil)
    }

    @Test func `If another process has used the refresh token, its credential is used`() async throws {
        let store = TestCredentialStore()
        let signing = SigningService(credentials: store)
        signing.accepted = ["other"]
        try await signing.service.signIn("ada", with: Credential("old"))
        let request = signing.resource.load()
        await signing.refreshBegins()
        store.stored = StoredCredential(principal: "ada", credential: Credential("other"))
        await signing.endRefresh(.failure(SessionExpired(reason: "invalid_grant")))
        #expect(await request.completion().failure == nil)
        #expect(signing.service.session?.state == .signedIn("ada"))
        #expect(signing.tokens == ["old", "other"])
    }

    @Test func `A refused request leaves its place at the origin to others while it waits for the refresh`()
        async throws
    {
        let signing = SigningService { $0.pacing.concurrentRequests = 1 }
        try await signing.service.signIn("ada", with: Credential("old"))
        let requests = ["/a", "/b"].map { signing.service.resource($0).load() }
        signing.accepted = ["new"]
        await signing.endRefresh(.success(Credential("new")))
        try await Poll.until { requests.allSatisfy(\.isCompleted) }
        for request in requests { #expect(await request.completion().failure == nil) }
        #expect(signing.tokens == ["old", "new", "new"])
    }

    @Test func `A request that has missed two refreshes is sent with the third credential`() async throws {
        let signing = SigningService()
        let (service, network) = (signing.service, signing.network)
        try await service.signIn("ada", with: Credential("1"))
        network.handler = { _ in .held }
        let late = service.resource("/late").load()
        for number in 0..<2 {
            let other = service.resource("/\(number)").load()
            network.exchanges.last?.respond(with: .response(401))
            await signing.endRefresh(.success(Credential("\(number + 2)")))
            network.exchanges.last?.respond(with: .text("x"))
            #expect(await other.completion().failure == nil)
            let open = network.exchanges.filter { !$0.isCompleted }
            if number == 0 { open.first?.respond(with: .response(401)) }
            await signing.settle()
        }
        let repeated = try #require(network.exchanges.first { !$0.isCompleted })
        #expect(SigningService.token(of: repeated.request) == "2")
        repeated.respond(with: .response(401))
        await signing.settle()
        #expect(signing.tokens.last == "3")
        #expect(!late.isCompleted)
        network.exchanges.last?.respond(with: .text("x"))
        #expect(await late.completion().failure == nil)
    }

    @Test func `A late refresh does not replace the saved credential of a new sign-in`() async throws {
        let store = TestCredentialStore()
        let signing = SigningService(credentials: store)
        try await signing.service.signIn("ada", with: Credential("old"))
        signing.resource.load()
        await signing.refreshBegins()
        signing.accepted = ["new"]
        try await signing.service.signIn("ada", with: Credential("new"))
        await signing.endRefresh(.success(Credential("late")))
        #expect(store.stored?.credential == Credential("new"))
        #expect(await signing.resource.load().completion().failure == nil)
    }

    @Test func `A request that is cancelled while it waits for a refresh is released at once`() async throws {
        let signing = SigningService()
        try await signing.service.signIn("ada", with: Credential("old"))
        signing.resource.load()
        await signing.refreshBegins()
        await signing.settle()
        weak var kept: NSObject?
        do {
            let object = NSObject()
            kept = object
            let waiting = signing.resource.request(.post) { _ in extendLifetime(object) }
            #expect(!waiting.isCompleted)
            waiting.cancel()
        }
        await signing.settle()
        #expect(kept == nil)
        await signing.endRefresh(.success(Credential("new")))
    }

    @Test func `A revocation that hangs is cancelled after 5 seconds`() async throws {
        let clock = TestClock()
        let service = clock.whileCurrent { Service(baseURL: "https://api.test", networking: StubNetwork()) }
        let end = Locked<(any Error)?>(nil)
        service.authenticate(sharing: clock.whileCurrent { UserSession(HangingRevocation(end: end)) })
        try await service.signIn("ada", with: Credential("a1"))
        let signOut = Task { await service.signOut() }
        try await clock.waitForTimers(1)
        #expect(service.session?.state == .signedOut)
        clock.advance(by: 4.9)
        #expect(end.withLock { $0 } == nil)
        clock.advance(by: 0.2)
        try await Poll.until { end.withLock { $0 } is CancellationError }
        await signOut.value
    }

    private struct HangingRevocation: Authenticator {
        let end: Locked<(any Error)?>

        func apply(_ credential: Credential, to request: inout URLRequest) {}

        func revoke(_ credential: Credential, over network: AuthenticationNetwork) async {
            do {
                try await Cancellation.wait()
            } catch {
                end.withLock { $0 = error }
            }
        }
    }

    @Test func `After a sign-out, there is no file with cookies`() async throws {
        let folder = try TemporaryFolder()
        chmod(folder.url.path, 0o700)
        let file = folder.url.appendingPathComponent("cookies")
        let server = try LoopbackServer { try $0.respond(headers: ["Set-Cookie: a=1; Path=/; Max-Age=1000"]) }
        let service = Service(baseURL: server.url(), cookies: .file(at: file))
        service.authenticate(with: BearerToken())
        for _ in 0..<50 {
            try await service.signIn("ada", with: Credential("a1"))
            await service.resource("/").request(.get).completion()
            try await Poll.until { FileManager.default.fileExists(atPath: file.path) }
            await service.signOut()
            #expect(!FileManager.default.fileExists(atPath: file.path))
        }
    }
}
