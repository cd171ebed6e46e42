import Dispatch
import Foundation
import Isolation
import SiestaCaches
import SiestaCore
import SiestaRetrying
import SiestaTesting
import SiestaTransfers
import TestDoubles
import TestKit
import Testing

/// Waiting until a service has nothing to do.
@MainActor @Suite(.timeLimit(.test))
struct SettledTests {
    private let clock = TestClock()
    private let stub = StubNetwork()
    private let service: Service

    init() {
        let (stub, clock) = (stub, clock)
        service = clock.whileCurrent { Service(baseURL: "http://settled.test", networking: stub) }
        stub.handler = { _ in .json("{\"a\": 1}") }
    }

    @Test func `An idle service has settled`() async throws {
        try await service.settled()
        try await service.settled(includingTimers: true)
    }

    @Test func `Loads, the loads of their hooks, and hooks of completed requests are over`() async throws {
        var log: [String] = []
        let first = service.resource("/1").load()
        first.onSuccess { _ in
            service.resource("/2").load().onSuccess { _ in
                log.append("second")
                first.onCompletion { _ in log.append("late") }
            }
        }
        try await service.settled()
        #expect(log == ["second", "late"])
        #expect(service.resource("/2").latestData != nil)
    }

    @Test func `A held response is named in the error`() async throws {
        stub.handler = { _ in .held }
        service.resource("/slow").withParam("key", "secret").load()
        let error = await #expect(throws: TimeLimitExceeded.self) {
            try await service.settled(timeLimit: .milliseconds(20))
        }
        let text = try #require(error?.description)
        #expect(text.hasPrefix("Waited 0.02 seconds for a service to settle: GET http://settled.test/slow"))
        #expect(!text.contains("secret"))
        stub.lastExchange?.respond(with: .json("{}"))
        try await service.settled()
    }

    @Test func `A request that waits for its next attempt is settled, unless timers count`() async throws {
        service.configure { $0.retry = .standard }
        stub.handler = { _ in .failure(.networkConnectionLost) }
        let resource = service.resource("/x")
        resource.load()
        try await service.settled()
        #expect(resource.isLoading)
        #expect(resource.retry != nil)
        let error = await #expect(throws: TimeLimitExceeded.self) {
            try await service.settled(includingTimers: true, timeLimit: .milliseconds(20))
        }
        #expect(error?.description.contains("GET http://settled.test/x waits for a timer") == true)
        try await clock.advanceUntilSettled(service)
        #expect(!resource.isLoading)
        #expect(stub.requests.count == 4)
    }

    @Test func `Chains count as the request for which they wait`() async throws {
        service.configure { $0.retry = .standard }
        stub.handler = { _ in .failure(.networkConnectionLost) }
        let resource = service.resource("/x")
        let chain = resource.request(.get).chained { _ in .useThisResponse }
        resource.load(using: chain)
        try await service.settled()
        #expect(resource.isLoading)
        for request in resource.allRequests { request.cancel() }
    }

    @Test func `The clock does not advance beyond its limit`() async throws {
        service.configure { $0.retry = .standard }
        stub.handler = { _ in .failure(.networkConnectionLost) }
        let start = clock.wallTime
        service.resource("/x").load()
        await #expect(throws: TimeLimitExceeded.self) { try await clock.advanceUntilSettled(service, limit: 0.01) }
        #expect(clock.wallTime - start <= 0.01)
        try await clock.advance(by: 100, settling: service)
        #expect(clock.wallTime - start == 100)
        #expect(!service.resource("/x").isLoading)
    }

    @Test func `Hooks that add hooks to completed requests are over`() async throws {
        let request = service.resource("/x").load()
        try await service.settled()
        var log: [String] = []
        request.onCompletion { _ in
            request.onCompletion { _ in
                request.onCompletion { _ in log.append("third") }
            }
        }
        try await service.settled()
        #expect(log == ["third"])
    }

    /// Returns the error of a wait that ends before the service has settled.
    private func unfinished() async throws -> String {
        let error = await #expect(throws: TimeLimitExceeded.self) {
            try await service.settled(timeLimit: .milliseconds(20))
        }
        return try #require(error).description
    }

    @Test func `Reads and writes of the app's caches are over`() async throws {
        let cache = SlowCache()
        service.configure { $0.pipeline[.model].cacheUsing(cache) }
        cache.queue.suspend()
        let resource = service.resource("/x")
        _ = resource.latestData
        #expect(try await unfinished().contains("are read"))
        cache.queue.resume()
        try await service.settled()
        resource.load()
        await resource.loadRequests.first?.completion()
        cache.queue.suspend()
        resource.load()
        await resource.loadRequests.first?.completion()
        #expect(try await unfinished().contains("are written"))
        cache.queue.resume()
        try await service.settled()
        #expect(cache.writes.withLock { $0 } == 2)
    }

    @Test func `Persistent caches are flushed`() async throws {
        let store = FlushedStore()
        service.configure { $0.pipeline[.rawData].cacheUsing(PersistentCache(store)) }
        service.resource("/x").load()
        try await service.settled()
        #expect(store.flushes.withLock { $0 } > 0)
    }

    @Test func `A cancelled wait throws CancellationError`() async throws {
        stub.handler = { _ in .held }
        service.resource("/slow").load()
        let task = Task { try await service.settled() }
        await mainQueueTurn()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `Timers with the delay 0 that never end are an error`() async throws {
        func again() { clock.clock.schedule(after: 0) { again() } }
        again()
        let end = await #expect(throws: TimeLimitExceeded.self) { try await clock.advance(by: 1, settling: service) }
        #expect(end?.description.hasPrefix("The clock does not advance: 1002 timers were due") == true)
        stub.handler = { _ in .failure(URLError(.timedOut)) }
        service.configure { $0.retry = .standard }
        service.resource("/a").load()
        await #expect(throws: TimeLimitExceeded.self) { try await clock.advanceUntilSettled(service) }
    }

    @Test func `The recorded time of a replay is a timer`() async throws {
        let entry = HARArchive.Entry(
            request: .init(method: "GET", url: "http://settled.test/a"), response: .init(status: 200), time: 10)
        let replay = HARReplay(HARArchive(entries: [entry]), timing: .recorded)
        let service = clock.whileCurrent { Service(baseURL: "http://settled.test", networking: replay) }
        let request = service.resource("/a").load()
        try await service.settled()
        #expect(!request.isCompleted)
        try await clock.advanceUntilSettled(service)
        #expect(request.isCompleted)
        #expect(service.resource("/a").latestError == nil)
    }

    @Test func `A download that waits for another one to the same file only waits`() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("file")
        var isFirst = true
        stub.handler = { _ in
            defer { isFirst = false }
            return isFirst ? .response(503) : .text("a")
        }
        service.configure { $0.retry = .standard }
        let downloads = (1...2).map { service.resource("/\($0)").download(to: file) }
        try await service.settled(timeLimit: .seconds(5))
        try await clock.advanceUntilSettled(service)
        for download in downloads { #expect(await download.completion().failure == nil) }
    }
}

/// A cache on a queue that a test can stop.
private final class SlowCache: EntityCache {
    let queue = DispatchQueue(label: "SettledTests")
    let writes = Locked(0)
    var workQueue: DispatchQueue { queue }

    func key(for resource: Resource) -> String? { resource.url.path }
    func readEntity(forKey key: String) -> Entity<Any>? { nil }
    func writeEntity(_ entity: Entity<Any>, forKey key: String) { writes.withLock { $0 += 1 } }
    func removeEntity(forKey key: String) {}
}

/// A store that counts its flushes.
private final class FlushedStore: RecordStore {
    let flushes = Locked(0)
    private let memory = MemoryRecordStore()

    var name: String { "flushed" }
    func read(_ keys: [RecordKey]) async throws -> [RecordKey: Data] { try await memory.read(keys) }
    func apply(_ changes: [RecordChange]) async throws { try await memory.apply(changes) }
    func flush() async throws { flushes.withLock { $0 += 1 } }
    func usage() async throws -> RecordUsage { try await memory.usage() }
    func allKeys() async throws -> [RecordKey] { try await memory.allKeys() }
    func compact() async throws {}
}
