#if os(Linux)
public import CurlTransport
import Dispatch
import Foundation
public import FoundationNetworking
import HTTPRules

/// Sends requests through libcurl, which every system with `URLSession` has: what services on Linux use by default.
///
///     import CurlTransport
///     import Siesta
///
///     var options = TransportOptions()
///     options.caFile = "/etc/ssl/our-own.pem"
///     let service = Service(baseURL: "https://api.example.com", networking: CurlProvider(options: options))
///
/// Redirects are followed, but not from https to http: that is an error unless `options.followsInsecureRedirects` is on.
/// To another scheme, host or port, the headers that an app sets do not go along, but for those that can be no secret:
/// `Accept`, `Accept-Language` and their kin, `User-Agent`, `Cache-Control`, `Pragma`, `Range` and `If-Range`. Cookies are not kept, nothing is cached. Providers with equal options share their
/// connections. If there is no libcurl that can do what the options ask for, every request fails; nothing else is used
/// in its place.
public struct CurlProvider: NetworkingProvider, Sendable {
    /// Limits, time-outs, trust and proxies. Their members come with module `CurlTransport`.
    public typealias Options = TransportOptions

    private let transport: Result<CurlTransport, TransportError>

    /// Creates a provider whose requests are carried out as `options` say.
    ///
    /// A request with a `timeoutInterval` other than the 60 seconds of every `URLRequest` has that instead of
    /// `options.idleTimeout`: so many seconds may pass in which nothing moves. If that is longer than
    /// `options.loadTimeout`, the whole load may take as long.
    public init(options: Options = Options()) {
        self.init(Result { () throws(TransportError) in try CurlTransport.opened(options) })
    }

    /// Creates a provider on a transport that is there.
    public init(transport: CurlTransport) {
        self.init(.success(transport))
    }

    /// Whether the transport keeps cookies, which it sends in addition to those of a request.
    fileprivate var keepsCookies: Bool { (try? transport.get())?.options.cookies == .inMemory }

    /// Creates a provider on what came of opening a transport.
    init(_ transport: Result<CurlTransport, TransportError>) {
        self.transport = transport
    }

    /// Starts a transfer; `completion` runs on the transport's thread, which must not be made to wait.
    ///
    /// An error is a `URLError` with the `TransportError` behind it as its `NSUnderlyingErrorKey`.
    public func startRequest(
        _ request: URLRequest, completion: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking {
        start(request) { result in
            switch result {
            case .success(let response): completion(HTTPURLResponse(response.head), response.body, nil)
            case .failure(let error): completion(nil, nil, URLError(error))
            }
        }
    }

    /// How the transport follows redirects; nil if it does not.
    var redirectRules: RedirectRules? {
        guard let options = try? transport.get().options, case .follow(let limit) = options.redirects
        else { return nil }
        return RedirectRules(limit: limit, allowsInsecure: options.followsInsecureRedirects)
    }

    /// Starts a transfer; `body` takes the place of the request's own if there is one.
    func start(
        _ request: URLRequest, body: TransportRequest.Body? = nil, into destination: ResponseDestination = .memory,
        completion: @escaping @Sendable (Result<TransportResponse, TransportError>) -> Void
    ) -> CurlTransfer {
        let transfer = CurlTransfer(completion)
        do throws(TransportError) {
            let transport = try transport.get()
            var request = try TransportRequest(request)
            if let body { request.body = body }
            let task = transport.start(request, into: destination) { transfer.complete($0) }
            transfer.isCarried(by: task)
        } catch {
            DispatchQueue.global(qos: .userInitiated).async { transfer.complete(.failure(error)) }
        }
        return transfer
    }
}

extension CurlProvider: HeadProvider {
    func startRequest(
        _ request: URLRequest, answering completion: @escaping @Sendable (ProviderAnswer) -> Void
    ) -> any RequestNetworking {
        start(request) { result in
            switch result {
            case .success(let response):
                let head = ProviderAnswer.Head(
                    status: response.head.status, fields: HeaderFields(response.head.headers))
                completion(ProviderAnswer(head: head, body: response.body, error: nil))
            case .failure(let error):
                completion(ProviderAnswer(head: nil, body: nil, error: URLError(error)))
            }
        }
    }
}

extension CurlTransport {
    /// A transport with these options; its error is known to be the transport's own.
    fileprivate static func opened(_ options: TransportOptions) throws(TransportError) -> CurlTransport {
        do {
            return try CurlTransport(options: options)
        } catch {
            throw error as? TransportError ?? TransportError(.unsupported, "\(error)")
        }
    }
}

extension HTTPURLResponse {
    /// The response as Foundation has it: repeated fields joined, of `Set-Cookie` the first alone.
    convenience init?(_ head: ResponseHead) {
        let fields = head.headers.combined.map { ($0.name, $0.value) }
        self.init(
            url: head.url, statusCode: head.status, httpVersion: "HTTP/\(head.httpVersion)",
            headerFields: Dictionary(fields) { first, _ in first })
    }
}

extension CurlProvider: FieldAddingProvider {
    var addedFields: AddedFields { AddedFields(keepsCookies: keepsCookies) }
}
#endif
