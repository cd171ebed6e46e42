import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The response or error that a networking provider returned for one request.
struct NetworkResponse: Sendable {
    /// The head of the response; nil if there was no response.
    var head: Head?
    var body: Data?
    var error: (any Error)?

    /// The parts of a response's head that the library uses.
    struct Head: Sendable {
        let status: Int
        let fields: HeaderFields
        /// The URL of the response after all redirects; nil if it is not needed, because the request carried no
        /// credential.
        var url: URL?
        /// The redirects that led to the response.
        var chain = NetworkResponse.RedirectChain.known([])
    }
}

extension NetworkResponse {
    /// Converts the arguments of a ``RequestNetworkingCompletionCallback``.
    ///
    /// - Parameters:
    ///   - chain: the redirects that led to the response.
    ///   - hasURL: true if the URL of the response is needed.
    init(
        _ response: HTTPURLResponse?, _ body: Data?, _ error: (any Error)?, after chain: RedirectChain = .unknown,
        hasURL: Bool = false
    ) {
        self.init(
            head: response.map { Head($0, url: hasURL ? $0.url : nil, after: chain) }, body: body, error: error)
    }
}

extension NetworkResponse.Head {
    init(_ response: HTTPURLResponse, url: URL? = nil, after chain: NetworkResponse.RedirectChain = .unknown) {
        self.init(status: response.statusCode, fields: HeaderFields(response), url: url, chain: chain)
    }
}

/// A provider of this module that does not need to make an `HTTPURLResponse`, which takes a fifth of a request's time.
protocol HeadProvider: NetworkingProvider {
    /// Does the same as ``NetworkingProvider/startRequest(_:completion:)``, but passes a ``NetworkResponse`` to the
    /// completion.
    @MainActor func startRequest(
        _ request: URLRequest, answering completion: @escaping @Sendable (NetworkResponse) -> Void
    ) -> any RequestNetworking
}

extension NetworkingProvider {
    /// Starts a request as ``startRequest(_:completion:)`` does, and converts its result.
    ///
    /// - Parameter tracksRedirects: true if the redirects are needed.
    @MainActor func startRequest(
        _ request: URLRequest, tracksRedirects: Bool,
        answering completion: @escaping @Sendable (NetworkResponse) -> Void
    ) -> any RequestNetworking {
        startRequest(request) {
            let chain = NetworkResponse.RedirectChain(from: request.url, to: $0?.url, isNeeded: tracksRedirects)
            completion(NetworkResponse($0, $1, $2, after: chain))
        }
    }
}
