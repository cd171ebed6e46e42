#if Encryption && SQLite
import CacheTorture
import Foundation
import OutboxTorture
import SiestaCaches
import SiestaCore
import SiestaEncryption
import SiestaOutboxStorage
import SiestaSQLite
import SiestaSessions
import SiestaTesting
import SiestaWriting
import TestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Outboxes in folders and databases, with and without real encryption.
@MainActor @Suite(.timeLimit(.model))
struct EncryptedOutboxTests {
    private let folder: TestFolder
    private let connection = NetworkStatus()

    init() throws {
        folder = try TestFolder()
    }

    enum Store: CaseIterable {
        case folder, sealedFolder, database, sealedDatabase

        var isSealed: Bool { self == .sealedFolder || self == .sealedDatabase }

        func sealing(key: UInt8) throws -> (any EntitySealing)? {
            isSealed ? try AESGCMSealing(key: Data(repeating: key, count: 32)) : nil
        }

        func store(at place: URL, key: UInt8 = 1) throws -> RecordOutboxStore {
            switch self {
            case .folder, .sealedFolder: .files(at: place, sealing: try sealing(key: key))
            case .database, .sealedDatabase: .sqlite(at: place, sealing: try sealing(key: key))
            }
        }

        @MainActor func outbox(at place: URL, key: UInt8 = 1) throws -> Outbox {
            switch self {
            case .folder, .sealedFolder: Outbox(at: place, sealing: try sealing(key: key))
            case .database, .sealedDatabase: .sqlite(at: place, sealing: try sealing(key: key))
            }
        }
    }

    private var place: URL { folder.url.appendingPathComponent("outbox") }

    @Test(arguments: [Store.sealedFolder, .sealedDatabase])
    func `An encrypted store does what stores of outboxes have to do`(store: Store) async throws {
        let violations = try await OutboxStoreConformance.violations(.sealed) { place, key in
            try store.store(at: place, key: key == .own ? 1 : 2)
        }
        #expect(violations.isEmpty)
    }

    // MARK: Apps

    private struct User: Codable, Sendable, Equatable {
        var name = "the-secret-ada"
    }

    /// Starts the app.
    private func start(
        _ store: Store, _ network: StubNetwork, key: UInt8 = 1, _ configure: (Service) -> Void = { _ in }
    ) throws -> Service {
        let service = Service(baseURL: "http://api.test", standardTransformers: [], networking: network)
        service.decode("/users/*", as: User.self, requestMethods: [.get])
        service.networkStatus = connection
        configure(service)
        service.outbox = try store.outbox(at: place, key: key)
        return service
    }

