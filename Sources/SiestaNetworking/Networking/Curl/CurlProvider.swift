#if os(Linux) || os(Android)
public import CurlTransport
import Dispatch
import Foundation
public import FoundationNetworking
import HTTPRules

/// A provider that sends requests through libcurl. Services on Linux use this provider by default. libcurl is installed
/// on every Linux system with `URLSession`.
///
///     import CurlTransport
///     import Siesta
///
///     var options = TransportOptions()
///     options.caFile = "/etc/ssl/our-own.pem"
///     let service = Service(baseURL: "https://api.example.com", networking: CurlProvider(options: options))
///
/// This example sends requests to a server on a Unix socket:
///
///     var toDocker = TransportOptions()
///     toDocker.unixSocket = "/var/run/docker.sock"
///     let docker = Service(baseURL: "http://docker", networking: CurlProvider(options: toDocker))
///
/// The options determine limits, time-outs, trusted certificates and proxies. `TransportOptions` documents each option
/// with its default. The type belongs to the module `CurlTransport`, a product of this package that does not depend on
/// Siesta.
///
/// If libcurl is missing, every request fails; the provider never uses another library. Every request also fails if you
/// set an option for certificates, keys, proxies, addresses or Unix sockets that the installed libcurl does not
/// support. The provider never ignores such an option, because the security of the app may depend on it.
///
/// ## Connections
///
/// Services with equal options share their connections. Byte streams, downloads, and uploads from files or streams use
/// a second set of connections with the same limits, so that loads do not wait for them. Event streams use a third set.
/// Requests for credentials use a fourth set, so that signing in does not wait for other requests. When the number of
/// loads in progress has reached the limit of connections to a host, unsafe requests, such as POST, use a fifth set.
///
/// The provider keeps connections open for later requests. If such a connection ends before the first byte of the
/// response, the provider sends the request again if both of these conditions hold:
///
/// - A second copy of the request does no harm: the method is idempotent, or the request has an `Idempotency-Key`.
/// - The body can be read again.
///
/// Otherwise, the request fails, but the server may have carried it out. If a second copy of the request may do harm,
/// the kind of ``RequestError/transportError`` is `outcomeUnknown`.
///
/// If a connection ends during the TLS handshake, the server has not received the request. The provider then connects
/// again, at most three times, without a delay, for any request whose body can be read again. For more attempts, with
/// delays, see <doc:Retrying>.
///
/// ## Cookies and storage
///
/// A ``Service`` keeps the cookies of its requests in its own ``CookieStorage``. The provider itself stores no cookies
/// by default. If `options.keepsCookies` is true, each provider that ``init(options:)`` creates has its own
/// connections, and one set of cookies for all services that use the provider. The provider stores no responses and no
/// credentials, and writes nothing to disk.
///
/// ## Requests
///
/// The provider sends the headers of a request unchanged, except `Content-Length` and `Transfer-Encoding`, which it
/// sets itself.
///
/// A user name and a password in the URL are sent as `Authorization: Basic`. If the service has a session, its requests
/// carry the session's credential, and the provider responds to Digest challenges; see <doc:SigningInAndOut>. Without a
/// session, a response with status 401 is treated like any other response.
///
/// The provider sends the user name and the password of a proxy with Basic authentication. They never appear in
/// descriptions, errors or logs.
///
/// ## Redirects
///
/// The provider follows up to 20 redirects over http and https. The method and the body of the new request follow the
/// rules of RFC 9110. By default, a redirect from https to http is an error; see `options.followsInsecureRedirects`.
///
/// If a redirect leads to another origin (another scheme, host or port), the provider sends only headers that cannot be
/// secret. These headers of the original request are kept:
///
/// - `Accept`, `Accept-Charset`, `Accept-Datetime`, `Accept-Encoding`, `Accept-Language`, `Cache-Control`, `If-Range`,
///   `Pragma`, `Range` and `User-Agent`.
/// - Preconditions, if the method of the new request is not GET, HEAD or OPTIONS: `If-Match`, `If-None-Match`,
///   `If-Modified-Since` and `If-Unmodified-Since`.
/// - Headers that describe the body, if the body is sent again: `Content-Digest`, `Content-Disposition`,
///   `Content-Encoding`, `Content-Language`, `Content-Length`, `Content-Location`, `Content-Type`, `Digest`, `Expect`,
///   `Idempotency-Key`, `Last-Modified`, `Repr-Digest`, `Trailer` and `Transfer-Encoding`.
///
/// The provider drops all other headers, including `Authorization`, `Cookie` and all custom headers of the app.
///
/// A redirect to the same origin keeps all headers, with two exceptions. If the body is not sent again, the provider
/// drops the headers that describe the body. If the method of the new request is GET, HEAD or OPTIONS, the provider
/// drops preconditions. A precondition applies only to the resource that was requested first: another resource may have
/// the same `ETag` for different content.
///
/// ## Responses
///
/// The provider requests and decodes gzip and deflate. If `Content-Encoding` names another coding, alone or in a list,
/// the app receives the body as the server sent it, with all headers. A request fails in these cases:
///
/// - More than one gzip or deflate coding is applied to the body.
/// - The body is coded with gzip or deflate, and the request sets an `Accept-Encoding` that does not name this coding.
/// - The body is damaged, or longer than `options.bodyBytes`.
///
/// If the status is 400 or more in one of these cases, the response keeps its status and its headers, but has an empty
/// body. libcurl may reject a `Content-Encoding` with more than five codings.
///
/// The option `totalBodyBytes` limits the total memory of the bodies that the provider receives or decodes at the same
/// time. The first 64 KB of each body do not count.
///
/// If another provider wraps a `CurlProvider`, an `HTTPURLResponse` is created for each response. Without a wrapper, no
/// such object is created for loads and ordinary requests, so their responses are handled faster.
///
/// ## HTTP/2
///
/// The provider uses HTTP/2 only if `options.httpVersion` selects it. The version `.http2OverTLS` uses HTTP/2 only on
/// connections with TLS. On such a connection, a request uses HTTP/2 only if three conditions are met: it is idempotent
/// or has an `Idempotency-Key`, its body is no larger than 16 KB, and its response is kept in memory. All other
/// requests use HTTP/1.1. With the version `.http2`, these conditions do not apply, and HTTP/2 is used even without
/// TLS. This version needs libcurl 8.
///
/// A server can truncate a body with `RST_STREAM(NO_ERROR)`. libcurl 7.88, 8.14 and 8.23 then report the body as
/// complete. The provider detects the truncation only if the response has a `Content-Length`, or if the provider
/// decompresses the body, because compressed data marks its own end.
public struct CurlProvider: NetworkingProvider, Sendable {
    /// The options of a provider, such as limits, time-outs, trusted certificates and proxies. To access the members of
    /// this type, import the module `CurlTransport`.
    public typealias Options = TransportOptions

