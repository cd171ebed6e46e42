import Foundation
import Isolation
import Observation
import SiestaCore
import SiestaRetrying
import SiestaSessions
import SiestaTesting
import TestDoubles
import TestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Credentials of requests, and their refreshes.
@MainActor @Suite(.timeLimit(.test))
struct SessionTests {
    private let signing = SigningService()
    private var service: Service { signing.service }
    private var authenticator: ManualAuthenticator { signing.authenticator }
    private var network: StubNetwork { signing.network }

    @Test func `Requests carry the credential below the base URL only`() async throws {
        try await service.signIn("ada", with: Credential("a1"))
        #expect(service.session?.state == .signedIn("ada"))
        #expect(service.principal == "ada")
        #expect(try await service.resource("/thing").load().value.text == "for a1")
        let others = [
            "https://api.test/thing", "https://api.test/v1x/thing", "https://api.test/v1/../thing",
            "https://api.test/v1/%2e%2E/thing", "http://api.test/v1/thing", "https://api.test:8443/v1/thing",
            "https://api.test.evil/v1/thing", "https://evil/?https://api.test/v1/", "https://api.test@evil/v1/",
        ]
        for url in others { await service.resource(absoluteURL: url).load().completion() }
        #expect(signing.tokens.dropFirst().allSatisfy { $0 == nil })
        #expect(network.requests.count == others.count + 1)
    }

    @Test func `Requests to named origins carry the credential, too`() async throws {
        let session = UserSession(authenticator)
        service.authenticate(sharing: session, alsoAt: ["https://files.test/any"])
        try await session.signIn("ada", with: Credential("a1"))
        await service.resource(absoluteURL: "https://files.test/x").load().completion()
        await service.resource(absoluteURL: "https://files.test.evil/x").load().completion()
        #expect(signing.tokens == ["a1", nil])
    }

    @Test func `A mutation that changes the URL decides where the credential goes`() async throws {
        try await service.signIn("ada", with: Credential("a1"))
        await signing.resource.request(.get) { $0.url = URL(string: "https://evil.test/v1/thing") }.completion()
        #expect(signing.tokens == [nil])
    }

    @Test func `A request with its own credential keeps it, and its refusal means nothing for the session`()
        async throws
    {
        try await service.signIn("ada", with: Credential("a1"))
        let request = signing.resource.request(.get) {
            $0.setValue("Bearer mine", forHTTPHeaderField: "Authorization")
        }
        #expect(await request.completion().failure?.httpStatusCode == 401)
        #expect(signing.tokens == ["mine"])
        #expect(service.session?.state == .signedIn("ada"))
    }

