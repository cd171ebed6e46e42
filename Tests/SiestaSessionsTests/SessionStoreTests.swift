import Dispatch
import Foundation
import Isolation
import SiestaCore
import SiestaSessions
import SiestaTesting
import TestDoubles
import TestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What is in the store of a session after sign-ins, sign-outs and refreshes that overlap.
@MainActor @Suite(.timeLimit(.test))
struct SessionStoreTests {
    private let store = SlowCredentialStore()
    private let signing: SigningService
    private var service: Service { signing.service }

    init() {
        signing = SigningService(credentials: store)
    }

    @Test func `A refresh that begins during a sign-in does not replace its credential in the store`() async throws {
        try await service.signIn("ada", with: Credential("old"))
        store.hold()
        let service = service
        let signIn = Task { try await service.signIn("ada", with: Credential("a1")) }
        await store.saveBegins()
        let request = signing.resource.load()
        // The refresh reads the store after the save, and ends after the sign-in, because it ignores its cancellation.
        await signing.settle()
        store.release()
        await signing.refreshBegins()
        try await signIn.value
        await signing.endRefresh(.success(Credential("successor of old")))
        #expect(await request.completion().failure == nil)
        await store.settle(service)
        #expect(signing.tokens.last == "a1")
        #expect(store.stored?.credential.secret == "a1")
    }

    @Test func `The last sign-in decides what is in the store, also if it fails`() async throws {
        try await service.signIn("ada", with: Credential("a1"))
        store.hold()
        let service = service
        let first = Task { try await service.signIn("bob", with: Credential("b1")) }
        await store.saveBegins()
        store.rejected = "c1"
        let second = Task { try await service.signIn("cleo", with: Credential("c1")) }
        await signing.settle()
        store.release()
        let replaced = await #expect(throws: RequestError.self) { try await first.value }
        #expect(replaced?.code == .cancelled)
        let failure = await #expect(throws: RequestError.self) { try await second.value }
        #expect(failure?.code == .credentialNotSaved)
        #expect(service.principal == "ada")
        #expect(store.stored?.principal == "ada")
    }

    @Test func `A store that returns less than it has saved is no other process`() async throws {
        store.isLossy = true
        let date = Date(timeIntervalSinceReferenceDate: signing.clock.wallTime + 1000.5)
        try await service.signIn("ada", with: Credential("old", expirationDate: date))
        let request = signing.resource.load()
        signing.accepted = ["new"]
        await signing.endRefresh(.success(Credential("new", expirationDate: date)))
        #expect(await request.completion().failure == nil)
        #expect(signing.tokens == ["old", "new"])
        #expect(store.stored?.credential.secret == "new")
    }

    @Test func `A refresh during a sign-in that fails is saved`() async throws {
        try await service.signIn("ada", with: Credential("old"))
        store.hold()
        store.rejected = "b1"
        let service = service
        let signIn = Task { try await service.signIn("bob", with: Credential("b1")) }
        let request = signing.resource.load()
        await store.saveBegins()
        store.release()
        let failure = await #expect(throws: RequestError.self) { try await signIn.value }
        #expect(failure?.code == .credentialNotSaved)
        signing.accepted = ["new"]
        await signing.endRefresh(.success(Credential("new")))
        #expect(await request.completion().failure == nil)
        #expect(store.stored?.credential.secret == "new")
        #expect(service.principal == "ada")
    }

    @Test(arguments: ["ada", nil])
    func `A sign-in that fails leaves no credential, also if the store has saved it`(user: String?) async throws {
        if let user { try await service.signIn(user, with: Credential("a1")) }
        (store.rejected, store.keepsRejected) = ("b1", true)
        let service = service
        let failure = await #expect(throws: RequestError.self) {
            try await service.signIn("bob", with: Credential("b1"))
        }
        #expect(failure?.code == .credentialNotSaved)
        #expect(service.principal == user)
        #expect(store.stored?.principal == user)
    }

    @Test func `A refresh that ends while a failing sign-in is saved stays in the store`() async throws {
        try await service.signIn("ada", with: Credential("old"))
        let request = signing.resource.load()
        await signing.refreshBegins()
        store.hold()
        store.rejected = "b1"
        let service = service
        let signIn = Task { try await service.signIn("bob", with: Credential("b1")) }
        await store.saveBegins()
        signing.accepted = ["new"]
        signing.authenticator.end(.success(Credential("new")))
        await signing.settle()  // The new credential waits behind the save of the sign-in.
        store.release()
        _ = await #expect(throws: RequestError.self) { try await signIn.value }
        #expect(await request.completion().failure == nil)
        await store.settle(service)
        #expect(store.stored?.credential.secret == "new")
    }
}

/// A store whose saves wait while a test holds them.
private final class SlowCredentialStore: CredentialStore {
    struct Failure: Error {}

    private struct State: Sendable {
        var stored: StoredCredential?
        var rejected: String?
        var isLossy = false
        var keepsRejected = false
        var begun = 0
    }

    private let state = Locked(State())
    private let gate = NSLock()

    var stored: StoredCredential? { state.withLock { $0.stored } }

    /// The secret that cannot be saved.
    var rejected: String? {
        get { state.withLock { $0.rejected } }
        set { state.withLock { $0.rejected = newValue } }
    }

    /// True if the store keeps the rejected secret nevertheless.
    var keepsRejected: Bool {
        get { state.withLock { $0.keepsRejected } }
        set { state.withLock { $0.keepsRejected = newValue } }
    }

    /// True if the store returns dates without fractions.
    var isLossy: Bool {
        get { state.withLock { $0.isLossy } }
        set { state.withLock { $0.isLossy = newValue } }
    }

    func hold() {
        state.withLock { $0.begun = 0 }
        gate.withLock {}
        gate.lock()
    }

    func release() { gate.unlock() }

    func saveBegins() async {
        while state.withLock({ $0.begun }) == 0 { await Task.yield() }
    }

    /// Waits for the last save.
    func settle(_ service: Service) async {
        for _ in 0..<100 { await Task.yield() }
        for _ in 0..<12 {
            await withCheckedContinuation { continuation in
                DispatchQueue.global(qos: .userInitiated).async { continuation.resume() }
            }
            await mainQueueTurn()
        }
    }

    func load() throws -> StoredCredential? {
        var result = stored
        guard isLossy, let date = result?.credential.expirationDate else { return result }
        let seconds = date.timeIntervalSinceReferenceDate.rounded(.down)
        result?.credential.expirationDate = Date(timeIntervalSinceReferenceDate: seconds)
        return result
    }

    func save(_ new: StoredCredential?) throws {
        state.withLock { $0.begun += 1 }
        gate.withLock {}
        try state.withLock { state in
            let isRejected = new.map { $0.credential.secret == state.rejected } ?? false
            if !isRejected || state.keepsRejected { state.stored = new }
            if isRejected { throw Failure() }
        }
    }
}
