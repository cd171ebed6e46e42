import HTTPRules

#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

extension URLSessionConfiguration: NetworkingProviderConvertible {
    /// A new provider that copies this configuration, and creates its own session from the copy at the first request.
    ///
    /// The session uses the configuration's headers, time-outs, connection limits, protocol classes and proxies. Siesta
    /// itself follows redirects. After a redirect to another scheme, host or port, Siesta sends only headers that
    /// cannot be secret, such as `Accept` and `User-Agent`. This also applies to the headers in
    /// `httpAdditionalHeaders`. `CurlProvider` follows the same rules, and its documentation lists the headers.
    ///
    /// A request fails in these cases:
    ///
    /// - A redirect leads from https to http. No option allows such redirects.
    /// - The server sends a 21st redirect.
    /// - The response body is kept in memory, and is longer than 64 MB.
    /// - The response has more than 1000 header fields.
    ///
    /// The session has no URL cache, even if the configuration contains one. Such a cache does not distinguish users, and
    /// would answer loads that must reach the server. If the session itself must cache, pass a `URLSession`.
    ///
    /// On Linux, the session has no cookie storage or credential storage either. With a cookie storage, the stored cookies
    /// would replace the `Cookie` header of a request, and might be written to disk. Instead, a ``Service`` keeps cookies
    /// in its own ``CookieStorage``, unless the configuration forbids cookies.
    ///
    /// On Linux, time-outs between packets (`timeoutIntervalForRequest`) are rounded up to whole seconds, and are at
    /// least one second. Protocol classes (subclasses of `URLProtocol`) run outside the session, because a session
    /// crashes the process if a protocol calls its client after `stopLoading()`. Therefore, the `task` property of a
    /// `URLProtocol` is nil.
    ///
    /// On other platforms, the session uses the cookie storage of the configuration, and the service keeps no cookies.
    ///
    /// On all platforms, `timeoutIntervalForResource` limits the duration of a request, including all redirects. If
    /// this property has its default of seven days, requests whose bodies are in memory may take at most ten minutes.
    ///
    /// On Linux, `URLSession` has defects that Siesta cannot work around:
    ///
    /// - These responses crash the process: a response with trailers after a chunked body, a response whose connection
    ///   closes before the head is complete, and a response with a `Content-Length` of 2^63 - 1.
    /// - Two kinds of responses do not reach the app: a response with a header field that is not UTF-8, and a response
    ///   without a reason phrase.
    /// - These header fields do not reach the app: a field without a value, and a field without a space after its
    ///   colon.
    /// - `URLSession` cannot connect to an IPv6 address in brackets.
    /// - If a response has a body with a content coding that `URLSession` cannot decode, the request fails.
    /// - There is no option for a file of trusted certificates.
    /// - While a server sends faster than the session reads, cancelling the request has no effect, and the memory grows.
    ///
    /// If you pass a `URLSession` instead, there are more defects; see ``URLSessionProvider``.
    public var siestaNetworkingProvider: any NetworkingProvider { SessionConfigurationProvider(self) }
}

/// A provider that sends requests through its own session, and avoids the defects of `URLSession` as far as possible.
///
/// Its sessions are created when they are first needed. They are invalidated after the provider and its last request
/// are released.
@MainActor
final class SessionConfigurationProvider {
    private let configuration: URLSessionConfiguration
    private let limits: ExchangeLimits
    private let keeper: CookieKeeper<SessionCookies>?
    /// A session for loads, one for streams, one for streams of events, one for requests for credentials, and one for
    /// requests that are not safe (RFC 9110 §9.2.1) while the session of loads is busy. Each has its own connections. A
    /// load therefore never waits for a stream, and a POST that logs in waits for neither loads nor streams.
    private lazy var session = ExchangeSession(configuration: configuration, limits: limits)
    private lazy var streams = ExchangeSession(configuration: configuration, limits: limits)
    private lazy var events: ExchangeSession = {
        let configuration = configuration.copied()
        // A stream of events does not end, so that another one would wait for ever.
        configuration.httpMaximumConnectionsPerHost = max(64, configuration.httpMaximumConnectionsPerHost)
        return ExchangeSession(configuration: configuration, limits: limits)
    }()
    private lazy var credentials = ExchangeSession(configuration: configuration, limits: limits)
    private lazy var changes = ExchangeSession(configuration: configuration, limits: limits)

