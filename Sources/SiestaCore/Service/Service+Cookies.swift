extension Service {
    /// The cookies that the service has received and that have not expired. Empty if the networking provider keeps no
    /// cookies.
    ///
    /// If the cookies are kept in a file, reading this property may first load them from the file.
    ///
    /// An app can list and remove cookies:
    ///
    ///     for cookie in await shop.cookies {
    ///         print(cookie.name, cookie.domain, cookie.expires ?? "end of the session")
    ///     }
    ///     await shop.removeCookies { $0.name == "cart" }
    ///     await shop.removeCookies()
    public final var cookies: [Cookie] {
        get async {
            MainQueue.check("Service.cookies")
            return await context.cookieKeeper?.store.cookies() ?? []
        }
    }

    /// Removes the cookies for which `isRemoved` returns true, or all cookies if `isRemoved` is nil. When the function
    /// returns, the cookies are also removed from their file. Requests that start after the call do not send these
    /// cookies.
    ///
    /// A request that is already running can still receive new cookies. If the service has a session, ``signOut()``
    /// removes the cookies and cancels the requests. Otherwise, also cancel the requests; see
    /// ``wipeResources(includingCaches:)``.
    ///
    /// - Parameter isRemoved: A closure that returns true for each cookie to remove. It may be called on any thread.
    ///   The default is nil, which removes all cookies, including any that ``cookies`` does not list.
    public final func removeCookies(matching isRemoved: (@Sendable (Cookie) -> Bool)? = nil) async {
        MainQueue.check("Service.removeCookies(matching:)")
        if let isRemoved {
            await context.cookieKeeper?.store.remove(where: isRemoved)
        } else {
            await context.cookieKeeper?.store.removeAll()
        }
        await context.transport.cookiesAreGone()
    }
}

extension ResourceContext {
    /// The cookies of the service; nil if its provider keeps no cookies.
    var cookieKeeper: (any CookieKeeping)? { transport.cookieKeeper }
}
