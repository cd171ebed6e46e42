import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The header fields that a provider adds to a request if the request does not contain them.
package struct AddedFields: Sendable {
    let headers: [String: String]
    /// True if the provider may have cookies, and adds the matching cookies to requests.
    var keepsCookies: Bool

    init(headers: [String: String] = [:], keepsCookies: Bool) {
        (self.headers, self.keepsCookies) = (headers, keepsCookies)
    }

    init(_ configuration: URLSessionConfiguration) {
        headers = RequestDefaults(configuration).headers
        keepsCookies = configuration.httpShouldSetCookies && configuration.httpCookieStorage != nil
    }

    /// Returns the headers of a request as they are sent, as far as they are known.
    ///
    /// The cookies that the provider adds are unknown. The result contains a unique value in their place, so that two
    /// requests never seem equal.
    ///
    /// - Parameter others: fields that others add if the request and the provider do not.
    package func completing(
        _ requestHeaders: [String: String], and others: [(name: String, value: String)] = []
    ) -> [String: String] {
        var names = Set(requestHeaders.keys.map { $0.lowercased() })
        var result = requestHeaders
        func add(_ name: String, _ value: String) {
            if names.insert(name.lowercased()).inserted { result[name] = value }
        }
        for (name, value) in headers { add(name, value) }
        for (name, value) in others { add(name, value) }
        if keepsCookies { result["Cookie", default: ""] += "; \(UUID().uuidString)" }
        return result
    }
}