    let transport: Result<CurlTransport, TransportError>

    /// The cookies of a service; nil if the provider keeps none for a service.
    var keeper: CookieKeeper<CurlCookies>?

    /// Creates a provider whose requests use `options`.
    ///
    /// If a request's `timeoutInterval` differs from 60 seconds, the default of `URLRequest`, the interval replaces
    /// `options.idleTimeout`. The request then fails after this number of seconds without any traffic. The option
    /// `loadTimeout` limits the duration of the whole load. If the interval is longer than this limit, the interval
    /// also replaces the limit.
    public init(options: Options = Options()) {
        self.init(Result { () throws(TransportError) in try CurlTransport.opened(options) })
    }

    /// Creates a provider for an existing transport.
    package init(transport: CurlTransport) {
        self.init(.success(transport))
    }

    /// True if the transport stores cookies. It sends them in addition to the cookies of a request.
    fileprivate var keepsCookies: Bool { (try? transport.get())?.options.keepsCookies == true }

    /// Creates a provider with a transport, or with the error of its creation.
    init(_ transport: Result<CurlTransport, TransportError>) {
        self.transport = transport
    }

    /// Starts an exchange. `completion` runs on any thread, often on the thread of the transport, and must not block
    /// this thread.
    ///
    /// Every error is a `URLError`, whose `userInfo[NSUnderlyingErrorKey]` is the `TransportError`.
    public func startRequest(
        _ request: URLRequest, completion: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking {
        startRequest(request, body: nil, receiver: nil, completion: completion)
    }

    /// The transport's rules for redirects; nil if the transport follows no redirects.
    var redirectRules: RedirectRules? { (try? transport.get())?.options.redirectRules }

    /// Starts an exchange. If `body` is not nil, it replaces the body of the request.
    @MainActor private func start(
        _ request: URLRequest, body: TransportRequest.Body?, into destination: ResponseDestination,
        extras: RequestExtras?, cookies: (any CookieStore)? = nil,
        completion: @escaping @Sendable (Result<TransportResponse, TransportError>) -> Void
    ) -> CurlRequestNetworking {
        let exchange = CurlRequestNetworking(completion)
        do throws(TransportError) {
            let transport = try transport.get()
            var request = try TransportRequest(request)
            if let body { request.body = body }
            if let extras { request.apply(extras) }
            request.cookieJar = (cookies as? CurlCookies ?? keeper?.current)?.jar
            let task = transport.start(request, into: destination) { exchange.complete($0) }
            exchange.isCarried(by: task)
        } catch {
            DispatchQueue.global(qos: .userInitiated).async { exchange.complete(.failure(error)) }
        }
        return exchange
    }
}

extension CurlProvider: Transport {
    package var capabilities: TransportCapabilities { [.streaming, .extras] }

