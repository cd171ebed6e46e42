import Dispatch
import Foundation
import SiestaCaches
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

/// What belongs to the signed-in user, and ends with the session.
@MainActor @Suite(.timeLimit(.test))
struct PrincipalTests {
    private let signing = SigningService()
    private var service: Service { signing.service }
    private var network: StubNetwork { signing.network }

    private func signIn(_ name: String) async throws {
        signing.accepted.insert(name)
        try await service.signIn(name, with: Credential(name))
    }

    @Test func `When another user signs in, requests end, data is gone, and late responses have no effect`()
        async throws
    {
        try await signIn("ada")
        let resource = signing.resource
        await resource.load().completion()
        network.handler = { _ in .held }
        let late = service.resource("/late").load()
        let post = resource.request(.post)
        let unstarted = post.repeated()
        let wait = service.resource("/wait").load()
        try await signIn("bob")
        #expect(resource.latestData == nil)
        #expect(service.principal == "bob")
        for request in [late, post, wait] {
            #expect(request.isCompleted)
            #expect(await request.completion().failure?.isCancellation == true)
        }
        for exchange in network.exchanges.dropFirst() { exchange.respond(with: .text("for ada")) }
        await signing.settle()
        #expect(service.resource("/late").latestData == nil)
        #expect(await unstarted.start().completion().failure?.isCancellation == true)
        #expect(network.requests.count == 4)
    }

    @Test func `A new sign-in of the same user keeps data and requests`() async throws {
        try await signIn("ada")
        await signing.resource.load().completion()
        network.handler = { _ in .held }
        let request = service.resource("/b").load()
        try await service.signIn("ada", with: Credential("a2"))
        #expect(signing.resource.text == "for ada")
        #expect(!request.isCompleted)
        network.exchanges[1].respond(with: .response(401))
        await signing.settle()
        #expect(signing.tokens == ["ada", "ada", "a2"])
        request.cancel()
    }

    @Test func `Resources that are the same for all users stay`() async throws {
        service.configure("/public/**") { $0.isPersonal = false }
        try await signIn("ada")
        let shared = service.resource("/public/x")
        await shared.load().completion()
        network.handler = { _ in .held }
        let running = service.resource("/public/y").load()
        let (repeated, personal) = (running.repeated().start(), service.resource("/y").load().repeated().start())
        try await signIn("bob")
        #expect(shared.text == "for ada")
        #expect(!running.isCompleted)
        #expect(!repeated.isCompleted)
        #expect(personal.isCompleted)
        await service.signOut()
        #expect(shared.text == "for ada")
        #expect(!running.isCompleted)
        for request in [running, repeated] { request.cancel() }
    }

    @Test func `Retries, polls and waits for a credential end with their principal`() async throws {
        let signing = SigningService {
            $0.retry = .standard
            $0.expirationTime = 1
        }
        signing.accepted = ["ada", "bob"]
        try await signing.service.signIn("ada", with: Credential("ada"))
        signing.network.handler = { _ in .response(503) }
        let (screen, polled) = (ObserverRecorder(), signing.service.resource("/polled"))
        polled.addObserver(screen).poll(every: 1, owner: screen)
        let retried = signing.resource.load()
        await signing.settle()
        #expect(signing.resource.retry != nil)
        try await signing.service.signIn("bob", with: Credential("old"))
        #expect(retried.isCompleted)
        #expect(signing.resource.retry == nil)
        let count = signing.network.requests.count
        for _ in 0..<50 {
            signing.clock.advance(by: 1)
            await signing.settle()
        }
        #expect(signing.network.requests.count == count)

        signing.network.handler = { _ in .response(401) }
        let waiting = signing.resource.load()
        await signing.refreshBegins()
        await signing.settle()
        await signing.service.signOut()
        #expect(waiting.isCompleted)
        #expect(signing.service.session?.state == .signedOut)
        signing.authenticator.end(.success(Credential("late")))
        await signing.settle()
        #expect(signing.service.session?.state == .signedOut)
        #expect(signing.service.principal == nil)
    }

    @Test func `Two refreshes never run at once, also for different users`() async throws {
        try await service.signIn("ada", with: Credential("old"))
        signing.resource.load()
        await signing.refreshBegins()
        try await service.signIn("bob", with: Credential("old"))
        let request = signing.resource.load()
        await signing.settle()
        #expect(signing.authenticator.refreshed.count == 1)
        signing.authenticator.end(.success(Credential("ada's")))
        signing.accepted = ["bob's"]
        await signing.endRefresh(.success(Credential("bob's")))
        #expect(await request.completion().failure == nil)
        #expect(!signing.tokens.contains("ada's"))
        #expect(signing.authenticator.greatestRunningCount == 1)
    }

    @Test func `Caches have a part for each user without any closure, and signing out removes it`() async throws {
        let folder = try TemporaryFolder()
        let cache = PersistentCache.file(at: folder.url)
        service.configure {
            $0.pipeline.clear()
            $0.pipeline[.rawData].cacheUsing(cache)
        }
        let resource = signing.resource
        try await signIn("ada")
        await resource.load().completion()
        try await cache.storage.flush()
        try await signIn("bob")
        await resource.cacheIsRead()
        #expect(resource.latestData == nil)
        await resource.load().completion()
        try await cache.storage.flush()
        #expect(try filesContain("for ada", in: folder.url))
        #expect(try filesContain("for bob", in: folder.url))
        try await signIn("ada")
        _ = resource.latestData
        await resource.cacheIsRead()
        #expect(resource.latestData?.content as? Data == Data("for ada".utf8))
        await service.signOut()
        #expect(resource.latestData == nil)
        #expect(try !filesContain("for ada", in: folder.url))
        #expect(try filesContain("for bob", in: folder.url))
        await resource.load().completion()
        try await cache.storage.flush()
        #expect(await cache.entity(for: resource) == nil)
    }