    private func loaded(_ service: Service, _ network: StubNetwork) async throws -> TypedResource<User> {
        network.answer(.get, "/users/1", with: .json(#"{"name": "the-secret-ada"}"#))
        let user: TypedResource<User> = service.resource("/users/1").typed()
        try await user.get(.always)
        return user
    }

    private func changes(_ network: StubNetwork) -> [URLRequest] { network.requests.filter { $0.httpMethod != "GET" } }

    @Test(arguments: Store.allCases)
    func `A change is neither shown nor sent for another principal after a restart`(store: Store) async throws {
        connection.isConnected = false
        let session = UserSession(BearerToken())
        let first = StubNetwork()
        let service = try start(store, first) { $0.authenticate(sharing: session) }
        try await session.signIn("ada", with: Credential("A"))
        let user = try await loaded(service, first)
        try await user.mutate(.patch, body: .encoded(["name": "G"]), durable: true) { $0.name = "G" }.accepted()
        await service.outbox?.close()
        await session.signOut()

        let second = StubNetwork()
        let restarted = try start(store, second) { $0.authenticate(sharing: session) }
        try await session.signIn("bob", with: Credential("B"))
        connection.isConnected = true
        let other = try await loaded(restarted, second)
        await restarted.outbox?.isLoaded()
        await restarted.outbox?.settled()
        #expect(other.content == User())
        #expect(!other.resource.isOptimistic)
        #expect(changes(second).isEmpty)
        #expect(restarted.outbox?.entries.map(\.principal) == ["ada"])

        await session.signOut()
        await restarted.outbox?.settled()
        #expect(changes(second).isEmpty, "nobody is signed in")
        second.answer(.patch, "/users/1", with: .json(#"{"name": "G"}"#))
        try await session.signIn("ada", with: Credential("A2"))
        await restarted.outbox?.settled()
        #expect(changes(second).map { $0.value(forHTTPHeaderField: "Authorization") } == ["Bearer A2"])
        #expect(restarted.outbox?.entries.isEmpty == true)
        await restarted.outbox?.close()
    }

    @Test(arguments: [Store.sealedFolder, .sealedDatabase])
    func `With another key an outbox counts the changes it cannot read, and the first key finds all of them`(
        store: Store
    ) async throws {
        connection.isConnected = false
        let network = StubNetwork()
        let service = try start(store, network)
        let user = try await loaded(service, network)
        let photo = folder.url.appendingPathComponent("photo")
        try Data(repeating: 65, count: 300_000).write(to: photo)
        try await user.mutate(.patch, body: .encoded(["name": "G"]), durable: true) { $0.name = "G" }.accepted()
        try await user.mutate(.put, body: .file(photo, contentType: "image/png"), durable: true).accepted()
        await service.outbox?.close()
        try FileManager.default.removeItem(at: photo)

        connection.isConnected = true
        let second = StubNetwork()
        let wrong = try start(store, second, key: 2)
        await wrong.outbox?.isLoaded()
        await wrong.outbox?.settled()
        #expect(wrong.outbox?.unreadableCount == 2)
        #expect(wrong.outbox?.entries.isEmpty == true)
        #expect(changes(second).isEmpty)
        await wrong.outbox?.close()

        let third = StubNetwork()
        third.answer(.patch, "/users/1", with: .json(#"{"name": "G"}"#))
        third.answer(.put, "/users/1", with: .response(204))
        let right = try start(store, third)
        await right.outbox?.isLoaded()
        #expect(right.outbox?.unreadableCount == 0)
        await right.outbox?.settled()
        #expect(changes(third).map(\.httpMethod) == ["PATCH", "PUT"])
        #expect(changes(third).last?.httpBody == Data(repeating: 65, count: 300_000))
        #expect(right.outbox?.entries.isEmpty == true)
        await right.outbox?.close()
    }

    @Test(arguments: Store.allCases)
    func `A second outbox accepts nothing, and its failure names the place`(store: Store) async throws {
        connection.isConnected = false
        let first = try start(store, StubNetwork())
        await first.outbox?.isLoaded()
        let network = StubNetwork()
        let second = try start(store, network)
        let user = try await loaded(second, network)
        let change = user.mutate(.patch, body: .encoded(["name": "G"]), durable: true) { $0.name = "G" }
        await #expect(throws: (any Error).self) { try await change.accepted() }
        #expect(user.content == User())
        #expect(second.outbox?.failure?.localizedDescription.contains(place.path) == true)
        await first.outbox?.close()
        await second.outbox?.close()
    }

    // MARK: Time

    @Test(arguments: Store.allCases)
    func `Thousands of entries are all there when an outbox is opened`(store: Store) async throws {
        let count = TestLevel.count(1_000, nightly: 10_000)
        let content = Data("{\"name\": \"Grace\", \"text\": \"\(String(repeating: "x", count: 200))\"}".utf8)
        do {
            let filled = try store.store(at: place)
            let entries = (1...count).map { number in
                Outbox.Entry.stored(UInt64(number), scope: "scope \(number % (count * 3 / 10))", body: .bytes(content))
            }
            try await filled.apply(entries.map { .write($0) })
            let start = ContinuousClock.now
            for number in UInt64(1)...50 { try await filled.apply([.write(.stored(number, body: .bytes(content)))]) }
            let time = (ContinuousClock.now - start) / 50
            TestLevel.report("outbox, \(store): a change of \(count) entries takes \(time)")
            await filled.close()
        }
        var shortest = Duration.seconds(60)
        for _ in 0..<5 {
            let start = ContinuousClock.now
            let opened = try store.store(at: place)
            let rules = OutboxRules(try await opened.load().entries)
            let time = ContinuousClock.now - start
            #expect(rules.count == count)
            shortest = min(shortest, time)
            await opened.close()
        }
        TestLevel.report("outbox, \(store): opened \(count) entries in \(shortest)")
    }
}
#endif
