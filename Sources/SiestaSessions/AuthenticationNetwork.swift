public import Foundation
import SiestaCore

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// The network of a service, for the requests with which an ``Authenticator`` obtains a credential.
///
/// The requests carry no credential, no cookies and no configured headers. Failed requests are not retried. Redirects
/// are not followed, so that no refresh token is sent to another server. Any task may use this value.
///
/// Custom networking providers follow redirects by their own rules.
public struct AuthenticationNetwork: Sendable {
    private let exchange: @Sendable (URLRequest) async throws -> NetworkResponse

    /// The current time of the service's clock.
    public var now: Date { Date(timeIntervalSinceReferenceDate: clock.wallTime) }

    let clock: SiestaClock

    /// - Parameter exchange: sends a request and returns its response.
    init(clock: SiestaClock, exchange: @escaping @Sendable (URLRequest) async throws -> NetworkResponse) {
        (self.clock, self.exchange) = (clock, exchange)
    }

    /// Sends a request and returns the response, regardless of its status.
    ///
    /// If the task is cancelled, the function throws at once and cancels the request. The server may already have
    /// carried out the request.
    ///
    /// - Throws: The provider's error, usually a `URLError`; or a `CancellationError`.
    public func send(_ request: URLRequest) async throws -> AuthenticatedResponse {
        let response = try await exchange(request)
        if let error = response.error { throw error }
        guard let head = response.head else { throw URLError(.badServerResponse) }
        return AuthenticatedResponse(head, body: response.body)
    }
}
