package import Foundation

#if canImport(FoundationNetworking)
package import FoundationNetworking
#endif

/// The response or error that a transport returned for one call.
package struct NetworkResponse: Sendable {
    /// The head of the response; nil if there was no response.
    package var head: Head?
    package var body: Data?
    package var error: (any Error)?

    package init(head: Head? = nil, body: Data? = nil, error: (any Error)? = nil) {
        (self.head, self.body, self.error) = (head, body, error)
    }

    /// The parts of a response's head that the library uses.
    package struct Head: Sendable {
        package let status: Int
        package let fields: HeaderFields
        /// The URL of the response after all redirects; nil if it is not needed, because the request carried no
        /// credential and is not paced.
        package var url: URL?
        /// The redirects that led to the response.
        package var chain: NetworkResponse.RedirectChain

        package init(status: Int, fields: HeaderFields, url: URL? = nil, chain: RedirectChain = .known([])) {
            (self.status, self.fields, self.url, self.chain) = (status, fields, url, chain)
        }
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

extension URLError {
    /// The name of the detail with the origin of the failed request.
    static let originName = "SiestaFailingOrigin"
}

extension NetworkResponse {
    /// The origin of the last request if it has failed without a response; nil if it is unknown.
    package var failedOrigin: String? {
        head == nil ? (error as? URLError)?.userInfo[URLError.originName] as? String : nil
    }
}

extension NetworkResponse.Head {
    package init(_ response: HTTPURLResponse, url: URL? = nil, after chain: NetworkResponse.RedirectChain = .unknown) {
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
