import Foundation
import Isolation
import SiestaCore
import SiestaSessions
import SiestaTesting
import TestDoubles
import TestKit
import Testing
import Waiting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// How often a credential is refreshed, and what requests do meanwhile.
@MainActor @Suite(.timeLimit(.test))
struct RefreshLimitTests {
    private let signing = SigningService()
    private var service: Service { signing.service }
    private var refreshCount: Int { signing.authenticator.refreshed.count }

    /// Makes each refresh end at once, with a new token that lives for some seconds.
    private func refreshAtOnce(lifetime: TimeInterval? = nil, isAccepted: Bool = true) {
        let count = Locked(0)
        let clock = signing.clock.clock
        let tokens = Locked<Set<String>>([])
        signing.authenticator.automatic = { _, _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            tokens.withLock { _ = $0.insert("t\(number)") }
            let expiration = lifetime.map { Date(timeIntervalSinceReferenceDate: clock.wallTime + $0) }
            return Credential("t\(number)", expirationDate: expiration)
        }
        signing.network.handler = { request in
            let token = SigningService.token(of: request)
            let isKnown = token.map { token in tokens.withLock { $0.contains(token) } } ?? false
            return isKnown && isAccepted ? .text("yes") : .response(401)
        }
    }

    /// Uses up the refreshes that the limit allows: the server refuses each new credential.
    private func useUp(_ count: Int = 5) async {
        refreshAtOnce(isAccepted: false)
        for _ in 0..<count { await service.resource("/thing").load().completion() }
        #expect(refreshCount == count)
    }