    package func start(
        _ call: TransportCall, completion: @escaping @Sendable (NetworkResponse) -> Void
    ) -> any RequestNetworking {
        let hasURL = call.reportsURL
        guard !call.isStreamed else { return stream(call, completion) }
        return start(call.request, body: nil, into: .memory, extras: call.extras, cookies: call.cookies) { result in
            switch result {
            case .success(let response):
                completion(NetworkResponse(head: .init(response, hasURL: hasURL), body: response.body))
            case .failure(let error): completion(NetworkResponse(error: URLError(error)))
            }
        }
    }

    @MainActor private func stream(
        _ call: TransportCall, _ completion: @escaping @Sendable (NetworkResponse) -> Void
    ) -> any RequestNetworking {
        let content = call.body.map { TransportRequest.Body.stream(BodyAdapter($0), length: $0.length) }
        let destination = call.receiver.map { ResponseDestination.consumer(ReceiverAdapter(receiver: $0)) } ?? .memory
        let isRepeatable = call.body?.isRepeatable ?? true
        let rules = isRepeatable || call.extras?.deliversRedirects == true ? nil : redirectRules
        let (request, hasURL, isKept) = (call.request, call.reportsURL, call.receiver == nil)
        return start(request, body: content, into: destination, extras: call.extras, cookies: call.cookies) { result in
            switch result {
            case .success(let response):
                let isUnrepeatable = rules?.wouldSendBodyAgain(after: response.head, to: request) ?? false
                completion(
                    NetworkResponse(
                        head: .init(response, hasURL: hasURL), body: isKept && !isUnrepeatable ? response.body : nil,
                        error: isUnrepeatable ? RequestError.Failure(.unrepeatableBody) : nil))
            case .failure(let error): completion(NetworkResponse(error: error.publicError))
            }
        }
    }

    package var addedFields: AddedFields {
        let userAgent = (try? transport.get())?.options.userAgent
        return AddedFields(headers: userAgent.map { ["User-Agent": $0] } ?? [:], keepsCookies: keepsCookies)
    }
}

extension NetworkResponse.Head {
    /// Creates the head of a response. It has no URL unless `hasURL` is true.
    fileprivate init(_ response: TransportResponse, hasURL: Bool) {
        self.init(status: response.head.status, fields: HeaderFields(response.head.headers.fields))
        if hasURL { url = response.head.url }
        guard response.metrics.redirects > 0 else { return }
        chain = response.hasAllRedirects ? .known(response.redirects.map { NetworkResponse.Hop($0) }) : .unknown
    }
}

extension NetworkResponse.Hop {
    fileprivate init(_ head: ResponseHead) {
        self.init(status: head.status, fields: HeaderFields(head.headers.fields))
    }
}

extension CurlTransport {
    /// Creates a transport with these options, and throws only errors of the transport.
    fileprivate static func opened(_ options: TransportOptions) throws(TransportError) -> CurlTransport {
        do {
            return try CurlTransport(options: options)
        } catch {
            throw error as? TransportError ?? TransportError(.unsupported, "\(error)")
        }
    }
}
#endif
