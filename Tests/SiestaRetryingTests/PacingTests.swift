import Foundation
import LoopbackServer
import SiestaCore
import SiestaRetrying
import SiestaTesting
import SiestaTransfers
import TestDoubles
import TestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Requests that wait for their turn.
@MainActor @Suite(.timeLimit(.test))
struct PacingTests {
    private func load(_ trying: TryingService, _ count: Int) -> [any Request] {
        (0..<count).map { trying.service.resource("/r\($0)").load() }
    }

    @Test func `At most two requests run at a time, in the order in which they were made`() async throws {
        let trying = TryingService { $0.pacing = Pacing(concurrentRequests: 2) }
        trying.network.handler = { _ in .held }
        let loads = load(trying, 5)
        #expect(trying.sentCount == 2)
        #expect(trying.service.resource("/r4").retry?.reason == .concurrency)
        #expect(trying.service.resource("/r4").retry?.number == 0)
        trying.network.exchanges[1].respond(with: .text("b"))
        await trying.settle()
        #expect(trying.sentCount == 3)
        #expect(loads[1].isCompleted)
        loads[3].cancel()
        loads[0].cancel()
        await trying.settle()
        #expect(trying.sentCount == 4)
        #expect(trying.network.requests.map { $0.url?.lastPathComponent } == ["r0", "r1", "r2", "r4"])
        #expect(trying.service.resource("/r4").retry == nil)
    }

    @Test func `A rate spreads requests`() async {
        let trying = TryingService { $0.pacing = Pacing(requestsPerSecond: 4) }
        trying.network.handler = { _ in .text("a") }
        let loads = load(trying, 9)
        await trying.pass(1.05)
        #expect(trying.sentCount == 5)
        #expect(trying.service.resource("/r8").retry?.reason == .rate)
        await trying.pass(1.05)
        #expect(trying.sentCount == 9)
        #expect(loads.allSatisfy { $0.isCompleted })
    }

    @Test func `Urgent requests go first`() async {
        let trying = TryingService { $0.pacing = Pacing(requestsPerSecond: 1) }
        trying.service.configure("/urgent") { $0.priority = .high }
        trying.service.configure("/idle") { $0.priority = .low }
        trying.network.handler = { _ in .text("a") }
        for path in ["/first", "/idle", "/thing", "/urgent"] { trying.service.resource(path).load() }
        await trying.pass(3.1)
        let order = trying.network.requests.map { $0.url?.lastPathComponent }
        #expect(order == ["first", "urgent", "thing", "idle"])
    }

    @Test func `A server's Retry-After holds all requests to it, and no others`() async throws {
        let trying = TryingService { $0.pacing = .standard }
        trying.network.handler = {
            $0.url?.path == "/busy" ? .response(429, headers: ["Retry-After": "5"]) : .text("a")
        }
        _ = try await trying.completion(of: trying.service.resource("/busy").load())
        let load = trying.resource.load()
        let other = trying.service.resource(absoluteURL: "https://other.test/thing").load()
        await trying.settle()
        #expect(!load.isCompleted)
        #expect(other.isCompleted)
        #expect(trying.resource.retry?.reason == .server)
        #expect(trying.resource.retry?.date?.timeIntervalSinceReferenceDate == trying.clock.wallTime + 5)
        await trying.pass(5.05)
        #expect(load.isCompleted)
        #expect(trying.resource.latestError == nil)
    }

