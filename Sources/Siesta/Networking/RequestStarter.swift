import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Starts the requests of one provider through the fastest function that the provider supports.
@MainActor
struct RequestStarter {
    let provider: any NetworkingProvider
    // The results of casts are kept, because a cast to a protocol takes time. It also fails outside a task of the main
    // actor if the conformance of the app's provider belongs to the main actor (SE-0470).
    private let headProvider: (any HeadProvider)?
    let extrasProvider: (any ExtrasProvider)?
    let streamingProvider: (any StreamingNetworkingProvider)?
    private let cookieProvider: (any CookieKeepingProvider)?
    private let fixedFields: AddedFields?

    /// Creates a starter. If the provider can keep cookies, the starter uses a provider with its own cookies.
    init(_ provider: any NetworkingProvider, cookies: CookieStorage = .none) {
        let wrapper = provider as? any WrappingProvider
        let inner = wrapper?.wrapped ?? provider
        let keeping = inner as? any CookieKeepingProvider
        let kept = keeping?.keepingCookies(in: cookies) ?? inner
        let provider = wrapper?.wrapping(kept) ?? kept
        self.provider = provider
        headProvider = provider as? any HeadProvider
        extrasProvider = provider as? any ExtrasProvider
        streamingProvider = provider as? any StreamingNetworkingProvider
        cookieProvider = keeping == nil ? nil : kept as? any CookieKeepingProvider
        let intercepted = kept as? InterceptedProvider
        fixedFields = intercepted?.addedFields ?? (kept as? any FieldAddingProvider)?.addedFields
    }

    /// The header fields that the provider adds to requests, if it declares them.
    var addedFields: AddedFields? {
        guard var fields = fixedFields else { return nil }
        if !fields.keepsCookies { fields.keepsCookies = cookieProvider?.mayHaveCookies ?? false }
        return fields
    }

    /// The cookies of the service; nil if the provider keeps no cookies.
    var cookieKeeper: (any CookieKeeping)? { cookieProvider?.cookieKeeper }

    /// Drops all cookies at once: requests that start after the call have none, and requests in flight can set none. The
    /// file is removed later; see ``cookiesAreGone()``.
    func dropCookies() { cookieKeeper?.drop() }

    /// Waits until the file of dropped cookies was removed.
    func cookiesAreGone() async { await cookieKeeper?.areGone() }

    /// Starts a request. A provider of the app ignores the extras.
    ///
    /// - Parameter tracksRedirects: true if the redirects are needed also of a provider that does not report them.
    func start(
        _ request: URLRequest, extras: RequestExtras? = nil, tracksRedirects: Bool = false,
        answering completion: @escaping @Sendable (NetworkResponse) -> Void
    ) -> any RequestNetworking {
        if let extras, let extrasProvider {
            return extrasProvider.startRequest(request, extras: extras, answering: completion)
        }
        return headProvider?.startRequest(request, answering: completion)
            ?? provider.startRequest(request, tracksRedirects: tracksRedirects, answering: completion)
    }
}
