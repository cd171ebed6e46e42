#if os(Linux) || os(Android)
import CurlTransport
import Foundation
import Isolation

/// A cookie jar of the transport as the store of a service. libcurl applies the rules for cookies.
final class CurlCookies: CookieStore {
    let jar: CookieJar

    init(
        _ transport: CurlTransport, loading: (@Sendable () -> [Cookie])?, onChange: (@Sendable (CurlCookies) -> Void)?
    ) {
        let place = Locked(Place())
        var (lines, report): ((@Sendable () -> [String])?, (@Sendable () -> Void)?)
        if let loading { lines = { loading().map(\.line) } }
        if let onChange { report = { if let store = place.withLock({ $0.store }) { onChange(store) } } }
        jar = CookieJar(for: transport, loading: lines, onChange: report)
        place.withLock { $0.store = self }
    }

    private struct Place {
        weak var store: CurlCookies?
    }

    var mayHaveCookies: Bool { jar.mayHaveCookies }

    func cookies() async -> [Cookie] {
        let now = Date()
        return await jar.lines().compactMap { Cookie(line: $0) }.filter { $0.isCurrent(at: now) }
    }

    func remove(where isRemoved: @escaping @Sendable (Cookie) -> Bool) async {
        await jar.remove { line in Cookie(line: line).map(isRemoved) ?? false }
    }

    func removeAll() async {
        await jar.remove { _ in true }
    }
}

extension CurlProvider {
    @MainActor package var cookieKeeper: (any CookieKeeping)? { keeper }

    @MainActor package func keepingCookies(in storage: CookieStorage, of owner: CookieOwner) -> any Transport {
        guard storage.place != .none, let transport = try? transport.get(), !transport.options.keepsCookies else {
            return self
        }
        var provider = self
        provider.keeper = CookieKeeper(storage, of: owner) { CurlCookies(transport, loading: $0, onChange: $1) }
        return provider
    }
}
#endif
