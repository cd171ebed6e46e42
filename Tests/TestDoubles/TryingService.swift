package import Foundation
package import SiestaCore
import SiestaRetrying
package import SiestaTesting
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A service with a stub network, a clock that a test moves, and a network and an app that a test switches.
@MainActor
package struct TryingService {
    package let clock = TestClock()
    package let network = StubNetwork()
    package let status = NetworkStatus()
    package let activity = AppActivity()
    package let service: Service

    package init(_ configure: @escaping (inout Configuration) -> Void = { $0.retry = .standard }) {
        let network = network
        service = clock.whileCurrent {
            Service(baseURL: "https://api.test", standardTransformers: [], networking: network)
        }
        service.networkStatus = status
        service.appActivity = activity
        service.configure(configurer: configure)
        clock.jitter = 1
    }

    package var resource: Resource { service.resource("/thing") }

    /// The number of requests that were sent.
    package var sentCount: Int { network.requests.count }

    /// Lets responses that were given arrive.
    package func settle() async {
        for _ in 0..<3 { await mainQueueTurn() }
    }

    /// Returns the response of a request that completes without any time passing. Ends with the test if it does not complete.
    package func completion(of request: any Request) async throws -> ResponseInfo {
        while !request.isCompleted {
            try Task.checkCancellation()
            await mainQueueTurn()
        }
        return await request.completion()
    }

    /// Advances the clock in steps that are shorter than any delay of the library, and lets responses arrive.
    package func pass(_ seconds: TimeInterval, step: TimeInterval = 0.05) async {
        await settle()
        for _ in 0..<Int((seconds / step).rounded()) {
            clock.advance(by: step)
            await settle()
        }
    }
}
