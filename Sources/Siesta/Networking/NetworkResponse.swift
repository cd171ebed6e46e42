package import Foundation

#if canImport(FoundationNetworking)
package import FoundationNetworking
#endif

/// The response or error that a transport returned for one call.
package struct NetworkResponse: Sendable {
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
        hasURL: Bool
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

extension NetworkResponse {
    /// Creates a response from the arguments of a ``RequestNetworkingCompletionCallback``.
    package init(_ response: HTTPURLResponse?, _ body: Data?, _ error: (any Error)?) {
        self.init(response, body, error, hasURL: true)
    }

    /// The head in Foundation's form; nil without a head whose URL is known.
    var urlResponse: HTTPURLResponse? { head?.urlResponse }
}

extension NetworkResponse.Head {
    /// The head in Foundation's form; nil if the URL is unknown. Repeated fields are joined, except `Set-Cookie`: only the
    /// first `Set-Cookie` field is kept.
    var urlResponse: HTTPURLResponse? {
        guard let url else { return nil }
        var (joined, names): ([String: String], [String: String]) = ([:], [:])
        for (name, value) in fields.pairs {
            let key = name.lowercased()
            if let first = names[key] {
                if key != "set-cookie" { joined[first, default: ""] += ", " + value }
            } else {
                (names[key], joined[name]) = (name, value)
            }
        }
        return HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: joined)
    }
}
