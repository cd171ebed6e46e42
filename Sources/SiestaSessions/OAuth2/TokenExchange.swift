import Foundation
import SiestaCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One request of an ``AuthenticationNetwork``, and the task that waits for its response.
@MainActor
final class TokenExchange: ExchangeClient {
    private let request: URLRequest
    private let exchange: Exchange
    private var continuation: CheckedContinuation<NetworkResponse?, Never>?

    private init(_ request: URLRequest, over transport: any Transport, clock: SiestaClock) {
        self.request = request
        exchange = Exchange(for: transport, clock: clock)
    }

    /// Sends a request and returns its response. If the task is cancelled, cancels the request and returns nil.
    static func response(
        to request: URLRequest, over transport: @MainActor () -> any Transport, clock: SiestaClock
    ) async -> NetworkResponse? {
        let token = TokenExchange(request, over: transport(), clock: clock)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { token.start($0) }
        } onCancel: {
            MainQueue.async { token.cancel() }
        }
    }

    private func start(_ continuation: CheckedContinuation<NetworkResponse?, Never>) {
        guard !Task.isCancelled else { return continuation.resume(returning: nil) }
        self.continuation = continuation
        exchange.begin(for: self)
        clock.whileCurrent { exchange.send(nil) }
    }

    private var clock: SiestaClock { exchange.clock }

    private func cancel() {
        guard let continuation = continuation.take() else { return }
        exchange.cancel()
        continuation.resume(returning: nil)
    }

    var isRepeatable: Bool { false }

    func nextCall(_ obstacle: inout (any Error)?) -> TransportCall {
        var call = TransportCall(request)
        call.extras = RequestExtras(deliversRedirects: true, obtainsCredential: true)
        return call
    }

    func receiver(of attempt: Attempt) -> @Sendable (NetworkResponse) -> Void {
        let rules = attempt.rules
        return { response in
            let arrival = rules.arrival(of: response)
            MainQueue.async { self.receive(response, arrival) }
        }
    }

    private func receive(_ response: NetworkResponse, _ arrival: Arrival) {
        var info = ResponseInfo(response: .success(Entity<Any>(headerFields: HeaderFields([:]), content: Data())))
        guard exchange.accepts(&info, arrival) else { return }
        _ = exchange.complete(&info)
        continuation.take()?.resume(returning: response)
    }

    func exchangeEnded(with info: ResponseInfo) { cancel() }
}
