import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

@testable import SiestaRetrying

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The origins that requests with retries or pacing share.
@MainActor @Suite(.timeLimit(.test))
struct OriginsTests {
    private func sendToOthers(_ trying: TryingService, _ count: Int) async {
        for index in 0..<count { trying.service.resource(absoluteURL: "https://other\(index).test/").load() }
        await trying.settle()
    }

    @Test func `An origin that asks to wait is not forgotten, however many others there are`() async throws {
        let trying = TryingService { $0.pacing = .standard }
        trying.network.handler = {
            $0.url?.path == "/busy" ? .response(429, headers: ["Retry-After": "50"]) : .text("a")
        }
        _ = try await trying.completion(of: trying.service.resource("/busy").load())
        await sendToOthers(trying, 300)
        let load = trying.resource.load()
        await trying.pass(49, step: 1)
        #expect(!load.isCompleted)
        #expect(trying.resource.retry?.reason == .server)
        await trying.pass(2)
        #expect(load.isCompleted)
    }

    @Test func `Origins that nothing needs are forgotten, also those of a circuit breaker`() async {
        let trying = TryingService {
            $0.pacing.failureLimit = 5
            $0.retry = .standard
        }
        trying.network.handler = { _ in .response(500) }
        let origins = Origins.shared(for: trying.clock.clock)
        await sendToOthers(trying, 100)
        weak let first = origins[URL(string: "https://other0.test")]
        await trying.pass(20, step: 0.5)
        #expect(first != nil)
        trying.clock.advance(by: 1000)
        trying.service.flushUnusedResources()
        for index in 0..<300 { _ = origins[URL(string: "https://new\(index).test")] }
        #expect(first == nil)
    }

    @Test func `A scheme, a host and a port are an origin`() {
        let origins = Origins.shared(for: TestClock().clock)
        let one = origins[URL(string: "https://api.test/a")]
        for same in ["https://api.test/b?c", "HTTPS://API.test:443/", "https://user@api.test"] {
            #expect(origins[URL(string: same)] === one)
        }
        for other in ["http://api.test/a", "https://api.test:444/a", "https://api2.test/a", "https://test/a"] {
            #expect(origins[URL(string: other)] !== one)
        }
    }
}
