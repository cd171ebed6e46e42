#if os(Linux)
public import CurlTransport
import Dispatch
import Foundation
public import FoundationNetworking
import HTTPRules

/// Sends requests through libcurl, which is installed on every system with `URLSession`. Services on Linux use it by
/// default.
///
///     import CurlTransport
///     import Siesta
///
///     var options = TransportOptions()
///     options.caFile = "/etc/ssl/our-own.pem"
///     let service = Service(baseURL: "https://api.example.com", networking: CurlProvider(options: options))
///
/// The provider follows redirects. A redirect from https to http is an error unless `options.followsInsecureRedirects`
/// is true. To another scheme, host or port, it sends only those of the app's headers that cannot be secret: `Accept`,
/// `Accept-Language` and the like, `User-Agent`, `Cache-Control`, `Pragma`, `Range` and `If-Range`. By default it
/// stores no cookies; it never caches responses.
///
/// Providers with equal options share their connections, unless they store cookies. If the installed libcurl does not
/// support the options, or is missing, every request fails; the provider does not fall back to another library.
public struct CurlProvider: NetworkingProvider, Sendable {
    /// The limits, time-outs, trust and proxies of a provider. Import the module `CurlTransport` to use its members.
    public typealias Options = TransportOptions

    private let transport: Result<CurlTransport, TransportError>

    /// Creates a provider whose requests use `options`.
    ///
    /// If a request's `timeoutInterval` differs from 60 seconds, the default of `URLRequest`, it replaces
    /// `options.idleTimeout`: the number of seconds without any traffic after which the request fails. If it is longer
    /// than `options.loadTimeout`, it is also the limit for the whole load.
    public init(options: Options = Options()) {
        self.init(Result { () throws(TransportError) in try CurlTransport.opened(options) })
    }

    /// Creates a provider for an existing transport.
    public init(transport: CurlTransport) {
        self.init(.success(transport))
    }

    /// True if the transport stores cookies, which it sends in addition to those of a request.
    fileprivate var keepsCookies: Bool { (try? transport.get())?.options.cookies == .inMemory }

    /// Creates a provider with the result of creating a transport.
    init(_ transport: Result<CurlTransport, TransportError>) {
        self.transport = transport
    }

    /// Starts a transfer. `completion` runs on the transport's thread and must not block it.
    ///
    /// An error is a `URLError`; its `NSUnderlyingErrorKey` is the `TransportError`.
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

    /// The transport's rules for redirects; nil if it does not follow any.
    var redirectRules: RedirectRules? {
        guard let options = try? transport.get().options, case .follow(let limit) = options.redirects
        else { return nil }
        return RedirectRules(limit: limit, allowsInsecure: options.followsInsecureRedirects)
    }

    /// Starts a transfer. If `body` is not nil, it replaces the body of the request.
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
    /// Creates a transport with these options, and throws only errors of the transport.
    fileprivate static func opened(_ options: TransportOptions) throws(TransportError) -> CurlTransport {
        do {
            return try CurlTransport(options: options)
        } catch {
            throw error as? TransportError ?? TransportError(.unsupported, "\(error)")
        }
    }
}

extension HTTPURLResponse {
    /// Creates the response in Foundation's form: repeated fields are joined, except `Set-Cookie`, of which only the
    /// first is kept.
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
