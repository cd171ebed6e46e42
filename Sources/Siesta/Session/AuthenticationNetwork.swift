public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Sends the requests by which an ``Authenticator`` obtains a credential, over the network of the service.
///
/// The requests carry no credential, no cookie and no configured header, are not retried, and follow no redirects, so
/// that a refresh token goes nowhere else. Any task may use it.
public struct AuthenticationNetwork: Sendable {
    /// The response to a request.
    public struct Response: Sendable {
        /// The status code.
        public let status: Int
        /// The body; empty if there is none.
        public let body: Data
        private let fields: HeaderFields

        init(_ head: NetworkResponse.Head, body: Data?) {
            (status, fields, self.body) = (head.status, head.fields, body ?? Data())
        }

        /// Returns the value of a header field. The name is case-insensitive. Repeated fields are joined by commas.
        public func header(_ name: String) -> String? { fields[name.lowercased()] }
    }

    private let start:
        @MainActor @Sendable (URLRequest, @escaping @Sendable (NetworkResponse) -> Void) -> any RequestNetworking

    /// The current time of the service's clock.
    public var now: Date { Date(timeIntervalSinceReferenceDate: clock.wallTime) }

    let clock: SiestaClock

    init(
        clock: SiestaClock,
        start: @escaping @MainActor @Sendable (
            URLRequest, @escaping @Sendable (NetworkResponse) -> Void
        ) -> any RequestNetworking
    ) {
        (self.clock, self.start) = (clock, start)
    }

    /// Sends a request and returns the response, whatever its status. If the task is cancelled, the request is, too.
    ///
    /// - Throws: the provider's error, usually a `URLError`; or a `CancellationError`.
    public func send(_ request: URLRequest) async throws -> Response {
        fatalError()
    }
}
