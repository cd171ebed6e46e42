#if os(Linux)
import CCurl

/// An HTTP client on the libcurl that is installed, which is opened when it is first needed.
///
/// Transfers run on a thread of the transport's, with as many connections as the options allow. Those of transports
/// with equal options share it. A transfer in progress keeps what it needs; without any, releasing the transport ends
/// the thread and closes the connections.
public final class CurlTransport: Sendable {
    /// What the transport was made with.
    public let options: TransportOptions
    private let engine: Engine

    /// Creates a transport.
    ///
    /// Throws a ``TransportError`` of kind ``TransportError/Kind/unsupported`` if there is no libcurl of version 7.62
    /// or later, or if that cannot do what the options ask for.
    public convenience init(options: TransportOptions = TransportOptions()) throws {
        try self.init(options: options, libraries: CurlLibrary.names)
    }

    /// Creates a transport on the first of some libraries; on names that do not exist, it fails as on a machine
    /// without libcurl.
    package init(options: TransportOptions, libraries: [String]) throws {
        try CurlLibrary.load(libraries)
        if options.httpVersion == .http2, ccurl_version_number() < CurlLibrary.firstWithPriorKnowledge {
            throw TransportError(.unsupported, "HTTP/2 without TLS needs libcurl 8.0 or later")
        }
        try options.checkHeaders()
        self.options = options
        engine = try Engine.of(options)
    }

    /// Whether there is a libcurl that can be used.
    public static var isAvailable: Bool {
        (try? CurlLibrary.load()) != nil
    }

    /// The version of libcurl and of its TLS library, such as "7.88.1 OpenSSL/3.0.15"; nil without libcurl.
    public static var libraryVersion: String? {
        guard isAvailable, let version = ccurl_version() else { return nil }
        return [version, ccurl_tls_version()].compactMap { $0.map { String(cString: $0) } }.joined(separator: " ")
    }

    /// Starts a transfer, without waiting for anything; on any thread.
    ///
    /// `completion` is called exactly once, also after a cancel, on the transport's thread: all transfers wait until
    /// it returns. Every status is a response, 401 and 500, too; redirects are followed as the options say.
    ///
    /// If a kept connection ends without a byte of response, a request is sent again if its method is idempotent (GET,
    /// HEAD, OPTIONS, TRACE, PUT, DELETE) or it has an `Idempotency-Key` header, and its body can be sent again. Any
    /// other request fails with ``TransportError/Kind/outcomeUnknown``: the server may have carried it out (RFC 9110,
    /// section 9.2.2).
    @discardableResult
    public func start(
        _ request: TransportRequest, into destination: ResponseDestination = .memory,
        completion: @escaping @Sendable (Result<TransportResponse, TransportError>) -> Void
    ) -> TransportTask {
        let transfer = Transfer(request, into: destination, engine: engine, completion: completion)
        engine.commands.submit(.start(transfer))
        return TransportTask(transfer)
    }
}
#endif
