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

/// Changes of the user while code of the app reacts to them, and names of users.
@MainActor @Suite(.timeLimit(.test))
struct SessionChangeTests {
    private let signing = SigningService()
    private var service: Service { signing.service }

    @Test func `A request that waits carries no credential of a session that the service has given up`() async throws {
        let shared = SharedService()
        let (clock, network, service) = (shared.clock, shared.network, shared.service)
        let sessions = clock.whileCurrent { [UserSession(BearerToken()), UserSession(BearerToken())] }
        service.authenticate(sharing: sessions[0])
        try await sessions[0].signIn("ada", with: Credential("hers"))
        try await sessions[1].signIn("bob", with: Credential("his"))
        network.answer(.get, "/shared", with: .response(503), .text("shared"))
        let load = service.resource("/shared").load()
        try await clock.waitForTimers(1)
        service.authenticate(sharing: sessions[1])
        clock.advance(by: 10)
        _ = await load.completion()
        let fields = network.requests.map { $0.value(forHTTPHeaderField: "Authorization") }
        #expect(fields == ["Bearer hers", nil])
    }

    @Test func `A write from before a sign-in is not sent again as the user`() async throws {
        let shared = SharedService()
        let (clock, network, service) = (shared.clock, shared.network, shared.service)
        service.authenticate(with: BearerToken())
        let write = try await shared.waitingWrite()
        try await service.signIn("ada", with: Credential("hers"))
        clock.advance(by: 10)
        #expect(await write.completion().response.isCancellation)
        #expect(network.requests.count == 1)
    }

    @Test func `Data for all users that varies by the credential is fresh for one user, also with a new token`()
        async throws
    {
        service.configure { ($0.freshness, $0.isPersonal) = (.http, false) }
        signing.network.handler = { request in
            let token = SigningService.token(of: request) ?? "nobody"
            guard token != "old" || request.url?.lastPathComponent == "thing" else { return .response(401) }
            return .text("for \(token)", headers: ["Vary": "Authorization", "Cache-Control": "max-age=1000"])
        }
        let resource = signing.resource
        try await service.signIn("ada", with: Credential("old"))
        await resource.load().completion()
        let refused = service.resource("/other").load()
        await signing.endRefresh(.success(Credential("new")))
        #expect(await refused.completion().failure == nil)
        #expect(signing.tokens == ["old", "old", "new"])
        #expect(resource.isUpToDate)
        try await service.signIn("bob", with: Credential("bob"))
        #expect(!resource.isUpToDate)
        await resource.load().completion()
        #expect(resource.text == "for bob")
        #expect(resource.isUpToDate)
        await service.signOut()
        #expect(!resource.isUpToDate)
    }

