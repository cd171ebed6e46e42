import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The header fields that a provider sends with requests that do not have them.
struct AddedFields: Sendable {
    let headers: [String: String]
    /// Whether the provider keeps cookies, and sends those that belong to a request.
    let keepsCookies: Bool

    init(keepsCookies: Bool) {
        (headers, self.keepsCookies) = ([:], keepsCookies)
    }

    init(_ configuration: URLSessionConfiguration) {
        headers = RequestDefaults(configuration).headers
        keepsCookies = configuration.httpShouldSetCookies && configuration.httpCookieStorage != nil
    }

    /// The headers of a request as they are sent, as far as they are known.
    ///
    /// Cookies that the provider adds are not: for them stands a value that is never the same, so that nobody takes
    /// two requests for alike.
    func completing(_ requestHeaders: [String: String]) -> [String: String] {
        let names = Set(requestHeaders.keys.map { $0.lowercased() })
        var result = requestHeaders
        for (name, value) in headers where !names.contains(name.lowercased()) { result[name] = value }
        if keepsCookies { result["Cookie", default: ""] += "; \(UUID().uuidString)" }
        return result
    }
}

/// A provider that knows what it adds to requests.
protocol FieldAddingProvider: NetworkingProvider {
    @MainActor var addedFields: AddedFields { get }
}

extension URLSessionProvider: FieldAddingProvider {
    var addedFields: AddedFields { AddedFields(session.configuration) }
}
