import Foundation
import SiestaCaches
import SiestaCore
import SiestaLists
import SiestaSessions
import SiestaTesting
import TestKit
import Testing

/// Lists in pages, persistent caches, and users.
@MainActor @Suite(.timeLimit(.test))
struct PagedResourceCachesTests {
    private let cache = PersistentCache(MemoryRecordStore())
    private let network = StubNetwork()

    private func service() -> Service {
        let service = Service(baseURL: "https://api.test", standardTransformers: [.text], networking: network)
        service.configure { [cache] in $0.pipeline[.rawData].cacheUsing(cache) }
        return service
    }

    private func list(_ service: Service) -> PagedResource<Int> {
        PagedResource(
            service.resource("/rows", as: String.self), items: { $0.split(separator: ",").compactMap { Int($0) } },
            id: { $0 }, next: .link)
    }

    private func answerPages() {
        network.answer(.get, "/rows", with: .text("1,2", headers: ["Link": "<?page=2>; rel=next", "ETag": "\"1\""]))
        network.answer(.get, "/rows?page=2", with: .text("3,4", headers: ["Link": "<?page=3>; rel=next"]))
        network.answer(.get, "/rows?page=3", with: .text("5,6"))
    }

    @Test func `A list starts from the caches without the network`() async throws {
        answerPages()
        let old = list(service())
        for _ in 0..<2 { try await old.loadNext() }
        try await cache.storage.flush()
        let new = list(service())
        await new.loadCachedPages()
        #expect(new.items == [1, 2, 3, 4])
        #expect(new.hasNext)
        #expect(!new.isLoading)
        #expect(network.requests.count == 2)
        try await new.loadNext()
        #expect(new.items == [1, 2, 3, 4, 5, 6])
        #expect(network.requests.count == 3)
        let short = list(service())
        await short.loadCachedPages(upTo: 1)
        #expect(short.items == [1, 2])
    }

    @Test func `Empty caches leave the list empty`() async throws {
        answerPages()
        let list = list(service())
        await list.loadCachedPages()
        #expect(list.items.isEmpty)
        #expect(network.requests.isEmpty)
        #expect(!list.isLoading)
        #expect(list.hasNext)
        try await list.loadNext()
        #expect(list.items == [1, 2])
    }

    @Test func `A sign-out empties the list, and the next user does not see the pages`() async throws {
        answerPages()
        let service = service()
        service.authenticate(with: BearerToken())
        try await service.signIn("ada", with: Credential("a"))
        let list = list(service)
        for _ in 0..<2 { try await list.loadNext() }
        #expect(list.items == [1, 2, 3, 4])
        network.answer(.get, "/rows?page=3", with: .held)
        let late = Task { try? await list.loadNext() }
        let exchange = try await network.exchange(3)
        await service.signOut()
        #expect(list.items.isEmpty)
        #expect(list.pages.count == 1)
        exchange.respond(with: .text("5,6"))
        await late.value
        try await service.signIn("bob", with: Credential("b"))
        await list.loadCachedPages()
        #expect(list.items.isEmpty)
        #expect(list.pages.count == 1)
        #expect(!list.isLoadingNext)
        network.answer(.get, "/rows", with: .text("7"))
        try await list.loadNext()
        #expect(list.items == [7])
    }
}
