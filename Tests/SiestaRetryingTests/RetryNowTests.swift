import Foundation
import SiestaCore
import SiestaRetrying
import SiestaTesting
import TestDoubles
import TestKit
import Testing

/// Waits that a person ends.
@MainActor @Suite(.timeLimit(.test))
struct RetryNowTests {
    private let trying = TryingService()
    private var resource: Resource { trying.resource }
    private var network: StubNetwork { trying.network }

    @Test func `A request that waits after a failure is sent at once, and only once`() async throws {
        network.answer(.get, "/thing", with: .response(503), .text("done"))
        let load = resource.load()
        await trying.settle()
        #expect(resource.retry != nil)
        #expect(trying.sentCount == 1)
        resource.retryNow()
        resource.retryNow()
        #expect(resource.retry == nil)
        #expect(trying.sentCount == 2)
        #expect(try await trying.completion(of: load).isNew)
        await trying.pass(30)
        #expect(trying.sentCount == 2)
    }

    @Test func `The number of attempts stays limited`() async throws {
        network.answer(.get, "/thing", with: .response(503), .response(503), .response(503), .response(503))
        let load = resource.load()
        for _ in 0..<10 {
            await trying.settle()
            resource.retryNow()
        }
        #expect(load.isCompleted)
        #expect(trying.sentCount == 4)
    }

    @Test func `All requests of the resource are sent, and those of others still wait`() async throws {
        let other = trying.service.resource("/other")
        for path in ["/thing", "/other"] { network.answer(.get, path, with: .response(503)) }
        network.answer(.put, "/thing", with: .response(503))
        _ = (resource.load(), resource.request(.put, text: "x"), other.load())
        await trying.settle()
        #expect(trying.sentCount == 3)
        resource.retryNow()
        #expect(trying.sentCount == 5)
        #expect(other.retry != nil)
    }

    @Test func `A wait for the network continues`() async throws {
        let trying = TryingService {
            $0.retry = .standard
            $0.offline = .wait(upTo: 100)
        }
        trying.status.isConnected = false
        trying.network.answer(.get, "/thing", with: .failure(.notConnectedToInternet), .text("done"))
        let load = trying.resource.load()
        await trying.settle()
        #expect(trying.resource.retry?.reason == .offline)
        trying.resource.retryNow()
        #expect(trying.sentCount == 1)
        trying.status.isConnected = true
        trying.resource.retryNow()
        #expect(trying.sentCount == 2)
        #expect(try await trying.completion(of: load).isNew)
    }

    @Test func `Nothing happens if no request waits`() async {
        resource.retryNow()
        network.answer(.get, "/thing", with: .response(503))
        let load = resource.load()
        resource.retryNow()
        await trying.settle()
        load.cancel()
        resource.retryNow()
        await trying.pass(10)
        #expect(trying.sentCount == 1)
    }

    @Test func `An observer that is told of the end of a wait may cancel the request`() async {
        network.answer(.get, "/thing", with: .response(503), .text("done"))
        let load = resource.load()
        await trying.settle()
        let canceller = Canceller(load)
        resource.addObserver(canceller)
        resource.retryNow()
        await trying.settle()
        #expect(load.isCompleted)
        #expect(trying.sentCount == 1)
        #expect(resource.latestData == nil)
    }

    private final class Canceller: ResourceObserver {
        let load: any Request

        init(_ load: any Request) {
            self.load = load
        }

        func resourceChanged(_ resource: Resource, event: ResourceEvent) {}

        func resourceRetryChanged(_ resource: Resource, retry: Resource.Retry?) {
            if retry == nil { load.cancel() }
        }
    }
}
