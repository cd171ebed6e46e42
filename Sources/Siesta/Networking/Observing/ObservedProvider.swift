#if canImport(FoundationNetworking)
package import FoundationNetworking
#else
package import Foundation
#endif

extension NetworkingProvider {
    /// Returns a provider that does the same, and reports its exchanges.
    ///
    /// The new provider has all abilities of this one, including those that only the providers of this library have:
    /// logins, cookies, the confinement of credentials, and the heads of redirects.
    ///
    /// - Parameter observe: Returns the observer of a request that is about to start; nil if the exchange is not
    ///   observed.
    @MainActor package func observed(
        by observe: @escaping @MainActor (URLRequest) -> (any ExchangeObserver)?
    ) -> any NetworkingProvider {
        switch self {
        case let provider as any ExtrasProvider: ObservedExtrasProvider(provider, observe)
        case let provider as any StreamingNetworkingProvider: ObservedStreamingProvider(provider, observe)
        default: ObservedProvider(self, observe)
        }
    }
}

/// A provider that passes requests to another provider, and reports their events.
@MainActor
class ObservedProvider: nonisolated FieldAddingProvider {
    typealias Observe = @MainActor (URLRequest) -> (any ExchangeObserver)?

    let base: any NetworkingProvider
    fileprivate let observe: Observe

    fileprivate init(_ base: any NetworkingProvider, _ observe: @escaping Observe) {
        (self.base, self.observe) = (base, observe)
    }

    func startRequest(
        _ request: URLRequest, completion: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking {
        guard let observer = observe(request) else { return base.startRequest(request, completion: completion) }
        return report(base.startRequest(request, completion: observer.reporting(completion)), to: observer)
    }

    /// The fields of the other provider. If it does not declare them, there are none, which means the same.
    var addedFields: AddedFields {
        (base as? InterceptedProvider)?.addedFields ?? (base as? any FieldAddingProvider)?.addedFields
            ?? AddedFields(keepsCookies: false)
    }

    fileprivate func report(
        _ networking: any RequestNetworking, to observer: any ExchangeObserver
    ) -> any RequestNetworking {
        observer.started(networking)
        return networking
    }
}

/// The same for a provider that streams.
class ObservedStreamingProvider: ObservedProvider, nonisolated StreamingNetworkingProvider {
    private let streaming: any StreamingNetworkingProvider

    fileprivate init(_ base: any StreamingNetworkingProvider, _ observe: @escaping Observe) {
        streaming = base
        super.init(base, observe)
    }

    func startRequest(
        _ request: URLRequest, body: (any StreamedBody)?, receiver: (any ResponseReceiver)?,
        completion: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking {
        guard let observer = observe(request) else {
            return streaming.startRequest(request, body: body, receiver: receiver, completion: completion)
        }
        let networking = streaming.startRequest(
            request, body: body.map { ObservedBody.observing($0, with: observer) },
            receiver: receiver.map { ObservedReceiver(receiver: $0, observer: observer) },
            completion: observer.reporting(completion))
        return report(networking, to: observer)
    }
}

/// The same for a provider of this library.
private final class ObservedExtrasProvider: ObservedStreamingProvider, nonisolated ExtrasProvider,
    nonisolated CookieKeepingProvider
{
    private let extrasProvider: any ExtrasProvider

    init(_ base: any ExtrasProvider, _ observe: @escaping Observe) {
        extrasProvider = base
        super.init(base, observe)
    }

    func startRequest(
        _ request: URLRequest, answering completion: @escaping @Sendable (NetworkResponse) -> Void
    ) -> any RequestNetworking {
        guard let observer = observe(request) else {
            return extrasProvider.startRequest(request, answering: completion)
        }
        let networking = extrasProvider.startRequest(request, answering: observer.reporting(completion))
        return report(networking, to: observer)
    }

    func startRequest(
        _ request: URLRequest, extras: RequestExtras,
        answering completion: @escaping @Sendable (NetworkResponse) -> Void
    ) -> any RequestNetworking {
        guard let observer = observe(request) else {
            return extrasProvider.startRequest(request, extras: extras, answering: completion)
        }
        let networking = extrasProvider.startRequest(
            request, extras: extras, answering: observer.reporting(completion))
        return report(networking, to: observer)
    }

    func startRequest(
        _ request: URLRequest, body: (any StreamedBody)?, receiver: (any ResponseReceiver)?, extras: RequestExtras?,
        completion: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking {
        guard let observer = observe(request) else {
            return extrasProvider.startRequest(
                request, body: body, receiver: receiver, extras: extras, completion: completion)
        }
        let networking = extrasProvider.startRequest(
            request, body: body.map { ObservedBody.observing($0, with: observer) },
            receiver: receiver.map { ObservedReceiver(receiver: $0, observer: observer) }, extras: extras,
            completion: observer.reporting(completion))
        return report(networking, to: observer)
    }

    // MARK: Cookies

    func keepingCookies(in storage: CookieStorage, of owner: CookieOwner) -> any NetworkingProvider {
        (base as? any CookieKeepingProvider)?.keepingCookies(in: storage, of: owner).observed(by: observe) ?? self
    }

    var cookieKeeper: (any CookieKeeping)? { (base as? any CookieKeepingProvider)?.cookieKeeper }

    var mayHaveCookies: Bool { (base as? any CookieKeepingProvider)?.mayHaveCookies ?? false }
}

extension ExchangeObserver {
    /// Returns a completion that reports the end of the exchange first.
    fileprivate func reporting(
        _ completion: @escaping RequestNetworkingCompletionCallback
    ) -> RequestNetworkingCompletionCallback {
        { response, body, error in
            receive(.ended(response.map { ExchangeEvent.Head($0) }, body: body, error: error))
            completion(response, body, error)
        }
    }

    /// Returns a completion that reports the end of the exchange first.
    fileprivate func reporting(
        _ completion: @escaping @Sendable (NetworkResponse) -> Void
    ) -> @Sendable (NetworkResponse) -> Void {
        { response in
            receive(.ended(response.head.map { ExchangeEvent.Head($0) }, body: response.body, error: response.error))
            completion(response)
        }
    }
}
