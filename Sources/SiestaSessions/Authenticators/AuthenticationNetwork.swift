public import Foundation
public import SiestaCore

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// The network access that an ``Authenticator`` uses to obtain credentials for a service.
///
/// The requests carry no credential, no cookies and no configured headers. Failed requests are not retried. Redirects
/// are not followed (except by custom networking providers, which have their own rules), so that no refresh token is
/// sent to another server. The responses do not change the cookies, the data or the caches of the service, and their
/// `Clear-Site-Data` headers have no effect. Any task may use this value.
public struct AuthenticationNetwork: Sendable {
    private let exchange: @Sendable (URLRequest) async -> NetworkResponse?

    /// The current time of the service's clock.
    public var now: Date { Date(timeIntervalSinceReferenceDate: clock.wallTime) }

    let clock: SiestaClock

    /// - Parameter exchange: sends a request and returns its response; nil if the task is cancelled.
    init(clock: SiestaClock, exchange: @escaping @Sendable (URLRequest) async -> NetworkResponse?) {
        (self.clock, self.exchange) = (clock, exchange)
    }

    /// Sends a request and returns the response, regardless of its status.
    ///
    /// If the task is cancelled, the function throws at once and cancels the request. The server may already have
    /// carried out the request.
    ///
    /// - Throws: An error with the code ``RequestError/Code/network`` if the network fails, or
    ///   ``RequestError/Code/cancelled`` if the task is cancelled. If a custom networking provider fails with an error
    ///   that is not a `URLError`, this error is the cause, and the code is ``RequestError/Code/other``.
    public func send(_ request: URLRequest) async throws(RequestError) -> AuthenticatedResponse {
        let result = await exchange(request)
        guard let response = result, response.error == nil, let head = response.head else {
            throw clock.whileCurrent {
                result.map { Self.failure($0.error ?? URLError(.badServerResponse), of: request) } ?? .cancelled()
            }
        }
        return AuthenticatedResponse(head, body: response.body)
    }

    private static func failure(_ networkError: any Error, of request: URLRequest) -> RequestError {
        var error = RequestError(response: nil, content: nil, cause: networkError)
        if error.networkErrorCode == URLError.cancelled.rawValue { return .cancelled(networkError: networkError) }
        error.setRequest(request.url, method: request.httpMethod)
        return error
    }
}