    @Test func `After 5 refreshes in 30 seconds, requests wait for the next one, and none fails`() async throws {
        try await service.signIn("ada", with: Credential("old"))
        await useUp()
        signing.authenticator.automatic = nil
        let requests = (0..<TestLevel.count(200, nightly: 1_000)).map { service.resource("/\($0)").load() }
        await signing.settle()
        #expect(refreshCount == 5)
        #expect(requests.allSatisfy { !$0.isCompleted })
        signing.clock.advance(by: 29)
        await signing.settle()
        #expect(refreshCount == 5)
        signing.network.handler = { SigningService.token(of: $0) == "new" ? .text("yes") : .response(401) }
        signing.clock.advance(by: 1.1)
        await signing.endRefresh(.success(Credential("new")))
        for request in requests { #expect(await request.completion().failure == nil) }
        #expect(refreshCount == 6)
    }

    @Test func `A sign-in ends the wait for the next refresh`() async throws {
        try await service.signIn("ada", with: Credential("old"))
        await useUp()
        let request = service.resource("/b").load()
        await signing.settle()
        #expect(!request.isCompleted)
        refreshAtOnce()
        signing.network.handler = { SigningService.token(of: $0) == "a2" ? .text("yes") : .response(401) }
        try await service.signIn("ada", with: Credential("a2"))
        #expect(await request.completion().failure == nil)
        signing.clock.advance(by: 60)
        await signing.settle()
        #expect(refreshCount == 5)
        #expect(service.session?.state == .signedIn("ada"))
    }

    @Test(arguments: [true, false])
    func `Another user does not wait for the refresh of the last one`(signsOut: Bool) async throws {
        try await service.signIn("ada", with: Credential("old"))
        await useUp()
        let request = service.resource("/b").load()
        await signing.settle()
        if signsOut { await service.signOut() }
        try await service.signIn("bob", with: Credential("b1"))
        #expect(await request.completion().failure?.isCancellation == true)
        refreshAtOnce()
        #expect(await service.resource("/b").load().completion().failure == nil)
        #expect(refreshCount == 6)
        signing.clock.advance(by: 60)
        await signing.settle()
        #expect(refreshCount == 6)
    }

    @Test func `A request that waits for the next refresh can be cancelled, and the others go on`() async throws {
        try await service.signIn("ada", with: Credential("old"))
        await useUp()
        let requests = (0..<3).map { service.resource("/\($0)").load() }
        await signing.settle()
        requests[1].cancel()
        #expect(await requests[1].completion().failure?.isCancellation == true)
        refreshAtOnce()
        signing.clock.advance(by: 31)
        for index in [0, 2] { #expect(await requests[index].completion().failure == nil) }
        #expect(refreshCount == 6)
    }

    @Test func `After a sign-in, a refresh that hangs is cancelled after a minute, whatever waited before`()
        async throws
    {
        let refreshes = Locked(0)
        let authenticator = BearerToken(
            refreshLimit: RefreshLimit(1, per: 120),
            refresh: { old, _ in
                let count = refreshes.withLock {
                    $0 += 1
                    return $0
                }
                if count > 1 { try await Cancellation.wait() }
                return Credential(old.secret + "x")
            })
        signing.network.handler = { _ in .response(401) }
        _ = signing.clock.whileCurrent { service.authenticate(with: authenticator) }
        try await service.signIn("ada", with: Credential("old"))
        await service.resource("/a").load().completion()
        signing.clock.advance(by: 61)  // No wait has begun in the last minute.
        let held = service.resource("/b").load()
        try await Poll.until { signing.network.requests.count == 3 }
        await signing.settle()
        #expect(!held.isCompleted)
        try await service.signIn("bob", with: Credential("b1"))
        #expect(await held.completion().failure?.isCancellation == true)
        let request = service.resource("/b").load()
        try await Poll.until { refreshes.withLock { $0 } == 2 }
        signing.clock.advance(by: 59)
        await signing.settle()
        #expect(!request.isCompleted)
        signing.clock.advance(by: 2)
        try await Poll.until { request.isCompleted }
        #expect(await request.completion().failure?.code == .credentialNotRefreshed)
    }

    @Test func `A refresh that was held back and hangs is cancelled after a minute`() async throws {
        try await service.signIn("ada", with: Credential("old"))
        await useUp()
        signing.authenticator.automatic = { _, _ in try await Cancellation.wait() }
        let request = service.resource("/b").load()
        await signing.settle()
        signing.clock.advance(by: 31)
        try await Poll.until { signing.authenticator.runningCount == 1 }
        signing.clock.advance(by: 58)
        await signing.settle()
        #expect(!request.isCompleted)
        signing.clock.advance(by: 5)
        #expect(await request.completion().failure?.code == .credentialNotRefreshed)
    }

    @Test func `A valid credential that expires soon is used while the next refresh is held back`() async throws {
        try await service.signIn("ada", with: Credential("old"))
        let clock = signing.clock.clock
        signing.authenticator.automatic = { _, _ in throw URLError(.timedOut) }
        try await service.signIn(
            "ada",
            with: Credential("a1", expirationDate: Date(timeIntervalSinceReferenceDate: clock.wallTime + 20)))
        signing.network.handler = { SigningService.token(of: $0) == "a1" ? .text("yes") : .response(401) }
        for number in 0..<20 {
            #expect(await service.resource("/\(number)").load().completion().failure == nil)
        }
        #expect(refreshCount == 5)
    }

    @Test func `The limit is an option`() async throws {
        let refreshes = Locked(0)
        let authenticator = BearerToken(
            refreshLimit: RefreshLimit(2, per: 10),
            refresh: { old, _ in
                refreshes.withLock { $0 += 1 }
                return Credential(old.secret + "x")
            })
        signing.network.handler = { _ in .response(401) }
        _ = signing.clock.whileCurrent { service.authenticate(with: authenticator) }
        try await service.signIn("ada", with: Credential("old"))
        for number in 0..<2 { await service.resource("/\(number)").load().completion() }
        let request = service.resource("/b").load()
        await signing.settle()
        #expect(refreshes.withLock { $0 } == 2)
        signing.clock.advance(by: 10)
        #expect(await request.completion().failure?.httpStatusCode == 401)
        #expect(refreshes.withLock { $0 } == 3)
        let standard = OAuth2(tokenURL: URL(fileURLWithPath: "/"), clientID: "a").refreshLimit
        #expect(standard.count == 5)
        #expect(standard.period == 30)
        #expect(RefreshLimit(-1, per: -2).count == 1)
        #expect(RefreshLimit(1, per: -2).period == 0)
        #expect(RefreshLimit(1, per: .nan).period == 0)
        #expect(RefreshLimit(1, per: .infinity).period == 3600)
    }

    @Test func `If the limit holds a refresh back for longer than a minute, requests fail and say when it ends`()
        async throws
    {
        let authenticator = BearerToken(refreshLimit: RefreshLimit(1, per: 100), refresh: { old, _ in old })
        signing.network.handler = { _ in .response(401) }
        _ = signing.clock.whileCurrent { service.authenticate(with: authenticator) }
        try await service.signIn("ada", with: Credential("old"))
        await service.resource("/a").load().completion()
        let error = await service.resource("/b").load().completion().failure
        #expect(error?.code == .tooManyRefreshes)
        #expect(90...100 ~= (error?.retryAfter ?? 0))
        #expect(error?.httpStatusCode == 401)
    }

    // MARK: Short lives

    @Test(arguments: [0.5, 1, 5, 20, 29, 31, 45])
    func `A token with a life shorter than the leeway is refreshed once in its life`(lifetime: Double) async throws {
        refreshAtOnce(lifetime: lifetime)
        try await service.signIn("ada", with: Credential("old"))
        for life in 1...4 {
            for number in 0..<20 {
                #expect(await service.resource("/\(number)").load().completion().failure == nil)
            }
            #expect(refreshCount == life)
            signing.clock.advance(by: lifetime + 0.01)
        }
    }

    @Test(arguments: [31.0, 45, 59])
    func `A token is used for half of its life at least`(lifetime: Double) async throws {
        refreshAtOnce(lifetime: lifetime)
        try await service.signIn("ada", with: Credential("old"))
        for _ in 0..<200 {
            #expect(await signing.resource.load().completion().failure == nil)
            signing.clock.advance(by: 1)
        }
        #expect(refreshCount <= Int(200 / (lifetime / 2)) + 1)
    }

    @Test func `A token that has already expired when it arrives is used until the server refuses it`() async throws {
        refreshAtOnce(lifetime: -100)
        try await service.signIn("ada", with: Credential("old"))
        for number in 0..<20 {
            #expect(await service.resource("/\(number)").load().completion().failure == nil)
            signing.clock.advance(by: 10)
        }
        #expect(refreshCount == 1)
        signing.network.handler = { SigningService.token(of: $0) == "t2" ? .text("yes") : .response(401) }
        #expect(await service.resource("/again").load().completion().failure == nil)
        #expect(refreshCount == 2)
    }

    @Test func `A token that has expired is not sent, even if the leeway is longer than half of its life`()
        async throws
    {
        let oauth = OAuth2(
            tokenURL: try #require(URL(string: "https://auth.test/token")), clientID: "app", leeway: 300)
        _ = signing.clock.whileCurrent { service.authenticate(with: oauth) }
        let expiration = Date(timeIntervalSinceReferenceDate: signing.clock.wallTime + 60)
        try await service.signIn(
            "ada",
            with: Credential(
                "old", refreshToken: "r", expirationDate: expiration, details: ["expires_in": "60"]))
        signing.network.handler = { $0.url?.host == "auth.test" ? .failure(.networkConnectionLost) : .text("yes") }
        signing.clock.advance(by: 59)
        #expect(await signing.resource.load().completion().failure == nil)
        signing.clock.advance(by: 1)
        let error = await service.resource("/other").load().completion().failure
        #expect(error?.code == .credentialNotRefreshed)
        #expect(signing.network.requests.compactMap(\.url?.host) == ["auth.test", "api.test", "auth.test"])
    }
}
