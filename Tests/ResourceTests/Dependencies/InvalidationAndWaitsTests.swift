import Foundation
import SiestaCore
import SiestaRetrying
import SiestaTesting
import TestDoubles
import TestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Invalidations, polls and waits for the network.
@MainActor @Suite(.timeLimit(.test))
struct InvalidationAndWaitsTests {
    private let recorder = ObserverRecorder()

    /// Returns a service in which each write makes each resource stale.
    private func trying(_ configure: @escaping (inout Configuration) -> Void) -> TryingService {
        let trying = TryingService {
            $0.tags = ["t"]
            $0.expirationTime = 1000
            configure(&$0)
        }
        trying.service.configure("**", requestMethods: [.put]) { $0.invalidates = ["t"] }
        let status = trying.status
        trying.network.handler = { _ in status.isConnected ? .text("a") : .failure(.cannotConnectToHost) }
        return trying
    }

    // MARK: Polls

    @Test func `An invalidation of a polled resource loads it at once, and its interval begins anew`() async {
        let trying = trying { _ in }
        trying.resource.addObserver(recorder).poll(every: 10, owner: recorder)
        await trying.pass(6)
        #expect(trying.sentCount == 1)
        trying.service.invalidate(tagged: "t")
        #expect(trying.sentCount == 2)
        await trying.pass(9.9)
        #expect(trying.sentCount == 2)
        #expect(trying.resource.isUpToDate)
        await trying.pass(0.2)
        #expect(trying.sentCount == 3)
        trying.resource.stopPolling(owner: recorder)
    }

    @Test func `The load of a poll that began before the invalidation does not end it`() async throws {
        let trying = trying { _ in }
        trying.network.handler = { _ in .held }
        trying.resource.addObserver(recorder).poll(every: 10, owner: recorder)
        trying.service.invalidate(tagged: "t")
        #expect(trying.sentCount == 2)
        trying.network.exchanges[0].respond(with: .text("old"))
        await trying.settle()
        #expect(trying.resource.isStale)
        #expect(trying.resource.isLoading)
        trying.network.exchanges[1].respond(with: .text("new"))
        await trying.settle()
        #expect(trying.resource.isUpToDate)
        #expect(trying.sentCount == 2)
        await trying.pass(9.9)
        #expect(trying.sentCount == 2)
        await trying.pass(0.2)
        #expect(trying.sentCount == 3)
        trying.resource.stopPolling(owner: recorder)
    }

    @Test func `A polled resource without observers becomes stale, and a new observer loads it`() async {
        let trying = trying { _ in }
        await trying.resource.load().completion()
        trying.resource.poll(every: 10, owner: recorder)
        trying.service.invalidate(tagged: "t")
        await trying.pass(30, step: 0.5)
        #expect(trying.sentCount == 1)
        #expect(trying.resource.isStale)
        trying.resource.addObserver(recorder)
        await trying.pass(1)
        #expect(trying.sentCount == 2)
        #expect(trying.resource.isUpToDate)
        trying.resource.stopPolling(owner: recorder)
    }

    // MARK: Without a network

    @Test func `A load that an invalidation has caused waits for the network`() async {
        let trying = trying { $0.offline = .wait(upTo: 60) }
        trying.resource.addObserver(recorder)
        await trying.resource.load().completion()
        trying.status.isConnected = false
        trying.service.invalidate(tagged: "t")
        await trying.pass(5)
        for _ in 0..<5 {
            trying.service.invalidate(tagged: "t")
            await trying.pass(1)
        }
        #expect(trying.sentCount == 2)
        #expect(trying.resource.isLoading)
        #expect(trying.resource.retry?.reason == .offline)
        trying.status.isConnected = true
        await trying.pass(5)
        #expect(trying.resource.isUpToDate)
        #expect(!trying.resource.isLoading)
        #expect((3...4).contains(trying.sentCount))
    }

    @Test func `If the network does not return in time, the resource keeps its data, and the next load renews it`()
        async
    {
        let trying = trying { $0.offline = .wait(upTo: 60) }
        trying.resource.addObserver(recorder)
        await trying.resource.load().completion()
        trying.status.isConnected = false
        trying.service.invalidate(tagged: "t")
        await trying.pass(62, step: 0.5)
        #expect(!trying.resource.isLoading)
        #expect(trying.resource.latestError != nil)
        #expect(trying.resource.latestData != nil)
        trying.status.isConnected = true
        await trying.resource.load().completion()
        #expect(trying.resource.isUpToDate)
    }

    /// Makes a write of which only the request reaches the server, and that waits for the network afterwards.
    private func lostWrite(_ trying: TryingService) async -> any Request {
        trying.resource.addObserver(recorder)
        await trying.resource.load().completion()
        trying.status.isConnected = false
        trying.network.handler = { _ in .failure(.networkConnectionLost) }
        let write = trying.resource.request(.put)
        await trying.pass(1)
        #expect(trying.sentCount == 2)
        #expect(!write.isCompleted)
        #expect(trying.resource.isUpToDate)
        return write
    }

    @Test func `A write that was sent, and that waits in vain for the network, has an unknown outcome`() async {
        let trying = trying { $0.offline = .wait(upTo: 60) }
        let write = await lostWrite(trying)
        await trying.pass(61, step: 0.5)
        #expect(write.isCompleted)
        #expect(trying.resource.isStale)
        #expect(trying.sentCount == 2)
    }

    @Test func `A write that was sent, and whose next attempt is refused, has an unknown outcome`() async {
        let trying = trying {
            $0.retry = .standard
            $0.pacing = .standard
        }
        trying.resource.addObserver(recorder)
        await trying.resource.load().completion()
        trying.network.handler = { request in
            request.httpMethod == "PUT"
                ? .failure(.networkConnectionLost) : .response(503, headers: ["Retry-After": "600"])
        }
        let write = trying.resource.request(.put)
        await trying.settle()
        trying.service.resource("/other").load()
        await trying.settle()
        #expect(trying.sentCount == 3)
        #expect(!write.isCompleted)
        #expect(trying.resource.isUpToDate)
        await trying.pass(30, step: 0.5)
        #expect(write.isCompleted)
        #expect(trying.resource.isStale)
        #expect(trying.sentCount == 3)
    }

    @Test func `A write that was sent, and that is cancelled while it waits, has an unknown outcome`() async {
        let trying = trying { $0.offline = .wait(upTo: 60) }
        let write = await lostWrite(trying)
        write.cancel()
        #expect(trying.resource.isStale)
        #expect(trying.sentCount == 2)
    }
}
