#if os(Linux) || os(Android)
/// The cookie jars of an engine.
extension EventLoop {
    /// Returns the cookies of a jar. Loads them at the first use. Returns nil if there is no memory.
    func share(for jar: CookieJar) -> CookieShare? {
        if let known = shares[jar.number] { return known }
        guard let share = CookieShare(number: jar.number) else { return nil }
        shares[jar.number] = share
        if let loading = jar.loading {
            let lines = CookieLimit.kept(of: loading())
            share.add(lines)
            jar.noteLoaded(isEmpty: lines.isEmpty)
        }
        return share
    }

    /// Prepares a handle for a request with or without a jar.
    func prepare(_ handle: EasyHandle, for jar: CookieJar?) {
        guard handle.jarNumber != jar?.number, !options.keepsCookies else { return }
        handle.use(jar.flatMap { share(for: $0) })
    }

    /// Releases the cookies of a jar.
    func closeJar(_ number: Int) {
        shares[number] = nil
        for handle in pool where handle.jarNumber == number { handle.use(nil) }
    }

    /// Removes cookies of a jar that has too many.
    func limitCookies(ofJar number: Int) {
        shares[number]?.limit()
    }

    func lines(of jar: CookieJar) -> [String] { share(for: jar)?.lines ?? [] }

    func removeLines(of jar: CookieJar, where isRemoved: (String) -> Bool) { share(for: jar)?.remove(where: isRemoved) }
}
#endif
