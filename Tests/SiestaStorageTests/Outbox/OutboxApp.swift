import CacheTorture
import Foundation
import Isolation
import SiestaCore
import SiestaSessions
import SiestaTesting
import Waiting
import SiestaWriting

@testable import SiestaCaches
@testable import SiestaOutboxStorage

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The content of the resources of an ``OutboxApp``.
struct Author: Codable, Sendable, Equatable {
    var name = "Ada"
    var stars = 0

    func json(_ etag: String) -> StubAnswer {
        .json(#"{"name": "\#(name)", "stars": \#(stars)}"#, headers: ["ETag": "\"\(etag)\""])
    }
}

/// An app with durable changes, in which a test decides when the store writes, and who is signed in.
@MainActor
struct OutboxApp {
    let clock = TestClock()
    let connection = NetworkStatus()
    let network: StubNetwork
    let records: MemoryRecordStore
    let store: HeldOutboxStore
    let session: UserSession
    let service: Service
    let author: TypedResource<Author>

    /// Starts the app with "ada" signed in, and with the changes that `records` contain. The app may send them at once.
    init(
        _ records: MemoryRecordStore = MemoryRecordStore(), network: StubNetwork = StubNetwork(),
        _ configure: (Service) -> Void = { _ in }
    ) async throws {
        self.network = network
        self.records = records
        store = HeldOutboxStore(RecordOutboxStore(records, folder: nil))
        (session, service) = clock.whileCurrent {
            (
                UserSession(BearerToken()),
                Service(baseURL: "http://api.test", standardTransformers: [], networking: network)
            )
        }
        service.authenticate(sharing: session)
        service.decode("/authors/*", as: Author.self, requestMethods: [.get])
        service.networkStatus = connection
        configure(service)
        author = service.resource("/authors/1").typed()
        try await session.signIn("ada", with: Credential("A"))
        service.outbox = Outbox(store)
        await service.outbox?.isLoaded()
    }

    var outbox: Outbox { service.outbox ?? .inMemory() }

    /// The requests that change something.
    var sent: [URLRequest] { network.requests.filter { $0.httpMethod != "GET" } }

    func load(_ content: Author = Author(), etag: String = "1") async throws {
        network.answer(.get, "/authors/1", with: content.json(etag))
        try await author.get(.always)
    }

    /// Returns the entries that the next process would find.
    func storedEntries() async throws -> [Outbox.Entry] {
        try await RecordOutboxStore(records, folder: nil).load().entries
    }

    /// Signs "bob" in.
    func signInBob() async throws {
        await session.signOut()
        try await session.signIn("bob", with: Credential("B"))
    }

    /// Makes the store hold its writes, of which the first is a change of another author.
    func holdStore() async throws {
        store.hold()
        let other: TypedResource<Author> = service.resource("/authors/2").typed()
        other.mutate(.patch, body: .encoded(["name": "H"]), durable: true) { $0.name = "H" }
        try await Poll.until { store.waitingCount == 1 }
    }
}

/// A store whose writes wait as long as the test wants.
final class HeldOutboxStore: WrappingOutboxStore {
    private struct State {
        var isHeld = false
        var writes = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    let base: RecordOutboxStore
    private let state = Locked(State())

    init(_ base: RecordOutboxStore) {
        self.base = base
    }

    /// The number of writes that wait.
    var waitingCount: Int { state.withLock { $0.waiting.count } }
    /// The number of writes.
    var writes: Int { state.withLock { $0.writes } }

    func hold() { state.withLock { $0.isHeld = true } }

    func release() {
        let waiting = state.withLock { state in
            state.isHeld = false
            return exchange(&state.waiting, with: [])
        }
        for continuation in waiting { continuation.resume() }
    }

    func apply(_ changes: [OutboxStoreChange]) async throws {
        await withCheckedContinuation { continuation in
            let isHeld = state.withLock { state in
                state.writes += 1
                if state.isHeld { state.waiting.append(continuation) }
                return state.isHeld
            }
            if !isHeld { continuation.resume() }
        }
        try await base.apply(changes)
    }
}