    @Test func `The observers of one service see no data of the last user in another, and may load`() async throws {
        let session = UserSession(signing.authenticator)
        let (users, photos) = signing.clock.whileCurrent {
            let services = ["https://a.test", "https://b.test"].map {
                Service(baseURL: $0, networking: signing.network)
            }
            return (services[0], services[1])
        }
        for service in [users, photos] { service.authenticate(sharing: session) }
        signing.accepted = ["ada", "bob"]
        try await session.signIn("ada", with: Credential("ada"))
        let (user, photo) = (users.resource("/user"), photos.resource("/photo"))
        for resource in [user, photo] { await resource.load().completion() }
        var seen: [String] = []
        var loads: [any Request] = []
        let screen = NSObject()
        for (own, other) in [(user, photo), (photo, user)] {
            own.addObserver(owner: screen) { _, event in
                guard case .newData(.wipe) = event else { return }
                seen.append(other.text)
                loads.append(other.load())
            }
        }
        try await session.signIn("bob", with: Credential("bob"))
        #expect(seen == ["", ""])
        for load in loads { #expect(await load.completion().failure == nil) }
        #expect(user.text == "for bob")
        #expect(photo.text == "for bob")
        extendLifetime(screen)
    }

    @Test func `A refresh may use a resource although all places of its origin are taken`() async throws {
        let paced = SigningService { $0.pacing.concurrentRequests = 2 }
        let resource = paced.service.resource("/token")
        let network = paced.network
        network.handler = { request in
            request.url?.path == "/v1/token" || SigningService.token(of: request) == "new"
                ? .text("new") : .response(401)
        }
        paced.authenticator.automatic = { _, _ in
            Credential(try await Self.text(of: resource))
        }
        let soon = Date(timeIntervalSinceReferenceDate: paced.clock.wallTime + 1)
        try await paced.service.signIn("ada", with: Credential("old", expirationDate: soon))
        let loads = (0..<5).map { paced.service.resource("/\($0)").load() }
        while network.requests.isEmpty, !loads.contains(where: \.isCompleted) {
            await paced.settle()
            if paced.authenticator.runningCount > 0 { paced.clock.advance(by: 1) }
        }
        for load in loads { #expect(await load.completion().failure == nil) }
    }

    @Test func `A task that a refresh leaves behind waits for later refreshes, as all tasks`() async throws {
        let (gate, opening) = AsyncStream<Void>.makeStream()
        let late = service.resource("/late")
        let task = Locked<Task<Void, any Error>?>(nil)
        signing.authenticator.automatic = { _, _ in
            let left = Task {
                for await _ in gate { break }
                _ = try await Self.text(of: late)
            }
            task.withLock { $0 = left }
            return Credential("a2")
        }
        signing.accepted = ["a2"]
        try await service.signIn("ada", with: Credential("old"))
        #expect(await signing.resource.load().completion().failure == nil)
        (signing.authenticator.automatic, signing.accepted) = (nil, ["a3"])
        let request = signing.resource.load()
        await signing.refreshBegins()
        opening.yield()
        while signing.network.requests.count < 4, late.allRequests.isEmpty { await signing.settle() }
        await signing.endRefresh(.success(Credential("a3")))
        #expect(await request.completion().failure == nil)
        try await task.withLock(\.self)?.value
        #expect(signing.tokens == ["old", "a2", "a2", "a3", "a3"])
    }

    private static func text(of resource: Resource) async throws -> String {
        try await resource.request(.post).value.typedContent() ?? ""
    }

    @Test func `An observer that is told of a cancelled load sees no data of the last user`() async throws {
        try await service.signIn("ada", with: Credential("a1"))
        let resource = signing.resource
        await resource.load().completion()
        #expect(resource.text == "for a1")
        signing.network.handler = { _ in .held }
        let late = service.resource("/late")
        var seen: [String] = []
        let screen = NSObject()
        late.addObserver(owner: screen) { [service] _, event in
            if event == .requestCancelled { seen.append("\(service.principal ?? ""): \(resource.text)") }
        }
        late.load()
        try await service.signIn("bob", with: Credential("b1"))
        #expect(seen == ["bob: "])
        extendLifetime(screen)
    }

    @Test func `A user without a name cannot sign in, because the name is the key of the data`() async throws {
        let error = await #expect(throws: RequestError.self) {
            try await service.signIn("", with: Credential("a1"))
        }
        #expect(error?.code == .invalidCredential)
        #expect(service.session?.state == .signedOut)
    }

    @Test func `A credential that the authenticator does not accept is a typed error`() async throws {
        struct Banned: Error {}
        struct Picky: Authenticator {
            func apply(_ credential: Credential, to request: inout URLRequest) {}
            func validate(_ credential: Credential) throws { throw Banned() }
        }
        service.authenticate(with: BearerToken())
        do {
            try await service.signIn("ada", with: Credential("a\n"))
            Issue.record("The token was accepted.")
        } catch {
            #expect(error.code == .invalidCredential)  // The type of `error` is RequestError.
        }
        service.authenticate(with: Picky())
        let error = await #expect(throws: RequestError.self) {
            try await service.signIn("ada", with: Credential("a1"))
        }
        #expect(error?.code == .other)
        #expect(error?.cause is Banned)
        #expect(service.session?.state == .signedOut)
    }

    @Test func `Two names that only look the same are two users`() async throws {
        let (composed, decomposed) = ("jos\u{E9}", "jose\u{301}")
        try await service.signIn(composed, with: Credential("a1"))
        await signing.resource.load().completion()
        #expect(signing.resource.text == "for a1")
        try await service.signIn(decomposed, with: Credential("a1"))
        #expect(signing.resource.text.isEmpty)
        #expect(service.principal?.utf8.elementsEqual(decomposed.utf8) == true)
    }

    @Test func `A sign-out that begins while a sign-in is announced wins, also in the store`() async throws {
        let store = TestCredentialStore()
        let signing = SigningService(credentials: store)
        let service = signing.service
        let signOut = Locked<Task<Void, Never>?>(nil)
        withObservationTracking {
            _ = service.session?.state
        } onChange: {
            MainActor.assumeIsolated {
                let task = Task.immediate { await service.signOut() }
                signOut.withLock { $0 = task }
            }
        }
        _ = try? await service.signIn("ada", with: Credential("a1"))
        await signOut.withLock(\.self)?.value
        #expect(service.session?.state == .signedOut)
        #expect(store.stored == nil)
    }

