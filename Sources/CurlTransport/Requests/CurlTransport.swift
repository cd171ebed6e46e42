#if os(Linux) || os(Android)
import CCurl

/// An HTTP client that uses the installed libcurl. The library is loaded at the first use.
///
/// Exchanges run on a thread of the transport, with as many connections as the options allow. Transports with equal
/// options share this thread, unless they store cookies. A running exchange keeps all objects that it needs. If no
/// exchange is running, the release of the transport ends the thread and closes the connections.
package final class CurlTransport: Sendable {
    /// The options of the transport.
    package let options: TransportOptions
    let engine: Engine

    /// Creates a transport.
    ///
    /// Throws a ``TransportError`` of kind ``TransportError/Kind/unsupported`` if libcurl 7.62 or later is not
    /// installed, or if the installed libcurl does not support the options.
    package convenience init(options: TransportOptions = TransportOptions()) throws {
        try self.init(options: options, libraries: CurlLibrary.names)
    }

    /// Creates a transport with the first of these libraries that exists. If none of them exists, it fails in the same
    /// way as on a machine without libcurl.
    package init(options: TransportOptions, libraries: [String]) throws {
        try CurlLibrary.load(libraries)
        if options.httpVersion == .http2, ccurl_version_number() < CurlLibrary.firstWithPriorKnowledge {
            throw TransportError(.unsupported, "HTTP/2 without TLS needs libcurl 8.0 or later")
        }
        try options.checkHeaders()
        self.options = options
        engine = try Engine.of(options)
    }

    /// True if a usable libcurl is installed.
    package static var isAvailable: Bool {
        (try? CurlLibrary.load()) != nil
    }

    /// The versions of libcurl and of its TLS library, such as "7.88.1 OpenSSL/3.0.15"; nil if libcurl is not
    /// available.
    package static var libraryVersion: String? {
        guard isAvailable, let version = ccurl_version() else { return nil }
        return [version, ccurl_tls_version()].compactMap { $0.map { String(cString: $0) } }.joined(separator: " ")
    }

    /// Starts an exchange and returns at once. Any thread may call this method.
    ///
    /// `completion` is called exactly once, even after a cancellation, on the transport's thread. All exchanges wait
    /// until it returns. While the thread has other work, it collects up to 8 completions for at most 0.2 ms, and then
    /// calls them together. Every status is a response, including 401 and 500. Redirects are treated according to the
    /// options.
    ///
    /// If a kept connection ends before the first byte of the response, the transport may send the request again. It
    /// does so only if the body can be sent again and a second copy of the request is harmless. A copy is harmless if
    /// the method is idempotent (GET, HEAD, OPTIONS, TRACE, PUT, DELETE), or if the request has an `Idempotency-Key`
    /// header. Any other request fails with ``TransportError/Kind/outcomeUnknown``, because the server may have carried
    /// it out (RFC 9110, section 9.2.2).
    @discardableResult
    package func start(
        _ request: TransportRequest, into destination: ResponseDestination = .memory,
        completion: @escaping @Sendable (Result<TransportResponse, TransportError>) -> Void
    ) -> TransportTask {
        precondition(request.cookieJar.map { $0.engine === engine } ?? true, "The jar belongs to another transport")
        let exchange = CurlExchange(request, into: destination, engine: engine, completion: completion)
        engine.commands.submit(.start(exchange))
        return TransportTask(exchange)
    }
}
#endif
