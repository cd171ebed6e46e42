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

/// Many resources, and a server that fails for a time.
@MainActor @Suite(.timeLimit(.model))
struct StormTests {
    private static let count = 500

    /// Polls resources for 80 seconds while the server fails for the first 30. Returns the number of requests, and the
    /// time at which all resources had their data.
    private func storm(_ configure: @escaping (inout Configuration) -> Void) async -> (requests: Int, end: TimeInterval)
    {
        let trying = TryingService(configure)
        trying.clock.jitter = 0.7
        let clock = trying.clock.clock
        let start = clock.monotonicTime
        trying.network.handler = { _ in clock.monotonicTime - start < 30 ? .response(503) : .text("a") }
        let screen = ObserverRecorder()
        let resources = (0..<Self.count).map { trying.service.resource("/r\($0)") }
        for resource in resources { resource.addObserver(screen).poll(every: 20, owner: screen) }
        var end = TimeInterval.infinity
        while clock.monotonicTime - start < 80 {
            await trying.settle()
            trying.clock.advance(by: 1)
            if end == .infinity, resources.allSatisfy({ $0.latestData != nil }) { end = clock.monotonicTime - start }
        }
        return (trying.sentCount, end)
    }

    @Test func `Retries add at most a quarter to the requests of an outage, and all resources recover`() async {
        let plain = await storm { _ in }
        let retrying = await storm { $0.retry = .standard }
        #expect(retrying.requests > plain.requests)
        #expect(Double(retrying.requests) <= 1.25 * Double(plain.requests), "\(retrying) for \(plain)")
        #expect(retrying.end <= 30 + 25)
    }
}
