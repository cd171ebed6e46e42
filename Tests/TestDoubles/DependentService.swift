import Dispatch
import Foundation
package import SiestaCore
package import SiestaTesting
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A service whose resources below `/users` carry the tag "users", and whose writes to `/users` invalidate this tag.
///
/// The clock advances with each request, so that each response has a time of its own.
@MainActor
package struct DependentService {
    package let clock = TestClock()
    package let network = StubNetwork()
    package let service: Service
    package let recorder = ObserverRecorder()

    package init() {
        let (network, clock) = (network, clock)
        service = clock.whileCurrent {
            Service(baseURL: "https://api.test", standardTransformers: [.text], networking: network)
        }
        service.configure("/users/**") { $0.tags = ["users"] }
        service.configure("/users") { $0.tags = ["users"] }
        service.configure("/users", requestMethods: [.post, .put, .patch, .delete]) { $0.invalidates = ["users"] }
        network.handler = { request in
            clock.advance(by: 0.001)
            return nil
        }
        network.answer(.get, "/users", with: .text("users"))
        network.answer(.get, "/users/1", with: .text("Ada"))
        network.answer(.get, "/teams", with: .text("teams"))
        network.answer(.post, "/users", with: .response(201))
    }

    package var users: Resource { service.resource("/users") }
    package var user: Resource { service.resource("/users/1") }
    package var teams: Resource { service.resource("/teams") }

    /// Loads some resources.
    package func load(_ resources: Resource...) async {
        for resource in resources { await resource.load().completion() }
    }

    /// The number of requests that loaded a path.
    package func loads(of path: String) -> Int {
        network.requests.count { $0.httpMethod ?? "GET" == "GET" && $0.url?.path == path }
    }

    /// True if a response is being processed: a load runs, and its request has been answered.
    private var isProcessing: Bool {
        let loads = [users, user, teams].reduce(0) { $0 + $1.loadRequests.count }
        return loads > network.exchanges.count { !$0.isCompleted }
    }

    /// Lets the main queue do what is due, and the queue on which responses are processed. Waits until all responses to
    /// the loads of the three resources are processed.
    package func settle() async {
        var quietRounds = 0
        for _ in 0..<10_000 where quietRounds < 20 {
            await withCheckedContinuation { continuation in
                DispatchQueue.global(qos: .userInitiated).async { continuation.resume() }
            }
            await mainQueueTurn()
            quietRounds = isProcessing ? 0 : quietRounds + 1
        }
    }
}