    @Test(arguments: [
        ["RateLimit": "\"default\";r=0;t=5"], ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "5"],
    ])
    func `A used quota holds requests even after a success`(_ headers: [String: String]) async throws {
        let trying = TryingService { $0.pacing = .standard }
        trying.network.handler = { _ in .response(200, headers: headers) }
        _ = try await trying.completion(of: trying.service.resource("/one").load())
        let load = trying.resource.load()
        await trying.pass(4.9)
        #expect(!load.isCompleted)
        #expect(trying.sentCount == 1)
        await trying.pass(0.2)
        #expect(load.isCompleted)
        #expect(trying.sentCount == 2)
    }

    @Test func `If the server asks for too much time, requests fail at once with that time`() async throws {
        let trying = TryingService { $0.pacing = .standard }
        trying.network.handler = { _ in .response(503, headers: ["Retry-After": "600"]) }
        _ = try await trying.completion(of: trying.service.resource("/one").load())
        let info = try await trying.completion(of: trying.resource.load())
        #expect(info.failure?.code == .serverUnavailable)
        #expect(info.failure?.retryAfter == 600)
        #expect(trying.sentCount == 1)
        #expect(trying.resource.loadIfNeeded() == nil)
        #expect(info.failure?.requestURL == trying.resource.url)
    }

    @Test func `After the await of a refused load, the resource has its error`() async throws {
        let trying = TryingService { $0.pacing = .standard }
        trying.network.handler = { _ in .response(503, headers: ["Retry-After": "600"]) }
        _ = try await trying.completion(of: trying.service.resource("/one").load())
        let resource = trying.resource
        let load = resource.load()
        let waiter = Task {
            do { _ = try await load.value } catch {
                return !resource.isLoading && resource.latestError?.retryAfter == 600 && resource.loadIfNeeded() == nil
            }
            return false
        }
        defer { waiter.cancel() }
        _ = try await trying.completion(of: load)
        #expect(await waiter.value)
    }

    @Test func `An app that answers each refusal with a new load does not block the main queue`() async throws {
        let trying = TryingService { $0.pacing = .standard }
        trying.network.handler = { _ in .response(503, headers: ["Retry-After": "600"]) }
        _ = try await trying.completion(of: trying.service.resource("/one").load())
        let resource = trying.resource
        var count = 0
        @MainActor func loadAgain() {
            count += 1
            if count < 100_000 { resource.load().onFailure { _ in loadAgain() } }
        }
        loadAgain()
        await trying.settle()
        #expect(count < 100_000)
        count = 100_000
        await trying.settle()
    }

    @Test func `The quota of the next user is another one`() async throws {
        let trying = TryingService { $0.pacing = .standard }
        trying.network.handler = { _ in
            .response(403, headers: ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "30"])
        }
        let info = try await trying.completion(of: trying.resource.load())
        #expect(info.failure?.retryAfter == 30)
        trying.network.handler = { _ in .text("a") }
        let load = trying.resource.load()
        await trying.settle()
        #expect(!load.isCompleted)
        #expect(trying.sentCount == 1)
        trying.service.wipeResources(includingCaches: true)
        _ = try await trying.completion(of: trying.resource.load())
        #expect(trying.sentCount == 2)
    }

    @Test func `A circuit breaker fails fast, and a probe closes it`() async throws {
        let trying = TryingService {
            $0.pacing = .standard
            $0.pacing.failureLimit = 3
            $0.pacing.failurePause = 10
        }
        trying.network.handler = { _ in .response(500) }
        for _ in 0..<5 { _ = try await trying.completion(of: trying.resource.load()) }
        #expect(trying.sentCount == 3)
        #expect(trying.resource.latestError?.code == .serverUnavailable)
        await trying.pass(10.05)
        trying.network.handler = { _ in .text("a") }
        _ = try await trying.completion(of: trying.resource.load())
        _ = try await trying.completion(of: trying.resource.load())
        #expect(trying.sentCount == 5)
        #expect(trying.resource.latestError == nil)
    }

    @Test func `A retry waits for its turn, too`() async throws {
        let trying = TryingService {
            $0.retry = .standard
            $0.pacing = Pacing(concurrentRequests: 1)
        }
        trying.network.handler = { _ in .held }
        let first = trying.resource.load()
        let second = trying.service.resource("/second").load()
        trying.network.exchanges[0].respond(with: .response(503))
        await trying.settle()
        try #require(trying.sentCount == 2)
        await trying.pass(2)
        #expect(trying.sentCount == 2)
        #expect(trying.resource.retry?.reason == .concurrency)
        trying.network.exchanges[1].respond(with: .text("b"))
        await trying.settle()
        try #require(trying.sentCount == 3 && second.isCompleted && !first.isCompleted)
        trying.network.exchanges[2].respond(with: .text("a"))
        #expect(try await trying.completion(of: first).metrics?.attempts == 2)
    }

    @Test func `A request that is started while another is sent keeps its place`() async {
        let trying = TryingService { $0.pacing = Pacing(concurrentRequests: 2) }
        let service = trying.service
        var isNested = false
        trying.network.handler = { _ in
            if !isNested {
                isNested = true
                service.resource("/nested").load()
            }
            return .text("a")
        }
        let loads = load(trying, 4)
        await trying.pass(1)
        #expect(trying.sentCount == 5)
        #expect(loads.allSatisfy { $0.isCompleted })
    }

    @Test func `A cancelled request no longer holds back others`() async {
        let trying = TryingService { $0.pacing = Pacing(requestsPerSecond: 10) }
        trying.service.configure("/slow") { $0.pacing = Pacing(requestsPerSecond: 0.001) }
        trying.network.handler = { _ in .text("a") }
        trying.service.resource("/first").load()
        let slow = trying.service.resource("/slow").load()
        trying.service.resource("/third").load()
        await trying.pass(1)
        #expect(trying.sentCount == 1)
        slow.cancel()
        await trying.pass(1)
        #expect(trying.sentCount == 2)
    }

    @Test func `An observer learns of a wait once, however many requests follow`() async {
        for pacing in [Pacing(concurrentRequests: 1), Pacing(requestsPerSecond: 0.3)] {
            let trying = TryingService { $0.pacing = pacing }
            trying.network.handler = { _ in .held }
            trying.service.resource("/first").load()
            let counter = RetryCounter()
            trying.resource.addObserver(counter)
            trying.resource.load()
            for index in 0..<100 {
                trying.service.resource("/r\(index)").load()
                trying.clock.advance(by: 0.001)
            }
            #expect(counter.count == 1)
        }
    }

    @Test func `Very many requests of one resource may wait`() {
        let growth = Growth(of: TestLevel.count(150, nightly: 500)) {
            $0
        } _: { count in
            let trying = TryingService { $0.pacing = Pacing(concurrentRequests: 1) }
            trying.network.handler = { _ in .held }
            let requests = (0..<count).map { _ in trying.resource.request(.post) }
            for request in requests { request.cancel() }
            #expect(trying.resource.retry == nil)
        }
        #expect(growth.isBounded, "\(growth)")
    }

    @Test func `A rate beyond the precision of the clock does not block it`() async {
        let trying = TryingService { $0.pacing = Pacing(requestsPerSecond: 1e30) }
        trying.network.handler = { _ in .text("a") }
        _ = load(trying, 3)
        await trying.pass(1)
        #expect(trying.sentCount == 3)
    }

    @Test func `A download that is stopped while it waits for its turn takes no place`() async throws {
        let folder = try TemporaryFolder()
        let trying = TryingService { $0.pacing = Pacing(concurrentRequests: 1) }
        trying.service.configure("/file") { $0.timeLimit = 5 }
        trying.network.handler = { _ in .held }
        let first = trying.service.resource("/first").load()
        let download = trying.service.resource("/file").download(to: folder.url.appendingPathComponent("file"))
        try await trying.clock.waitForTimers(1)
        trying.clock.advance(by: 5)
        first.cancel()  // Its place becomes free while the file of the download is being closed.
        await download.completion()
        trying.service.resource("/next").load()
        await trying.settle()
        #expect(trying.network.requests.map { $0.url?.lastPathComponent } == ["first", "next"])
    }

    @Test func `What another origin asks for after a redirect holds no requests to the first`() async throws {
        let other = try LoopbackServer { try $0.respond(503, headers: ["Retry-After: 600"]) }
        let target = other.url("/elsewhere").absoluteString
        let server = try LoopbackServer { exchange in
            guard exchange.request.target == "/moved" else { return try exchange.respond(text: "here") }
            try exchange.respond(302, headers: ["Location: \(target)"])
        }
        let service = Service(baseURL: server.url(), standardTransformers: [])
        service.configure {
            $0.pacing = .standard
            $0.pacing.failureLimit = 1
        }
        #expect(await service.resource("/moved").load().completion().failure?.httpStatusCode == 503)
        #expect(await service.resource("/here").load().completion().failure == nil)
        #expect(server.requests.count == 2)
    }

    @Test func `A redirect to a server that is down is no failure of the first one`() async throws {
        let nobody = try Socket.refusing()
        let target = "http://127.0.0.1:\(try nobody.port)/"
        let server = try LoopbackServer { exchange in
            guard exchange.request.target == "/moved" else { return try exchange.respond(text: "here") }
            try exchange.respond(302, headers: ["Location: \(target)"])
        }
        let service = Service(baseURL: server.url(), standardTransformers: [])
        service.networkStatus = NetworkStatus()
        service.configure { $0.pacing.failureLimit = 1 }
        #expect(await service.resource("/moved").load().completion().failure != nil)
        #expect(await service.resource("/here").load().completion().failure == nil)
        #expect(server.requests.count == 2)
    }

    @Test(arguments: [true, false])
    func `A used quota in the head of a download or a stream counts from its head`(_ isDownload: Bool) async throws {
        let folder = try TemporaryFolder()
        let trying = TryingService { $0.pacing = .standard }
        trying.network.handler = {
            $0.url?.path == "/long" ? .stream(headers: ["RateLimit": "\"default\";r=0;t=5"]) : .text("a")
        }
        let long = trying.service.resource("/long")
        let reading = long.reading(into: isDownload ? folder.url.appendingPathComponent("file") : nil)
        let exchange = try await trying.network.exchange(1)
        exchange.send("a")
        try await exchange.delivered()
        await trying.settle()
        let load = trying.resource.load()
        await trying.pass(4.9)
        #expect(!load.isCompleted)
        await trying.pass(0.2)
        #expect(load.isCompleted)
        exchange.finish()
        _ = await reading.result
        let next = trying.resource.load()
        await trying.settle()
        #expect(next.isCompleted)
    }
}

@MainActor
private final class RetryCounter: ResourceObserver {
    var count = 0

    func resourceChanged(_ resource: Resource, event: ResourceEvent) {}

    func resourceRetryChanged(_ resource: Resource, retry: Resource.Retry?) {
        count += 1
    }
}
