public import Foundation

/// The storage in which a service keeps the cookies that it receives from servers.
///
///     let service = Service(baseURL: "https://api.example.com", cookies: .none)
///
/// Each service has its own cookies. The service sends a cookie only to the hosts, paths and schemes for which the
/// server has set it (RFC 6265). Requests, uploads, downloads and byte streams use the same cookies. A redirect can set
/// cookies, and the next request then carries them. If the app sets the `Cookie` header of a request, the service sends
/// one header that contains both the app's cookies and the stored cookies.
///
/// The storage applies to ``DefaultNetworking``, to `CurlProvider`, and on Linux to a `URLSessionConfiguration` that
/// allows cookies. On other platforms, a `URLSessionConfiguration` uses its own cookie storage. A `URLSession` and all
/// other providers receive no cookies from the service. If `keepsCookies` is true in the options of a `CurlProvider`,
/// the provider keeps the cookies itself, and ignores this storage.
///
/// On Linux, libcurl decides which cookies are kept and sent:
///
/// - A service keeps about 3000 cookies. If there are more, libcurl removes the oldest cookies of the domains with the
///   most cookies.
/// - If libcurl was built with the list of public suffixes, it rejects cookies for suffixes such as `co.uk`.
/// - libcurl ignores cookies that are longer than about 4 KB, and all but the first 50 cookies of a response.
/// - libcurl removes quotes around a path, and sends a cookie to all paths if its path does not begin with `/`.
///   ``Cookie/path`` is the path that libcurl uses.
///
/// If libcurl is missing, Foundation decides instead.
///
/// Until a service has received its first cookie, responses with `Vary: Cookie` are used like all other responses.
/// After that, the library does not know which cookies a request carries. Caches then do not use such responses. If the
/// freshness of a resource follows HTTP, its data from such a response is never fresh.
public struct CookieStorage: Sendable {
    /// The kinds of places.
    enum Place: Sendable, Equatable {
        case none, inMemory
        case file(URL)
    }

    let place: Place

    /// The service neither keeps nor sends cookies.
    public static let none = CookieStorage(place: .none)

    /// The service keeps cookies in memory until the service is released.
    public static let inMemory = CookieStorage(place: .inMemory)

    /// The service keeps all cookies in memory. It also keeps cookies with an expiration date in a file.
    ///
    /// Cookies without an expiration date (session cookies) are not written to the file. They are removed when the
    /// service is released.
    ///
    /// The library reads the file when it first needs the cookies, for example for the first request. It writes the
    /// file after each change, off the main thread and atomically, so that a crash never leaves an incomplete file. It
    /// also creates missing folders. Use each file for only one service.
    ///
    /// If the service has a session, the file contains a digest of the user's name, and the library does not load the
    /// cookies of another user.
    ///
    /// Only the system account that runs the process may read the file (mode 0600). The library does not use the file
    /// if it is a link, or if other accounts can read or change it. In this case, the library logs the reason, and the
    /// service keeps its cookies only in memory. If cookies in the file are damaged, the service starts without them.
    /// The file stays unchanged until a cookie changes.
    ///
    /// If the service has a session, call `authenticate(with:)` before the first use of the cookies.
    public static func file(at url: URL) -> CookieStorage { CookieStorage(place: .file(url)) }
}