    /// Creates a provider from the current settings of `configuration`. Later changes of `configuration` have no
    /// effect.
    init(
        _ configuration: URLSessionConfiguration, limits: ExchangeLimits = ExchangeLimits(),
        keeper: CookieKeeper<SessionCookies>? = nil
    ) {
        self.configuration = configuration.copied()
        self.limits = limits
        self.keeper = keeper
    }

    /// Creates the provider of ``DefaultNetworking``. Its session has no cookie storage, because a service has its own.
    convenience init(default userAgent: UserAgent) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        #if canImport(FoundationNetworking)
        if let value = userAgent.value { configuration.httpAdditionalHeaders = ["User-Agent": value] }
        #else
        // The standard value is that of the system, which names the app.
        if case .chosen(let value?) = userAgent { configuration.httpAdditionalHeaders = ["User-Agent": value] }
        #endif
        self.init(configuration)
        isDefault = true
    }

    private var isDefault = false
}

extension SessionConfigurationProvider: nonisolated Transport, nonisolated StreamingNetworkingProvider {
    var capabilities: TransportCapabilities { [.streaming, .extras] }

    /// Starts a call. A large body is copied to a file, because this is the only form that `URLSession` accepts on all
    /// platforms.
    ///
    /// A response with a receiver is passed on while it arrives. A slow receiver makes the server wait, except on Linux.
    /// There, the request fails with `URLError.dataLengthExceedsMaximum` when 64 MB are buffered.
    func start(
        _ call: TransportCall, completion: @escaping @Sendable (NetworkResponse) -> Void
    ) -> any RequestNetworking {
        guard let body = call.body else { return start(call.request, call, in: session(for: call), completion) }
        guard body.isRepeatable else {
            return FailedStart(RequestError.Failure.streamingUnsupported(by: URLSession.self), completion)
        }
        var call = call
        call.cookies = call.cookies ?? keeper?.current
        return SpooledRequest(call.request, body: body, completion: completion) { [self, call] in
            start($0, file: $1, call, in: session(for: call), $2)
        }
    }

    private func start(
        _ request: URLRequest, file: URL? = nil, _ call: TransportCall, in session: ExchangeSession,
        _ completion: @escaping @Sendable (NetworkResponse) -> Void
    ) -> any RequestNetworking {
        let hasURL = call.reportsURL
        return session.exchange(
            request, file: file, receiver: call.receiver, extras: call.extras,
            cookies: call.cookies as? SessionCookies ?? keeper?.current
        ) { completion(NetworkResponse($0, $1, $2, after: $3, hasURL: hasURL)) }
    }

    private func session(for call: TransportCall) -> ExchangeSession {
        guard call.receiver == nil else {
            return call.request.value(forHTTPHeaderField: "Accept") == "text/event-stream" ? events : streams
        }
        guard call.body == nil else { return streams }
        if call.extras?.obtainsCredential ?? false { return credentials }
        let isFree = session.count < configuration.httpMaximumConnectionsPerHost
        return isFree || HTTPMethods.isSafe(call.request.httpMethod ?? "GET") ? session : changes
    }

    /// The headers of the configuration. On Linux, no cookies are added, because the sessions store none.
    var addedFields: AddedFields {
        let sent = configuration.hardened()
        sent.httpAdditionalHeaders = configuration.httpAdditionalHeaders
        return AddedFields(sent)
    }
}

extension SessionConfigurationProvider {
    var cookieKeeper: (any CookieKeeping)? { keeper }

    /// Returns a provider with its own session.
    ///
    /// On Apple platforms, the session of a configuration of the app keeps cookies itself. On Linux, it cannot; then the
    /// service keeps them if the configuration allows cookies.
    func keepingCookies(in storage: CookieStorage, of owner: CookieOwner) -> any Transport {
        guard storage.place != .none, isDefault || Self.replacesCookies && allowsCookies else { return self }
        let keeper = CookieKeeper(storage, of: owner) { SessionCookies(loading: $0, onChange: $1) }
        return SessionConfigurationProvider(configuration, limits: limits, keeper: keeper)
    }

    private var allowsCookies: Bool {
        configuration.httpShouldSetCookies && configuration.httpCookieAcceptPolicy != .never
            && configuration.httpCookieStorage != nil
    }

    #if os(Linux) || os(Android)
    private static let replacesCookies = true
    #else
    private static let replacesCookies = false
    #endif
}
