#if canImport(FoundationNetworking)
package import FoundationNetworking
#else
package import Foundation
#endif

extension NetworkingProvider {
    /// Returns a transport that does the same, and reports its exchanges.
    ///
    /// The new transport has all abilities of this one, including those that only the providers of this library have:
    /// logins, cookies, the confinement of credentials, and the heads of redirects.
    ///
    /// - Parameter observe: Returns the observer of a request that is about to start; nil if the exchange is not
    ///   observed.
    @MainActor package func observed(
        by observe: @escaping @MainActor (URLRequest) -> (any ExchangeObserver)?
    ) -> any NetworkingProvider {
        InterceptedTransport(transport, by: ObservingInterceptor(observe))
    }
}

/// Reports the events of the calls of a transport.
@MainActor
private final class ObservingInterceptor: TransportInterceptor {
    private let observe: @MainActor (URLRequest) -> (any ExchangeObserver)?

    init(_ observe: @escaping @MainActor (URLRequest) -> (any ExchangeObserver)?) {
        self.observe = observe
    }

    func start(
        _ call: TransportCall, over transport: any Transport, completion: @escaping @Sendable (NetworkResponse) -> Void
    ) -> any RequestNetworking {
        guard let observer = observe(call.request) else { return transport.start(call, completion: completion) }
        var call = call
        call.body = call.body.map { ObservedBody.observing($0, with: observer) }
        call.receiver = call.receiver.map { ObservedReceiver(receiver: $0, observer: observer) }
        let networking = transport.start(call) { response in
            observer.receive(
                .ended(response.head.map { ExchangeEvent.Head($0) }, body: response.body, error: response.error))
            completion(response)
        }
        observer.started(networking)
        return networking
    }
}
