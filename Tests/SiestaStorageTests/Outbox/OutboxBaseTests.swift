import Foundation
import SiestaCore
import SiestaTesting
import SiestaWriting
import TestKit
import Testing
import Waiting

@testable import SiestaCaches
@testable import SiestaOutboxStorage

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Changes that are made before the data on which they are based has been read from the cache.
@MainActor @Suite(.timeLimit(.test))
struct OutboxBaseTests {
    private let cache = InMemoryCache()
    private let network = StubNetwork()
    private let connection = NetworkStatus()
    private let records = MemoryRecordStore()

    init() {
        cache.entities = [
            "http://api.test/authors/1": Entity<Any>(
                content: Data(#"{"name": "Cached", "stars": 3}"#.utf8), headers: ["ETag": "\"7\""])
        ]
        connection.isConnected = false
    }

    private func start() -> (service: Service, author: TypedResource<Author>) {
        let service = Service(baseURL: "http://api.test", standardTransformers: [], networking: network)
        service.configure { $0.pipeline[.rawData].cacheUsing(cache) }
        service.configure("/authors/*", requestMethods: [.patch]) { $0.precondition = .unchanged }
        service.decode("/authors/*", as: Author.self, requestMethods: [.get])
        service.networkStatus = connection
        service.outbox = Outbox(RecordOutboxStore(records, folder: nil))
        return (service, service.resource("/authors/1").typed())
    }

    @Test(arguments: [true, false])
    func `A change that is made before the cache is read has its edits and its condition`(
        isRestarted: Bool
    ) async throws {
        let release = cache.holdReads()
        var (service, author) = start()
        let first = author.mutate(.patch, body: .encoded(["name": "G"]), durable: true) { $0.name += "!" }
        let second = author.mutate(.patch, body: .encoded(["stars": 4]), durable: true) { $0.stars += 1 }
        await Task.yield()
        #expect(service.outbox?.entries.isEmpty == true)
        for _ in 0..<9 { release() }
        for change in [first, second] { try await change.accepted() }
        #expect(author.content == Author(name: "Cached!", stars: 4))
        let entries = try #require(service.outbox?.entries)
        #expect(entries.map(\.request.precondition.ifMatch) == ["\"7\"", "\"7\""])
        if isRestarted {
            await service.outbox?.close()
            (service, author) = start()
            await service.outbox?.isLoaded()
            try await Poll.until { author.content == Author(name: "Cached!", stars: 4) }
        }
        network.answer(
            .patch, "/authors/1", with: Author(name: "Cached!", stars: 3).json("8"),
            Author(name: "Cached!", stars: 4).json("9"))
        connection.isConnected = true
        await service.outbox?.settled()
        #expect(network.requests.map { $0.value(forHTTPHeaderField: "If-Match") } == ["\"7\"", "\"8\""])
        try await Poll.until { author.resource.pendingChanges.isEmpty }
        #expect(author.content == Author(name: "Cached!", stars: 4))
    }
}
