#if canImport(FoundationNetworking)
import Foundation
package import FoundationNetworking
#else
package import Foundation
#endif

/// A provider whose requests an ``ExchangeInterceptor`` sees first.
///
/// It supports what its provider supports: streaming, cookies, and the extras of this library's providers.
@MainActor
package final class InterceptedProvider: nonisolated ExtrasProvider, nonisolated CookieKeepingProvider {
    package let interceptor: any ExchangeInterceptor
    private let starter: RequestStarter

    package init(_ provider: any NetworkingProvider, interceptor: any ExchangeInterceptor) {
        (starter, self.interceptor) = (RequestStarter(provider), interceptor)
    }

    /// The header fields that the provider itself adds to requests, if it declares them.
    var addedFields: AddedFields? { starter.addedFields }

    package func startRequest(
        _ request: URLRequest, completion: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking {
        start(request, CallbackResult.completion(completion)) { [starter] completion in
            starter.provider.startRequest(request, completion: CallbackResult.callback(completion))
        }
    }

    func startRequest(
        _ request: URLRequest, answering completion: @escaping @Sendable (NetworkResponse) -> Void
    ) -> any RequestNetworking {
        start(request, completion) { [starter] in starter.start(request, tracksRedirects: true, answering: $0) }
    }

    func startRequest(
        _ request: URLRequest, extras: RequestExtras,
        answering completion: @escaping @Sendable (NetworkResponse) -> Void
    ) -> any RequestNetworking {
        start(request, completion) { [starter] in
            starter.start(request, extras: extras, tracksRedirects: true, answering: $0)
        }
    }

    package func startRequest(
        _ request: URLRequest, body: (any StreamedBody)?, receiver: (any ResponseReceiver)?,
        completion: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking {
        startRequest(request, body: body, receiver: receiver, extras: nil, completion: completion)
    }

    func startRequest(
        _ request: URLRequest, body: (any StreamedBody)?, receiver: (any ResponseReceiver)?, extras: RequestExtras?,
        completion: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking {
        start(request, isReadInPieces: receiver != nil, CallbackResult.completion(completion)) { [starter] completion in
            let callback = CallbackResult.callback(completion)
            if let receiver, body == nil {
                return starter.start(request, receiver: receiver, extras: extras, completion: callback)
            }
            if let extras, let provider = starter.extrasProvider {
                return provider.startRequest(
                    request, body: body, receiver: receiver, extras: extras, completion: callback)
            }
            if let provider = starter.streamingProvider {
                return provider.startRequest(request, body: body, receiver: receiver, completion: callback)
            }
            guard let body else { return starter.provider.startRequest(request, completion: callback) }
            guard body.isRepeatable, receiver == nil else {
                return FailedStart(
                    RequestError.Cause.StreamingUnsupported(provider: type(of: starter.provider)), callback)
            }
            return SpooledRequest(request, body: body, completion: callback) { [starter] request, completion in
                starter.provider.startRequest(request, completion: completion)
            }
        }
    }

    private func start<Result: ExchangeResult>(
        _ request: URLRequest, isReadInPieces: Bool = false, _ completion: @escaping @Sendable (Result) -> Void,
        begin: @escaping @MainActor (@escaping @Sendable (Result) -> Void) -> any RequestNetworking
    ) -> any RequestNetworking {
        var decision = interceptor.decision(for: request)
        if isReadInPieces, case .status = decision.substitute { decision.substitute = .failure(.networkConnectionLost) }
        guard decision.delay > 0 || decision.substitute != nil else { return begin(completion) }
        return InterceptedExchange(request, decision, completion, begin)
    }

    // MARK: Cookies

    func keepingCookies(in storage: CookieStorage, of owner: CookieOwner) -> any NetworkingProvider {
        guard let keeping = starter.provider as? any CookieKeepingProvider else { return self }
        return InterceptedProvider(keeping.keepingCookies(in: storage, of: owner), interceptor: interceptor)
    }

    var cookieKeeper: (any CookieKeeping)? { (starter.provider as? any CookieKeepingProvider)?.cookieKeeper }

    var mayHaveCookies: Bool { (starter.provider as? any CookieKeepingProvider)?.mayHaveCookies ?? false }
}
