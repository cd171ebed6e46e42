public import Foundation

/// The storage in which a service keeps the cookies that it receives from servers.
///
///     let service = Service(baseURL: "https://api.example.com", cookies: .none)
///
/// Each service has its own cookies. A cookie is sent only to the hosts, paths and schemes for which the server has set
/// it (RFC 6265). Requests, uploads, downloads and byte streams use the same cookies. Redirects can set cookies, and
/// the requests that follow redirects carry cookies. If a request has a `Cookie` header of its own, the service sends
/// both, in one header.
///
/// The storage applies to ``DefaultNetworking``, to `CurlProvider`, and on Linux to a `URLSessionConfiguration` that
/// allows cookies. On other platforms, the storage of a `URLSessionConfiguration` is used unchanged. A `URLSession` and
/// all other providers receive no cookies from the service. If the options of a `CurlProvider` have `cookies` set,
/// these options take precedence.
///
/// On Linux, libcurl applies the rules for cookies:
///
/// - A service keeps about 3000 cookies. Beyond this number, the oldest cookies of the domains with the most cookies
///   are removed.
/// - If libcurl was built with the list of public suffixes, it rejects cookies for suffixes such as `co.uk`.
/// - libcurl ignores cookies that are longer than about 4 KB, and all but the first 50 cookies of a response.
/// - libcurl removes quotes around a path, and sends a cookie to all paths if its path does not begin with `/`.
///   ``Cookie/path`` is the path that libcurl uses.
///
/// If libcurl is missing, Foundation applies the rules.
///
/// Until a service has received its first cookie, caches may use responses with `Vary: Cookie`. From then on, caches do
/// not know which cookies a request carries. Therefore a response with `Vary: Cookie` matches no other request.
public struct CookieStorage: Sendable {
    /// The kinds of places.
    enum Place: Sendable, Equatable {
        case none, inMemory
        case file(URL)
    }

    let place: Place

    /// The service keeps and sends no cookies.
    public static let none = CookieStorage(place: .none)

    /// The service keeps cookies in memory, until it is released.
    public static let inMemory = CookieStorage(place: .inMemory)

    /// The service keeps cookies in memory, and those with an expiration date also in a file.
    ///
    /// Cookies without an expiration date belong to a session. Such cookies are not written, and are removed with the
    /// service.
    ///
    /// The file is read when the service sends its first request. The file is written after each change, off the main
    /// thread and atomically, so that a crash never leaves an incomplete file. If the service has a session, the file
    /// names the signed-in user by a digest, and the cookies of another user are not loaded. Only the current user of
    /// the system may read the file (mode 0600). The library neither reads nor writes links, or files that other users
    /// can read or change. In this case, the library logs the reason, and the service keeps its cookies in memory. If
    /// the content is damaged, the service starts without these cookies, and the file stays as it is until the first
    /// change. Missing folders are created. Use a file for one service only.
    ///
    /// If the service has a session, call `authenticate(with:)` before the first use of the cookies.
    public static func file(at url: URL) -> CookieStorage { CookieStorage(place: .file(url)) }
}