    @Test func `A sign-in whose observers sign the user out fails as cancelled`() async throws {
        try await service.signIn("ada", with: Credential("a1"))
        let (service, resource) = (service, signing.resource)
        await resource.load().completion()
        let screen = NSObject()
        resource.addObserver(owner: screen) { _, event in
            guard case .newData(.wipe) = event, service.principal != nil else { return }
            _ = Task.immediate { await service.signOut() }
        }
        let error = await #expect(throws: RequestError.self) {
            try await service.signIn("bob", with: Credential("b1"))
        }
        #expect(error?.code == .cancelled)
        #expect(service.session?.state == .signedOut)
        extendLifetime(screen)
    }

    /// Runs `body` when the state of the session is about to change for the first time.
    private func beforeChange(of service: Service, _ body: @escaping @MainActor @Sendable () -> Void) {
        withObservationTracking {
            _ = service.session?.state
        } onChange: {
            MainActor.assumeIsolated { body() }
        }
    }

    @Test func `A sign-out takes effect although a sign-in that begins while it is announced fails`() async throws {
        let store = TestCredentialStore()
        let service = SigningService(credentials: store).service
        try await service.signIn("ada", with: Credential("a1"))
        store.isBroken = true
        let signIn = Locked<Task<Void, any Error>?>(nil)
        beforeChange(of: service) {
            let task = Task.immediate { try await service.signIn("bob", with: Credential("b1")) }
            signIn.withLock { $0 = task }
        }
        await service.signOut()
        let failure = await signIn.withLock(\.self)?.result
        #expect(throws: RequestError.self) { try failure?.get() }
        #expect(service.session?.state == .signedOut)
    }

    @Test func `The credential of a sign-in that begins while a refresh is announced is not refreshed`() async throws {
        signing.authenticator.automatic = { _, _ in Credential("a1") }
        let soon = Date(timeIntervalSinceReferenceDate: signing.clock.wallTime + 1)
        try await service.signIn("ada", with: Credential("old", expirationDate: soon))
        beforeChange(of: service) { [service] in
            _ = Task.immediate { try await service.signIn("ada", with: Credential("a1")) }
        }
        #expect(await signing.resource.load().completion().failure == nil)
        #expect(signing.tokens == ["a1"])
        #expect(signing.authenticator.refreshed.isEmpty)
    }

    @Test func `The credential of a sign-in that begins while a sign-out is announced stays in the store`() async throws
    {
        let store = TestCredentialStore()
        let signing = SigningService(credentials: store)
        let (service, resource) = (signing.service, signing.resource)
        try await service.signIn("ada", with: Credential("a1"))
        await resource.load().completion()
        var signIn: Task<Void, any Error>?
        let screen = NSObject()
        resource.addObserver(owner: screen) { _, event in
            guard case .newData(.wipe) = event, signIn == nil else { return }
            signIn = Task.immediate { try await service.signIn("bob", with: Credential("b1")) }
        }
        await service.signOut()
        try await signIn?.value
        #expect(service.principal == "bob")
        #expect(store.stored?.principal == "bob")
        extendLifetime(screen)
    }

    @Test func `A write from before a sign-out is not sent again, even if the same user has signed in again`()
        async throws
    {
        let shared = SharedService()
        let (clock, network, service) = (shared.clock, shared.network, shared.service)
        service.authenticate(with: BearerToken())
        try await service.signIn("ada", with: Credential("hers"))
        let write = try await shared.waitingWrite()
        await service.signOut()
        try await service.signIn("ada", with: Credential("hers"))
        clock.advance(by: 10)
        #expect(await write.completion().response.isCancellation)
        #expect(network.requests.count == 1)
    }

    @Test func `A load by POST that is the same for all users goes on when a user signs in`() async throws {
        let shared = SharedService()
        let (clock, network, service) = (shared.clock, shared.network, shared.service)
        service.authenticate(with: BearerToken())
        network.answer(.post, "/search", with: .response(503), .text("found"))
        let load = service.resource("/search", loadedBy: .post, body: .json(["text": "swift"])).load()
        try await clock.waitForTimers(1)
        try await service.signIn("ada", with: Credential("hers"))
        clock.advance(by: 10)
        #expect(await load.completion().failure == nil)
        #expect(network.requests.count == 2)
    }

    @Test func `A write that nobody has made while a user was signed in outlasts the session of a user`() async throws {
        let shared = SharedService()
        let (clock, network, service) = (shared.clock, shared.network, shared.service)
        service.authenticate(with: BearerToken())
        let write = try await shared.waitingWrite()
        try await service.signIn("ada", with: Credential("hers"))
        await service.signOut()
        clock.advance(by: 10)
        #expect(await write.completion().failure == nil)
        #expect(network.requests.count == 2)
    }

    @Test func `A write of one user that is repeated is not sent as another user`() async throws {
        try await service.signIn("ada", with: Credential("a1"))
        signing.network.handler = { _ in .response(500) }
        let post = signing.resource.request(.post, data: Data("by ada".utf8), contentType: "text/plain")
        await post.completion()
        try await service.signIn("bob", with: Credential("b1"))
        #expect(await post.repeated().start().completion().response.isCancellation)
        #expect(signing.tokens == ["a1"])
    }
}

/// A service whose resources are the same for all users, and whose requests are repeated.
@MainActor
private struct SharedService {
    let clock = TestClock()
    let network = StubNetwork()
    let service: Service

    init() {
        let network = network
        service = clock.whileCurrent { Service(baseURL: "https://api.test", networking: network) }
        service.configure { ($0.retry, $0.isPersonal) = (.standard, false) }
    }

    /// Returns a write that waits for its second attempt.
    func waitingWrite() async throws -> any Request {
        network.answer(.put, "/shared", with: .response(503), .response(204))
        let write = service.resource("/shared").request(.put, data: Data("a".utf8), contentType: "text/plain")
        try await clock.waitForTimers(1)
        return write
    }
}
