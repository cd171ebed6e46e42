import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What a session configuration asks of every request and `URLSession` does not do well enough by itself.
struct RequestDefaults: Sendable {
    /// Fields added to a request that does not set them. Given to the session, they would go along to other origins.
    let headers: [String: String]

    /// Seconds that any request may take, redirects included; nil for no limit.
    private let totalTimeout: TimeInterval?

    /// Seconds that a request may take whose bodies are both in memory; nil for no limit.
    private let loadTimeout: TimeInterval?

    init(_ configuration: URLSessionConfiguration) {
        var headers: [String: String] = [:]
        for (name, value) in configuration.httpAdditionalHeaders ?? [:] {
            headers["\(name)"] = "\(value)"
        }
        self.headers = headers
        let timeout = configuration.timeoutIntervalForResource
        totalTimeout = timeout > 0 && timeout < Self.sevenDays ? timeout : nil
        loadTimeout = timeout == Self.sevenDays ? Self.tenMinutes : nil
    }

    /// The default of `timeoutIntervalForResource`, which means that nobody has set it.
    private static let sevenDays: TimeInterval = 7 * 24 * 60 * 60
    private static let tenMinutes: TimeInterval = 10 * 60

    /// Seconds that a request may take, redirects included; nil for no limit.
    ///
    /// Loads have ten minutes unless the configuration sets another limit. A server may be silent until the time-out of
    /// the request, so that the ten minutes are never less than that.
    func totalTimeout(for request: URLRequest, isStreamed: Bool) -> TimeInterval? {
        guard totalTimeout == nil, !isStreamed, request.httpBodyStream == nil else { return totalTimeout }
        return loadTimeout.map { max($0, request.timeoutInterval) }
    }

    /// `request` with the default headers that it does not have.
    func applied(to request: URLRequest) -> URLRequest {
        guard request.url != nil else { return request }  // changing it traps on Linux
        var request = request
        for (name, value) in headers where request.value(forHTTPHeaderField: name) == nil {
            request.setValue(value, forHTTPHeaderField: name)
        }
        return request
    }
}

extension URLSessionConfiguration {
    /// An independent copy.
    func copied() -> URLSessionConfiguration {
        guard let copy = copy() as? URLSessionConfiguration else {
            preconditionFailure("A copy of a session configuration is a session configuration")
        }
        return copy
    }

    /// A copy for a session whose requests get ``RequestDefaults`` applied, without what is harmful on Linux.
    func hardened() -> URLSessionConfiguration {
        let result = copied()
        result.httpAdditionalHeaders = nil
        #if os(Linux)
        let ownProtocols = result.appProtocols
        result.protocolClasses = result.protocolClasses?.filter { type in !ownProtocols.contains { $0 == type } }
        result.urlCache = nil
        result.httpCookieStorage = nil
        result.httpCookieAcceptPolicy = .never
        result.httpShouldSetCookies = false
        result.urlCredentialStorage = nil
        result.timeoutIntervalForRequest = result.timeoutIntervalForRequest.inWholeSeconds
        #endif
        return result
    }
}

extension URLRequest {
    /// The request in a form that `URLSession` carries out as it was meant.
    func hardened() -> URLRequest {
        #if os(Linux)
        var result = self
        if timeoutInterval != timeoutInterval.inWholeSeconds {  // once set, it outranks the session's
            result.timeoutInterval = timeoutInterval.inWholeSeconds
        }
        if httpBodyStream != nil {  // a stream is always sent chunked; a length beside that is forbidden
            result.setValue(nil, forHTTPHeaderField: "Content-Length")
        }
        return result
        #else
        return self
        #endif
    }
}

#if os(Linux)
extension URLSessionConfiguration {
    /// The protocol classes that are not those of `URLSession` itself. ``ProtocolLoad`` runs them.
    var appProtocols: [URLProtocol.Type] {
        (protocolClasses ?? []).compactMap { $0 as? URLProtocol.Type }
            .filter { !String(reflecting: $0).hasPrefix("FoundationNetworking.") }
    }
}
#endif

#if os(Linux)
extension TimeInterval {
    /// The time-out rounded up to what `URLSession` can do: it cuts off fractions, so that 0.9 would fire at once, and
    /// traps on infinity.
    fileprivate var inWholeSeconds: TimeInterval {
        isNaN ? 60 : min(max(1, rounded(.up)), 100_000_000)
    }
}
#endif
