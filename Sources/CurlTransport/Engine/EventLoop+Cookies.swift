#if os(Linux) || os(Android)
import CCurl

/// The cookies of a jar in libcurl. Only the engine's thread may use them. The handles that use the share keep it alive.
final class CookieShare {
    let number: Int
    let share: OpaquePointer

    init?(number: Int) {
        guard let share = ccurl_cookie_share_make() else { return nil }
        self.number = number
        self.share = share
    }

    deinit {
        ccurl_share_cleanup(share)
    }
}

/// The cookie jars of an engine.
extension EventLoop {
    /// Returns the cookies of a jar. Loads them at the first use. Returns nil if there is no memory.
    func share(for jar: CookieJar) -> CookieShare? {
        if let known = shares[jar.number] { return known }
        guard let share = CookieShare(number: jar.number) else { return nil }
        shares[jar.number] = share
        if let loading = jar.loading {
            let lines = loading()
            withHandle(using: share) { $0.addCookies(lines) }
            jar.noteLoaded(isEmpty: lines.isEmpty)
        }
        return share
    }

    /// Prepares a handle for a request with or without a jar.
    func prepare(_ handle: EasyHandle, for jar: CookieJar?) {
        guard handle.jarNumber != jar?.number, options.cookies == .off else { return }
        handle.use(jar.flatMap { share(for: $0) })
    }

    /// Releases the cookies of a jar.
    func closeJar(_ number: Int) {
        shares[number] = nil
        for handle in pool where handle.jarNumber == number { handle.use(nil) }
    }

    func lines(of jar: CookieJar) -> [String] {
        guard let share = share(for: jar) else { return [] }
        return withHandle(using: share) { $0.cookieLines } ?? []
    }

    func removeLines(of jar: CookieJar, where isRemoved: (String) -> Bool) {
        guard let share = share(for: jar) else { return }
        withHandle(using: share) { handle in
            let kept = handle.cookieLines.filter { !isRemoved($0) }  // libcurl can remove only all cookies
            handle.removeCookies()
            handle.addCookies(kept)
        }
    }

    @discardableResult
    private func withHandle<Value>(using share: CookieShare, _ work: (EasyHandle) -> Value) -> Value? {
        guard let handle = pool.popLast() ?? EasyHandle(settings: settings, loop: self) else { return nil }
        defer { pool.append(handle) }
        handle.use(share)
        return work(handle)
    }
}
#endif
