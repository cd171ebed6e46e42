import Dispatch
import Foundation
import Isolation
package import SiestaCore
package import SiestaSessions
package import SiestaTesting
import Testing

#if canImport(FoundationNetworking)
package import FoundationNetworking
#endif

/// A service with a session, on a stub network that accepts certain tokens.
@MainActor
package final class SigningService {
    package let clock = TestClock()
    package let network = StubNetwork()
    package let authenticator: ManualAuthenticator
    package let service: Service
    /// The tokens that the network accepts.
    package var accepted: Set<String> = ["a1"]

    package init(
        credentials: any CredentialStore = .memory, _ configure: @escaping (inout Configuration) -> Void = { _ in }
    ) {
        let authenticator = ManualAuthenticator(credentials: credentials)
        self.authenticator = authenticator
        let network = network
        service = clock.whileCurrent {
            let service = Service(baseURL: "https://api.test/v1", networking: network)
            service.configure(configurer: configure)
            service.authenticate(with: authenticator)
            return service
        }
        network.handler = { [weak self] in self?.answer($0) ?? .held }
    }

    package var resource: Resource { service.resource("/thing") }

    private func answer(_ request: URLRequest) -> StubAnswer {
        guard let token = Self.token(of: request) else { return .response(401) }
        return accepted.contains(token) ? .text("for \(token)") : .response(401)
    }

    /// The token that a request carries.
    package static func token(of request: URLRequest) -> String? {
        request.value(forHTTPHeaderField: "Authorization").map { String($0.dropFirst("Bearer ".count)) }
    }

    /// The tokens of all requests that were sent, in order.
    package var tokens: [String?] { network.requests.map(Self.token) }

    /// Lets the main queue do what is due, and the queue on which responses are processed.
    package func settle() async {
        for _ in 0..<12 {
            await withCheckedContinuation { continuation in
                DispatchQueue.global(qos: .userInitiated).async { continuation.resume() }
            }
            await mainQueueTurn()
        }
    }

    /// Waits until a refresh is open.
    package func refreshBegins() async {
        while authenticator.openCount == 0 { await Task.yield() }
    }

    /// Ends the open refresh, and waits until the session knows it.
    package func endRefresh(_ result: Result<Credential, any Error>) async {
        await refreshBegins()
        authenticator.end(result)
        while authenticator.runningCount > 0 || service.session?.state == .refreshing { await mainQueueTurn() }
        await settle()
    }
}
