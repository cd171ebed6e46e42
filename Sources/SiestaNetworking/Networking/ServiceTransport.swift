import Foundation

/// The transport of one service, with its cookies.
@MainActor
package struct ServiceTransport {
    package let transport: any Transport
    /// The same without the cookies of the service, for requests that obtain a credential.
    package let withoutCookies: any Transport
    /// The user to whom the cookies belong.
    package let cookieOwner = CookieOwner()
    /// True if cookies are kept in a file.
    private let keepsCookieFile: Bool

    /// Creates the transport. If the provider can keep cookies, the transport keeps its own.
    package init(_ provider: any NetworkingProvider, cookies: CookieStorage = .none) {
        withoutCookies = provider.transport
        transport = withoutCookies.keepingCookies(in: cookies, of: cookieOwner)
        keepsCookieFile = if case .file = cookies.place { true } else { false }
    }

    /// The header fields that the transport adds to requests, as far as they are known.
    package var addedFields: AddedFields {
        var fields = transport.addedFields
        if !fields.keepsCookies { fields.keepsCookies = transport.mayHaveCookies }
        return fields
    }

    /// The cookies of the service; nil if the transport keeps no cookies.
    package var cookieKeeper: (any CookieKeeping)? { transport.cookieKeeper }

    /// Drops all cookies at once: requests that start after the call have none, and requests in flight can set none. The
    /// file is removed later; see ``cookiesAreGone()``.
    func dropCookies() { cookieKeeper?.drop() }

    /// Waits until the file of dropped cookies was removed, or until the file has its new owner.
    package func cookiesAreGone() async { if keepsCookieFile { await cookieKeeper?.areGone() } }

    /// Notes that another user has signed in, or nobody is signed in any more.
    ///
    /// - Parameter keepsCookies: True if nobody was signed in before: the cookies now belong to the new user.
    package func changeCookieOwner(to principal: Principal?, keepsCookies: Bool) {
        // The file compares its generation after it has read the owner.
        if !keepsCookies { dropCookies() }
        guard cookieOwner.principal != principal else { return }
        cookieOwner.principal = principal
        if keepsCookies, keepsCookieFile { cookieKeeper?.giveToOwner() }
    }
}
