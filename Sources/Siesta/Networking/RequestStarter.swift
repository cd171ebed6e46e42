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
    /// The user to whom the cookies belong.
    let cookieOwner = CookieOwner()
    /// True if cookies are kept in a file.
    private let keepsCookieFile: Bool

    /// Creates a starter. If the provider can keep cookies, the starter uses a provider with its own cookies.
    init(_ provider: any NetworkingProvider, cookies: CookieStorage = .none) {
        let wrapper = provider as? any WrappingProvider
        let inner = wrapper?.wrapped ?? provider
        let keeping = inner as? any CookieKeepingProvider
        let kept = keeping?.keepingCookies(in: cookies, of: cookieOwner) ?? inner
        keepsCookieFile = if case .file = cookies.place { true } else { false }
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

    /// Waits until the file of dropped cookies was removed, or until the file has its new owner.
    func cookiesAreGone() async { if keepsCookieFile { await cookieKeeper?.areGone() } }

    /// Notes that another user has signed in, or nobody is signed in any more.
    ///
    /// - Parameter keepsCookies: True if nobody was signed in before: the cookies now belong to the new user.
    func changeCookieOwner(to principal: Principal?, keepsCookies: Bool) {
        // The file compares its generation after it has read the owner.
        if !keepsCookies { dropCookies() }
        guard cookieOwner.principal != principal else { return }
        cookieOwner.principal = principal
        if keepsCookies, keepsCookieFile { cookieKeeper?.giveToOwner() }
    }

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