    private func filesContain(_ text: String, in folder: URL) throws -> Bool {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return paths.contains { path in
            let data = FileManager.default.contents(atPath: folder.appendingPathComponent(path).path)
            return data.map { $0.range(of: Data(text.utf8)) != nil } ?? false
        }
    }

    @Test func `A session can be shared, and its services follow the same user`() async throws {
        let session = UserSession(signing.authenticator)
        let other = SigningService()
        for service in [service, other.service] { service.authenticate(sharing: session) }
        signing.accepted = ["ada"]
        other.accepted = ["ada"]
        try await session.signIn("ada", with: Credential("ada"))
        await signing.resource.load().completion()
        await other.resource.load().completion()
        #expect(signing.resource.text == "for ada")
        #expect(other.resource.text == "for ada")
        await service.signOut()
        #expect(signing.resource.latestData == nil)
        #expect(other.resource.latestData == nil)
        #expect(other.service.session?.state == .signedOut)
    }

    @Test func `The store keeps the user for the next launch, until the user signs out`() async throws {
        let store = TestCredentialStore()
        let first = SigningService(credentials: store)
        try await first.service.signIn("ada", with: Credential("a1", refreshToken: "r1"))
        let second = SigningService(credentials: store)
        #expect(second.service.session?.state == .signedIn("ada"))
        second.accepted = ["a2"]
        let request = second.resource.load()
        await second.endRefresh(.success(Credential("a2", refreshToken: "r2")))
        #expect(await request.completion().failure == nil)
        #expect(store.stored?.credential == Credential("a2", refreshToken: "r2"))
        await second.service.signOut()
        #expect(store.stored == nil)
        #expect(second.authenticator.revoked.map(\.secret) == ["a2"])
        #expect(SigningService(credentials: store).service.session?.state == .signedOut)
    }

    @Test func `A credential that another process has refreshed is used`() async throws {
        let store = TestCredentialStore()
        let signing = SigningService(credentials: store)
        try await signing.service.signIn("ada", with: Credential("a1"))
        store.stored = StoredCredential(principal: "ada", credential: Credential("a2"))
        signing.accepted = ["a2"]
        #expect(await signing.resource.load().completion().failure == nil)
        #expect(signing.authenticator.refreshed.isEmpty)
        #expect(signing.tokens == ["a1", "a2"])
    }

    @Test func `A store that fails prevents the sign-in, but not a refresh`() async throws {
        let store = TestCredentialStore()
        let signing = SigningService(credentials: store)
        store.isBroken = true
        let error = await #expect(throws: RequestError.self) {
            try await signing.service.signIn("ada", with: Credential("a1"))
        }
        #expect(error?.code == .credentialNotSaved)
        #expect((error?.cause as? RequestError.Failure)?.underlyingError is TestCredentialStore.Failure)
        #expect(error?.userMessage == UserMessages.current.cannotSaveCredential)
        #expect(error?.timestamp == signing.clock.wallTime)
        #expect(signing.service.session?.state == .signedOut)
        store.isBroken = false
        try await signing.service.signIn("ada", with: Credential("old"))
        store.isBroken = true
        let request = signing.resource.load()
        signing.accepted = ["new"]
        await signing.endRefresh(.success(Credential("new")))
        #expect(await request.completion().failure == nil)
        await signing.service.signOut()
        #expect(signing.service.session?.state == .signedOut)
    }

    /// A store whose next save of a credential waits.
    private final class SlowStore: CredentialStore {
        let content = TestCredentialStore()
        let gate = DispatchSemaphore(value: 0)

        func load() throws -> StoredCredential? { try content.load() }

        func save(_ new: StoredCredential?) throws {
            if new != nil { gate.wait() }
            try content.save(new)
        }
    }

    @Test func `A sign-out during a sign-in wins`() async throws {
        let store = SlowStore()
        let service = SigningService(credentials: store).service
        let signIn = Task.immediate { try await service.signIn("ada", with: Credential("a1")) }
        let signOut = Task.immediate { await service.signOut() }
        store.gate.signal()
        await signOut.value
        let error = await #expect(throws: RequestError.self) { try await signIn.value }
        #expect(error?.code == .cancelled)
        #expect(service.session?.state == .signedOut)
        #expect(store.content.stored == nil)
    }

    @Test func `Observers that sign out and in while they are told are safe`() async throws {
        try await signIn("ada")
        let resource = signing.resource
        await resource.load().completion()
        let service = service
        var count = 0
        let screen = NSObject()
        resource.addObserver(owner: screen) { _, event in
            guard case .newData(.wipe) = event, count < 5 else { return }
            count += 1
            Task { try await service.signIn("user\(count)", with: Credential("user\(count)")) }
        }
        for user in ["bob", "eve"] { try await signIn(user) }
        for _ in 0..<20 { await signing.settle() }
        #expect(count == 5)
        #expect(service.principal == "user5")
        extendLifetime(screen)
    }
}
