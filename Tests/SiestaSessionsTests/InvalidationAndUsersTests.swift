import Foundation
import SiestaCore
import SiestaSessions
import SiestaTesting
import TestDoubles
import TestKit
import Testing

/// Invalidations, the user, and the refresh of credentials.
@MainActor @Suite(.timeLimit(.test))
struct InvalidationAndUsersTests {
    private let signing = SigningService { $0.tags = ["t"] }
    private let recorder = ObserverRecorder()
    private var service: Service { signing.service }
    private var resource: Resource { signing.resource }

    /// Signs a user in whose observed data an invalidation loads again. Returns the exchange of this load, which waits.
    private func heldReload() async throws -> StubExchange {
        try await service.signIn("ada", with: Credential("a1"))
        await resource.load().completion()
        resource.addObserver(recorder)
        signing.network.handler = { _ in .held }
        service.invalidate(tagged: "t")
        return try await signing.network.exchange(2)
    }

    @Test func `A sign-out ends the load that an invalidation has caused, and the load that would follow`() async throws
    {
        let late = try await heldReload()
        await signing.settle()
        service.invalidate(tagged: "t")
        await service.signOut()
        late.respond(with: .text("of ada"))
        await signing.settle()
        #expect(signing.network.requests.count == 2)
        #expect(resource.latestData == nil)
        #expect(!resource.isLoading)
        #expect(resource.latestError == nil)
    }

    @Test func `The data of the next user is fresh`() async throws {
        let late = try await heldReload()
        service.invalidate(tagged: "t")
        signing.network.handler = { .text("for \(SigningService.token(of: $0) ?? "")") }
        try await service.signIn("bob", with: Credential("b1"))
        late.respond(with: .text("of ada"))
        await resource.loadIfNeeded()?.completion()
        await signing.settle()
        #expect(resource.text == "for b1")
        #expect(resource.isUpToDate)
        #expect(signing.network.requests.count == 3)
        service.invalidate(tagged: "t")
        await signing.settle()
        #expect(resource.isUpToDate)
        #expect(signing.tokens.last == "b1")
        #expect(signing.network.requests.count == 4)
    }

    @Test func `An observer that loads at the sign-out causes one load`() async throws {
        _ = try await heldReload()
        signing.network.handler = { _ in .text("public") }
        recorder.onEvent = { [resource] event in if event == .newData(.wipe) { resource.loadIfNeeded() } }
        await service.signOut()
        await signing.settle()
        #expect(resource.text == "public")
        #expect(resource.isUpToDate)
        #expect(signing.network.requests.count == 3)
    }

    @Test func `A write that is sent again after a refresh counts once, when it has succeeded`() async throws {
        service.configure("**", requestMethods: [.put]) { $0.invalidates = ["t"] }
        try await service.signIn("ada", with: Credential("a1", refreshToken: "r1"))
        await resource.load().completion()
        resource.addObserver(recorder)
        signing.accepted = ["a2"]
        let write = resource.request(.put)
        await signing.refreshBegins()
        #expect(resource.isUpToDate)
        await signing.endRefresh(.success(Credential("a2", refreshToken: "r1")))
        await write.completion()
        await signing.settle()
        #expect(signing.tokens == ["a1", "a1", "a2", "a2"])
        #expect(resource.text == "for a2")
        #expect(resource.isUpToDate)
    }

    @Test func `A write that is cancelled while it waits for its first credential changes nothing`() async throws {
        service.configure("**", requestMethods: [.put]) { $0.invalidates = ["t"] }
        try await service.signIn("ada", with: Credential("a1", refreshToken: "r1"))
        await resource.load().completion()
        signing.accepted = ["a2"]
        let other = service.resource("/other").load()
        await signing.refreshBegins()
        let write = resource.request(.put)
        await signing.settle()
        #expect(signing.network.requests.count == 2)
        write.cancel()
        #expect(resource.isUpToDate)
        await signing.endRefresh(.success(Credential("a2", refreshToken: "r1")))
        await other.completion()
        #expect(resource.isUpToDate)
    }

    @Test func `A load that an invalidation has caused waits for the refresh of the credential`() async throws {
        try await service.signIn("ada", with: Credential("a1", refreshToken: "r1"))
        await resource.load().completion()
        resource.addObserver(recorder)
        signing.accepted = ["a2"]
        service.invalidate(tagged: "t")
        await signing.refreshBegins()
        service.invalidate(tagged: "t")
        #expect(resource.isStale)
        #expect(resource.isLoading)
        await signing.endRefresh(.success(Credential("a2", refreshToken: "r1")))
        await signing.settle()
        #expect(resource.text == "for a2")
        #expect(resource.isUpToDate)
        #expect(!resource.isLoading)
    }
}