    @Test func `After 1 000 refusals there is one refresh and 1 000 repetitions`() async throws {
        try await service.signIn("ada", with: Credential("old"))
        let requests = (0..<1000).map { service.resource("/\($0)").load() }
        await signing.refreshBegins()
        await signing.settle()
        signing.accepted = ["new"]
        #expect(service.session?.state == .refreshing)
        #expect(service.principal == "ada")
        await signing.endRefresh(.success(Credential("new")))
        for request in requests { #expect(await request.completion().failure == nil) }
        #expect(authenticator.refreshed.map(\.secret) == ["old"])
        #expect(service.session?.state == .signedIn("ada"))
        #expect(signing.tokens.count { $0 == "old" } == 1000)
        #expect(signing.tokens.count { $0 == "new" } == 1000)
    }

    @Test func `A request that failed with an older credential is only repeated`() async throws {
        try await service.signIn("ada", with: Credential("old"))
        network.handler = { _ in .held }
        let late = service.resource("/late").load()
        let first = service.resource("/first").load()
        network.exchanges[1].respond(with: .response(401))
        await signing.endRefresh(.success(Credential("new")))
        network.exchanges[2].respond(with: .text("first"))
        #expect(await first.completion().failure == nil)
        network.exchanges[0].respond(with: .response(401))
        await signing.settle()
        #expect(signing.tokens == ["old", "old", "new", "new"])
        network.exchanges[3].respond(with: .text("late"))
        #expect(await late.completion().failure == nil)
        #expect(authenticator.refreshed.count == 1)
    }

    @Test func `A failed refresh fails its waiters once, and new requests try again`() async throws {
        try await service.signIn("ada", with: Credential("old"))
        var completions = 0
        let requests = (0..<10).map { service.resource("/\($0)").load().onCompletion { _ in completions += 1 } }
        await signing.endRefresh(.failure(URLError(.notConnectedToInternet)))
        for request in requests {
            let error = try #require(await request.completion().failure)
            #expect(error.code == .credentialNotRefreshed)
            #expect(error.httpStatusCode == 401)
        }
        #expect(completions == 10)
        #expect(network.requests.count == 10)
        #expect(service.session?.state == .signedIn("ada"))
        signing.accepted = ["new"]
        let again = service.resource("/0").load()
        await signing.endRefresh(.success(Credential("new")))
        #expect(await again.completion().failure == nil)
        #expect(authenticator.refreshed.count == 2)
    }

    @Test func `A request that the end of a refresh causes carries the credential`() async throws {
        try await service.signIn("ada", with: Credential("old"))
        var next: (any Request)?
        signing.resource.load().onCompletion { [signing] _ in
            signing.accepted = ["old"]
            next = signing.service.resource("/next").load()
        }
        await signing.endRefresh(.failure(URLError(.notConnectedToInternet)))
        #expect(await next?.completion().failure == nil)
        #expect(signing.tokens == ["old", "old"])
    }

    @Test func `A request that the end of a cancelled refresh causes is sent`() async throws {
        try await service.signIn("ada", with: Credential("old"))
        signing.resource.load()
        await signing.refreshBegins()
        signing.clock.advance(by: 30)
        var next: (any Request)?
        service.resource("/waiting").load().onCompletion { [signing] _ in
            signing.accepted = ["old"]
            next = signing.service.resource("/next").request(.post)
        }
        await signing.settle()
        signing.clock.advance(by: 31)
        await signing.endRefresh(.failure(URLError(.timedOut)))
        #expect(await next?.completion().failure == nil)
        #expect(network.requests.map(\.httpMethod) == ["GET", "POST"])
    }

    @Test func `A request that the end of a session causes is not sent`() async throws {
        try await service.signIn("ada", with: Credential("old"))
        var next: (any Request)?
        signing.resource.load().onCompletion { [service] _ in next = service.resource("/next").load() }
        await signing.endRefresh(.failure(SessionExpired()))
        #expect(await next?.completion().failure?.cause is SessionExpired)
        #expect(network.requests.count == 1)
    }

    @Test func `If the user must sign in again, requests fail without being sent, until then`() async throws {
        try await service.signIn("ada", with: Credential("old"))
        let request = signing.resource.load()
        await signing.endRefresh(.failure(SessionExpired(reason: "invalid_grant")))
        #expect(service.session?.state == .expired(SessionExpired(reason: "invalid_grant")))
        #expect(service.principal == "ada")
        #expect(await request.completion().failure?.cause as? SessionExpired == SessionExpired(reason: "invalid_grant"))
        let error = await service.resource("/other").load().completion().failure
        #expect(error?.cause is SessionExpired)
        #expect(network.requests.count == 1)
        #expect(error?.userMessage == UserMessages.current.sessionExpired)
        try await service.signIn("ada", with: Credential("a1"))
        #expect(await signing.resource.load().completion().failure == nil)
    }

    @Test func `Without means to refresh, a refused credential ends the session`() async throws {
        authenticator.canRefresh = false
        try await service.signIn("ada", with: Credential("old"))
        let error = await signing.resource.load().completion().failure
        #expect(error?.httpStatusCode == 401)
        #expect(error?.cause is SessionExpired)
        #expect(service.session?.state == .expired(SessionExpired()))
        #expect(network.requests.count == 1)
    }

    @Test func `A refused request of a resource for all users is sent again without a credential, if it expires`()
        async throws
    {
        authenticator.canRefresh = false
        service.configure("/public/**") { $0.isPersonal = false }
        network.handler = { SigningService.token(of: $0) == nil ? .text("news") : .response(401) }
        try await service.signIn("ada", with: Credential("old"))
        #expect(await service.resource("/public/a").load().completion().failure == nil)
        #expect(service.session?.state == .expired(SessionExpired()))
        #expect(signing.tokens == ["old", nil])
    }

    @Test func `A request of a resource for all users is sent again without a credential that a sign-out has revoked`()
        async throws
    {
        service.configure("/public/**") { $0.isPersonal = false }
        network.handler = { SigningService.token(of: $0) == nil ? .text("news") : .held }
        try await service.signIn("ada", with: Credential("a1"))
        let request = service.resource("/public/a").load()
        await service.signOut()
        network.exchanges[0].respond(with: .response(401))
        #expect(await request.completion().failure == nil)
        #expect(signing.tokens == ["a1", nil])
    }

    @Test func `A request is not repeated for ever`() async throws {
        authenticator.automatic = { credential, _ in Credential(credential.secret + "x") }
        try await service.signIn("ada", with: Credential("old"))
        let error = await signing.resource.load().completion().failure
        #expect(error?.httpStatusCode == 401)
        #expect(network.requests.count <= 3)
    }

    @Test func `A credential that is about to expire is refreshed before use`() async throws {
        let expiry = Date(timeIntervalSinceReferenceDate: signing.clock.wallTime + 100)
        try await service.signIn("ada", with: Credential("a1", expirationDate: expiry))
        #expect(await signing.resource.load().completion().failure == nil)
        signing.clock.advance(by: 71)
        signing.accepted = ["a1", "new"]
        let requests = [signing.resource.load(), service.resource("/b").load()]
        #expect(network.requests.count == 1)
        await signing.endRefresh(.success(Credential("new")))
        for request in requests { #expect(await request.completion().failure == nil) }
        #expect(signing.tokens == ["a1", "new", "new"])
    }

    @Test func `If an early refresh fails, the old credential is used while it is valid`() async throws {
        let expiry = Date(timeIntervalSinceReferenceDate: signing.clock.wallTime + 20)
        try await service.signIn("ada", with: Credential("a1", expirationDate: expiry))
        let request = signing.resource.load()
        await signing.endRefresh(.failure(URLError(.timedOut)))
        #expect(await request.completion().failure == nil)
        #expect(signing.tokens == ["a1"])
        signing.clock.advance(by: 21)
        let late = signing.resource.load()
        await signing.endRefresh(.failure(URLError(.timedOut)))
        #expect(await late.completion().failure?.code == .credentialNotRefreshed)
        #expect(signing.tokens == ["a1"])
    }

    @Test func `Cancelling one waiter does not affect the others`() async throws {
        try await service.signIn("ada", with: Credential("old"))
        let requests = (0..<3).map { service.resource("/\($0)").load() }
        await signing.refreshBegins()
        await signing.settle()
        requests[1].cancel()
        #expect(await requests[1].completion().failure?.isCancellation == true)
        signing.accepted = ["new"]
        await signing.endRefresh(.success(Credential("new")))
        for index in [0, 2] { #expect(await requests[index].completion().failure == nil) }
        #expect(signing.tokens.count { $0 == "new" } == 2)
    }

    @Test func `A refresh that hangs fails its waiters after a minute`() async throws {
        try await service.signIn("ada", with: Credential("old"))
        let request = signing.resource.load()
        await signing.refreshBegins()
        await signing.settle()
        signing.clock.advance(by: 61)
        #expect(await request.completion().failure?.code == .credentialNotRefreshed)
        let second = service.resource("/second").load()
        signing.clock.advance(by: 61)
        #expect(await second.completion().failure?.code == .credentialNotRefreshed)
        signing.accepted = ["new"]
        let next = signing.resource.load()
        await signing.endRefresh(.success(Credential("new")))
        #expect(await next.completion().failure == nil)
        #expect(authenticator.greatestRunningCount == 1)
    }

    @Test func `A refresh may use a resource of the service`() async throws {
        let resource = service.resource("/token")
        network.handler = { request in
            if request.url?.path == "/v1/token" { return .text("new") }
            return SigningService.token(of: request) == "new" ? .text("yes") : .response(401)
        }
        authenticator.automatic = { _, _ in
            Credential(try await Self.text(of: resource))
        }
        try await service.signIn("ada", with: Credential("old"))
        #expect(await signing.resource.load().completion().failure == nil)
        #expect(signing.tokens == ["old", nil, "new"])
    }

    @Test func `A refreshed credential that cannot be sent does not replace the old one`() async throws {
        let store = TestCredentialStore()
        let authenticator = BearerToken(credentials: store, refresh: { _, _ in Credential("new\n") })
        signing.clock.whileCurrent { _ = service.authenticate(with: authenticator) }
        try await service.signIn("ada", with: Credential("old"))
        let error = await signing.resource.load().completion().failure
        #expect(error?.code == .credentialNotRefreshed)
        let reason = (error?.cause as? RequestError.Failure)?.underlyingError as? RequestError.Failure
        #expect(reason?.code == .invalidCredential)
        #expect(signing.tokens == ["old"])
        #expect(store.stored?.credential == Credential("old"))
        #expect(service.session?.state == .signedIn("ada"))
    }

    @Test func `The lifetime of a credential that a refresh makes begins at the time of the service`() async throws {
        signing.accepted = ["new"]
        let dates = Locked<[Date?]>([])
        signing.authenticator.automatic = { _, network in
            let credential = Credential("new", expiresIn: 60)
            dates.withLock { $0 += [credential.expirationDate, network.now + 60] }
            return credential
        }
        try await service.signIn("ada", with: Credential("old"))
        #expect(await signing.resource.load().completion().failure == nil)
        let found = dates.withLock(\.self)
        #expect(found.count == 2)
        #expect(found.first == found.last)
    }

    private static func text(of resource: Resource) async throws -> String {
        try await resource.request(.post).value.typedContent() ?? ""
    }

    @Test func `A refresh sends plain requests over the network of the service`() async throws {
        service.configure { $0.headers["X-Secret"] = "s" }
        network.handler = { request in
            if request.url?.host == "login.test" { return .text("new") }
            return SigningService.token(of: request) == "new" ? .text("yes") : .response(401)
        }
        authenticator.automatic = { _, network in
            let response = try await network.send(URLRequest(url: try #require(URL(string: "https://login.test/"))))
            return Credential(String(decoding: response.body, as: UTF8.self))
        }
        try await service.signIn("ada", with: Credential("old"))
        #expect(await signing.resource.load().completion().failure == nil)
        #expect(network.requests[1].allHTTPHeaderFields ?? [:] == [:])
    }

    @Test func `A body that can be sent only once is not sent again, but the next request has a new credential`()
        async throws
    {
        try await service.signIn("ada", with: Credential("old"))
        let request = signing.resource.request(.post) { $0.httpBodyStream = InputStream(data: Data("x".utf8)) }
        #expect(await request.completion().failure?.httpStatusCode == 401)
        signing.accepted = ["new"]
        await signing.endRefresh(.success(Credential("new")))
        #expect(await signing.resource.load().completion().failure == nil)
        #expect(signing.tokens == ["old", "new"])
    }

    @Test func `A repetition after a refusal is no retry`() async throws {
        let trying = SigningService { $0.retry.retryLimit = 1 }
        try await trying.service.signIn("ada", with: Credential("old"))
        var count = 0
        trying.network.handler = { request in
            guard SigningService.token(of: request) == "new" else { return .response(401) }
            count += 1
            return count == 1 ? .response(503) : .text("yes")
        }
        let load = trying.resource.load()
        await trying.endRefresh(.success(Credential("new")))
        trying.clock.advance(by: 1)
        await trying.settle()
        let info = await load.completion()
        #expect(info.failure == nil)
        #expect(info.metrics?.attempts == 2)
        #expect(trying.network.requests.count == 3)
    }

    @Test func `Nobody is signed in: requests carry nothing`() async {
        #expect(service.session?.state == .signedOut)
        #expect(service.principal == nil)
        #expect(await signing.resource.load().completion().failure?.httpStatusCode == 401)
        #expect(signing.tokens == [nil])
        #expect(authenticator.refreshed.isEmpty)
        let plain = Service(baseURL: "https://api.test", networking: network)
        #expect(plain.session == nil)
        let error = await #expect(throws: RequestError.self) { try await plain.signIn("ada", with: Credential("a1")) }
        #expect(error?.code == .missingSession)
        #expect(String(describing: error).contains("call Service.authenticate(with:) first"))
        await plain.signOut()
    }

    @Test func `The states are a sequence, and tracked`() async throws {
        var states = try #require(service.session).states.makeAsyncIterator()
        #expect(await states.next() == .signedOut)
        let changes = Locked(0)
        withObservationTracking {
            _ = service.session?.state
        } onChange: {
            changes.withLock { $0 += 1 }
        }
        try await service.signIn("ada", with: Credential("old"))
        #expect(changes.withLock { $0 } == 1)
        #expect(await states.next() == .signedIn("ada"))
        signing.resource.load()
        await signing.refreshBegins()
        #expect(await states.next() == .refreshing)
        await signing.endRefresh(.failure(SessionExpired()))
        #expect(await states.next() == .expired(SessionExpired()))
    }
}
