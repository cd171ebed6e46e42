#if os(Linux) || os(Android)
public import CurlTransport
import Dispatch
import Foundation
public import FoundationNetworking
import HTTPRules

/// A provider that sends requests through libcurl, which is installed on every system with `URLSession`. Services on
/// Linux use this provider by default.
///
///     import CurlTransport
///     import Siesta
///
///     var options = TransportOptions()
///     options.caFile = "/etc/ssl/our-own.pem"
///     let service = Service(baseURL: "https://api.example.com", networking: CurlProvider(options: options))
///
/// The provider follows redirects. A redirect from https to http is an error unless `options.followsInsecureRedirects`
/// is true. After a redirect to another scheme, host or port, it sends only those headers of the app that cannot be
/// secret: `Accept`, `Accept-Language` and similar headers, `User-Agent`, `Cache-Control`, `Pragma`, `Range` and
/// `If-Range`. If it sends the body again, it also sends the headers that describe the body. If the next request
/// changes something, it also sends the preconditions, such as `If-Match`. A ``Service`` keeps the cookies of its requests
/// in its own ``CookieStorage``; without a service, the provider stores no cookies by default. It never caches responses.
///
/// Providers with equal options share their connections, unless they store cookies. If libcurl is missing or does not
/// support the options, every request fails; the provider never uses another library.
public struct CurlProvider: NetworkingProvider, Sendable {
    /// The limits, time-outs, trust and proxies of a provider. Import the module `CurlTransport` to use its members.
    public typealias Options = TransportOptions

    let transport: Result<CurlTransport, TransportError>

    /// The cookies of a service; nil if the provider keeps none for a service.
    var keeper: CookieKeeper<CurlCookies>?

    /// Creates a provider whose requests use `options`.
    ///
    /// If a request's `timeoutInterval` differs from 60 seconds, the default of `URLRequest`, it replaces
    /// `options.idleTimeout`: the number of seconds without any traffic after which the request fails. If the interval
    /// is longer than `options.loadTimeout`, it is also the limit for the whole load.
    public init(options: Options = Options()) {
        self.init(Result { () throws(TransportError) in try CurlTransport.opened(options) })
    }

    /// Creates a provider for an existing transport.
    public init(transport: CurlTransport) {
        self.init(.success(transport))
    }

    /// True if the transport stores cookies. It sends them in addition to the cookies of a request.
    fileprivate var keepsCookies: Bool { (try? transport.get())?.options.cookies == .inMemory }

    /// Creates a provider with a transport, or with the error of its creation.
    init(_ transport: Result<CurlTransport, TransportError>) {
        self.transport = transport
    }

    /// Starts an exchange. `completion` runs on any thread, often on the transport's, and must not block it.
    ///
    /// An error is a `URLError`; its `NSUnderlyingErrorKey` is the `TransportError`.
    public func startRequest(
        _ request: URLRequest, completion: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking {
        startRequest(request, body: nil, receiver: nil, completion: completion)
    }

    /// The transport's rules for redirects; nil if the transport follows no redirects.
    var redirectRules: RedirectRules? {
        guard let options = try? transport.get().options, case .follow(let limit) = options.redirects
        else { return nil }
        return RedirectRules(limit: limit, allowsInsecure: options.followsInsecureRedirects)
    }

    /// Starts an exchange. If `body` is not nil, it replaces the body of the request.
    @MainActor private func start(
        _ request: URLRequest, body: TransportRequest.Body?, into destination: ResponseDestination,
        extras: RequestExtras?,
        completion: @escaping @Sendable (Result<TransportResponse, TransportError>) -> Void
    ) -> CurlRequestNetworking {
        let exchange = CurlRequestNetworking(completion)
        do throws(TransportError) {
            let transport = try transport.get()
            var request = try TransportRequest(request)
            if let body { request.body = body }
            if let extras { request.apply(extras) }
            request.cookieJar = keeper?.current.jar
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
        return start(call.request, body: nil, into: .memory, extras: call.extras) { result in
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
        return start(request, body: content, into: destination, extras: call.extras) { result in
            switch result {
            case .success(let response):
                let isUnrepeatable = rules?.wouldSendBodyAgain(after: response.head, to: request) ?? false
                completion(
                    NetworkResponse(
                        head: .init(response, hasURL: hasURL), body: isKept && !isUnrepeatable ? response.body : nil,
                        error: isUnrepeatable ? RequestError.Cause.UnrepeatableBody() : nil))
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
