#if os(Linux) || os(Android)
import Synchronization

/// A store of cookies for some of the requests of a transport (RFC 6265).
///
/// libcurl applies the rules for cookies: it stores the `Set-Cookie` fields of all responses to requests with this jar,
/// including redirects, and sends the cookies that belong to the URL of a request. It knows the list of package suffixes
/// if it was built with the list. Transports with different options cannot share a jar.
///
/// A jar keeps about 3000 cookies. If it receives more, it removes the oldest cookies of the domains that have the most.
///
/// Cookies are read and written as lines in Netscape's format, which libcurl's command-line tool also uses. The path in a
/// line is the one that libcurl compares with those of URLs. A line whose bytes are not UTF-8 is a null character and these
/// bytes as Latin-1. Any thread may use a jar. It keeps its transport's thread running.
package final class CookieJar: Sendable {
    /// The number of the jar among all jars of the process.
    let number: Int
    let engine: Engine
    let loading: (@Sendable () -> [String])?
    private let onChange: (@Sendable () -> Void)?
    private let hasReceived: Atomic<Bool>
    /// The number of received `Set-Cookie` fields.
    private let receivedCount = Atomic(0)

    private static let count = Atomic(0)

    /// Creates an empty jar.
    ///
    /// - Parameters:
    ///   - transport: The transport whose requests may use the jar.
    ///   - loading: Returns the lines of stored cookies. The transport calls it at most once, on its own thread, before
    ///     the first request with the jar. All exchanges wait until it returns.
    ///   - onChange: The transport calls this function on its own thread after a response has set a cookie.
    package init(
        for transport: CurlTransport, loading: (@Sendable () -> [String])? = nil,
        onChange: (@Sendable () -> Void)? = nil
    ) {
        number = Self.count.add(1, ordering: .relaxed).newValue
        engine = transport.engine
        self.loading = loading
        self.onChange = onChange
        hasReceived = Atomic(loading != nil)
    }

    deinit {
        engine.commands.submit(.perform { [number] in $0.closeJar(number) })
    }

    /// False if the jar has no cookies: it has loaded none, and no response has set one.
    package var mayHaveCookies: Bool { hasReceived.load(ordering: .relaxed) }

    /// Returns the lines of all cookies. Some of them may have ended.
    package func lines() async -> [String] {
        await perform { loop, jar in loop.lines(of: jar) }
    }

    /// Removes the cookies whose lines satisfy a condition. The transport's thread calls `isRemoved`.
    package func remove(where isRemoved: @escaping @Sendable (String) -> Bool) async {
        await perform { loop, jar in loop.removeLines(of: jar, where: isRemoved) }
        onChange?()
    }

    /// Runs `work` on the transport's thread. The function is `@concurrent`, so that its callers return to their actors: the
    /// optimizer of Swift 6.3 removes this step from specializations of generic functions that run on the caller's actor.
    @concurrent
    private func perform<Value: Sendable>(_ work: @escaping @Sendable (EventLoop, CookieJar) -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            engine.commands.submit(.perform { [self] loop in continuation.resume(returning: work(loop, self)) })
        }
    }

    /// Records that a response has set a cookie.
    func noteChange() {
        hasReceived.store(true, ordering: .relaxed)
        onChange?()
        guard receivedCount.add(1, ordering: .relaxed).newValue.isMultiple(of: CookieLimit.interval) else { return }
        // Later, because libcurl is about to store the cookie.
        engine.commands.submit(.perform { [number] in $0.limitCookies(ofJar: number) })
    }

    /// Records the end of loading.
    func noteLoaded(isEmpty: Bool) {
        hasReceived.store(!isEmpty, ordering: .relaxed)
    }
}
#endif
