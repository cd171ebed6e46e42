import CacheTorture
import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing
import Waiting

@testable import SiestaCaches

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The operations of a service on all of its caches.
@MainActor @Suite(.timeLimit(.test))
struct ServiceCachesTests {
    private let clock = TestClock()
    private let network = StubNetwork()
    private let store = RecordingStore()
    private let service: Service
    private let cache: PersistentCache

    init() {
        let network = network
        cache = PersistentCache(store)
        service = clock.whileCurrent { Service(baseURL: "http://cache.test", networking: network) }
    }

    private func fill(_ count: Int) async throws {
        let cache = cache
        service.configure { $0.pipeline[.rawData].cacheUsing(cache) }
        network.handler = { .text($0.url?.lastPathComponent ?? "") }
        for number in 0..<count {
            let resource = service.resource("/\(number)")
            await resource.load().completion()
            await resource.cacheIsRead()
        }
        network.handler = nil
        try await cache.storage.flush()
        try await Poll.until {
            service.flushUnusedResources()
            return service.context.resources.isEmpty
        }
    }

    private func urls(_ range: Range<Int>) -> [String] { range.map { "http://cache.test/\($0)" } }

    @Test func `All caches are listed, each place once, also of rules that nothing has matched`() {
        let (cache, other) = (cache, PersistentCache(MemoryRecordStore()))
        service.configure("/never/matched") { $0.pipeline[.rawData].cacheUsing(cache) }
        service.configure { configuration in
            configuration.pipeline[.rawData].cacheUsing(other)
            configuration.pipeline[.model].cacheUsing(cache.of([Int].self))
            configuration.pipeline[.cleanup].cacheUsing(InMemoryCache())
        }
        #expect(service.caches.map(\.name) == ["recording", "in memory"])
        #expect(service.caches.first === cache.storage)
    }

    @Test func `A cache is listed though another rule leaves its stage out`() {
        let cache = cache
        service.configure("/a") { $0.pipeline.order = [.parsing, .model] }
        service.configure("/b") { $0.pipeline[.rawData].cacheUsing(cache) }
        #expect(service.caches.map(\.name) == ["recording"])
    }

    @Test func `Many resources are warmed by one read`() async throws {
        try await fill(300)
        let reads = store.journal.entries("read").count
        let resources = (0..<400).map { service.resource("/\($0)") }
        #expect(await service.warm(resources) == 300)
        #expect(store.journal.entries("read").dropFirst(reads) == ["read 400"])
        #expect(resources[299].text == "299")
        #expect(resources[300].latestData == nil)
        #expect(network.requests.count == 300)
        #expect(await service.warm(resources) == 300)
        #expect(store.journal.entries("read").count == reads + 1)
    }

    @Test func `Resources are warmed by their URLs, and stay although nobody holds them`() async throws {
        try await fill(10)
        #expect(await service.warm(urls: urls(5..<15) + [""]) == 5)
        #expect(service.resource("/7").text == "7")
        #expect(service.resource("/7").isUpToDate)
    }

    @Test func `Warming without caches ends at once`() async {
        #expect(await service.warm(urls: urls(0..<10)) == 0)
        #expect(await service.warm(urls: []) == 0)
    }

    @Test func `A wipe that includes caches removes what is not in memory, and writes under way`() async throws {
        try await fill(20)
        store.hold()
        network.answer(.get, "/new", with: .text("new"))
        await service.resource("/new").load().completion()
        await store.journal.wait(for: "held 1")
        service.wipeResources(includingCaches: true)
        #expect(await service.warm(urls: urls(0..<20) + ["http://cache.test/new"]) == 0)
        store.release()
        try await cache.storage.flush()
        #expect(try await store.allKeys().isEmpty)
    }

    @Test func `A plain wipe leaves what is stored`() async throws {
        try await fill(5)
        service.wipeResources()
        #expect(await service.warm(urls: urls(0..<5)) == 5)
    }
}
