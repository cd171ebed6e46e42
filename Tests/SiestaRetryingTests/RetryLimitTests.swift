import Foundation
import SiestaCore
import SiestaRetrying
import SiestaTesting
import TestDoubles
import TestKit
import Testing
import Waiting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The limits of retries, and the responses that ask to wait.
@MainActor @Suite(.timeLimit(.test))
struct RetryLimitTests {
    @Test func `Requests that are not sent again take nothing from the budget`() async {
        let trying = TryingService()
        trying.network.handler = { _ in .response(503) }
        for index in 0..<30 { _ = trying.service.resource("/p\(index)").request(.post) }
        await trying.settle()
        #expect(trying.sentCount == 30)
        for index in 0..<10 { trying.service.resource("/g\(index)").load() }
        await trying.pass(0.6)
        #expect(trying.sentCount == 30 + 20)
    }

    @Test(arguments: [1e6, -1e6])
    func `The time limit of a policy ignores changes of the wall clock`(_ jump: TimeInterval) async {
        let trying = TryingService {
            $0.retry.timeLimit = 2
            $0.retry.retryLimit = 100
        }
        trying.network.handler = { _ in .response(503) }
        let load = trying.resource.load()
        trying.clock.setWallTime(trying.clock.wallTime + jump)
        await trying.pass(1.9)
        #expect(!load.isCompleted || trying.sentCount == 3)
        await trying.pass(2)
        #expect(load.isCompleted)
        #expect(trying.sentCount == 3)
    }

    @Test func `Changes of the wall clock move no wait`() async {
        let trying = TryingService { $0.retry = .standard }
        trying.network.answer(
            .get, "/thing", with: .response(503, headers: ["Retry-After": "7"]),
            .response(503, headers: ["Retry-After": "300"]))
        trying.resource.load()
        await trying.settle()
        trying.clock.setWallTime(trying.clock.wallTime + 1e6)
        await trying.pass(6.9)
        #expect(trying.sentCount == 1)
        await trying.pass(0.2)
        #expect(trying.sentCount == 2)
        #expect(trying.resource.latestError?.retryAfter == 300)
        trying.clock.setWallTime(trying.clock.wallTime - 2e6)
        trying.clock.advance(by: 299)
        #expect(trying.resource.loadIfNeeded() == nil)
        trying.clock.advance(by: 2)
        #expect(trying.resource.loadIfNeeded() != nil)
    }

    @Test(arguments: [(429, true), (503, true), (500, false), (408, false), (301, false), (200, false)])
    func `Only 429 and 503 with Retry-After hold other requests`(_ status: Int, _ holds: Bool) async throws {
        let trying = TryingService { $0.pacing = .standard }
        trying.network.handler = {
            $0.url?.path == "/busy" ? .response(status, headers: ["Retry-After": "5"]) : .text("a")
        }
        _ = try await trying.completion(of: trying.service.resource("/busy").load())
        let load = trying.resource.load()
        await trying.settle()
        #expect(load.isCompleted == !holds)
        await trying.pass(5.1)
        #expect(load.isCompleted)
    }

    @Test func `Loads with which an observer answers refusals are not nested`() async throws {
        let trying = TryingService { $0.pacing = .standard }
        trying.network.handler = { _ in .response(503, headers: ["Retry-After": "600"]) }
        _ = try await trying.completion(of: trying.service.resource("/one").load())
        let screen = NSObject()
        var (depth, greatestDepth, count) = (0, 0, 0)
        trying.resource.addObserver(owner: screen) { resource, event in
            depth += 1
            greatestDepth = max(greatestDepth, depth)
            if event == .error, count < 20 {
                count += 1
                resource.load()
            }
            depth -= 1
        }
        trying.resource.load()
        #expect(count == 0)  // Otherwise, an app that always loads again would block the main queue.
        try await Poll.until { count == 20 }
        #expect(greatestDepth <= 2)
        #expect(trying.sentCount == 1)
    }

    @Test func `Retry-After of a success means nothing, even if its content cannot be used`() async throws {
        struct Unusable: Error {}
        let trying = TryingService()
        trying.service.configureTransformer("/thing") { (_: Entity<Data>) throws -> String in throw Unusable() }
        trying.network.handler = { _ in .text("a", headers: ["Retry-After": "600"]) }
        let load = trying.resource.load()
        try await Poll.until { load.isCompleted }  // The transformer runs on another queue.
        let info = await load.completion()
        #expect(info.failure?.cause is Unusable)
        trying.clock.advance(by: 5)
        #expect(trying.resource.loadIfNeeded() != nil)
    }

    @Test func `The progress of a request does not go back when it is sent again`() async {
        let trying = TryingService()
        trying.network.handler = { _ in .held }
        let load = trying.resource.load()
        trying.network.exchanges[0].transferMetrics = RequestTransferMetrics(
            requestBytesSent: 0, requestBytesTotal: nil, responseBytesReceived: 80, responseBytesTotal: 100)
        let progress = load.progress
        #expect(progress > 0.5)
        trying.network.exchanges[0].respond(with: .response(503))
        await trying.settle()
        #expect(load.progress >= progress)
        await trying.pass(0.6)
        #expect(trying.sentCount == 2)
        #expect(load.progress >= progress)
        #expect(load.progress < 1)
        load.cancel()
    }

    @Test func `No retry begins after the time limit, however many requests of the resource are repeated`() async {
        let trying = TryingService {
            $0.retry = .standard
            $0.retry.timeLimit = 0.3
        }
        trying.clock.jitter = 0
        trying.network.handler = { _ in .response(503) }
        let loads = (0..<8).map { _ in trying.resource.load() }
        await trying.pass(0.35, step: 0.01)
        let count = trying.sentCount
        await trying.pass(3)
        #expect(trying.sentCount == count)
        for load in loads { #expect(load.isCompleted) }
    }

    @Test func `A retry that waits for its turn does not begin after the time limit`() async throws {
        let trying = TryingService {
            ($0.retry, $0.pacing) = (.standard, Pacing(concurrentRequests: 1))
            $0.retry.timeLimit = 2
        }
        trying.network.handler = { _ in .held }
        let load = trying.resource.load()
        trying.service.resource("/second").load()
        trying.network.exchanges[0].respond(with: .response(503))
        await trying.settle()
        try #require(trying.sentCount == 2)
        await trying.pass(2.2)
        #expect(load.isCompleted)
        #expect(trying.resource.latestError?.httpStatusCode == 503)
        trying.network.exchanges[1].respond(with: .text("b"))
        await trying.settle()
        #expect(trying.sentCount == 2)
    }
}
