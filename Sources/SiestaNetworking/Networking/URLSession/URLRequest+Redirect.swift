import Foundation
import HTTPRules

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension RedirectRules {
    /// Returns the step after a response to `request`. A body that is a stream can be sent only once.
    func step(after request: URLRequest, status: Int, location: String?, redirects: Int) -> Step {
        guard let url = request.url else { return .deliver }
        return step(
            after: .init(method: request.httpMethod ?? "GET", url: url, canResendBody: request.httpBodyStream == nil),
            status: status, location: location, redirects: redirects)
    }
}

extension URLRequest {
    func following(_ redirect: RedirectRules.Redirect) -> URLRequest {
        var next = self
        next.url = redirect.url
        next.httpMethod = redirect.method
        if !redirect.keepsBody {
            next.httpBodyStream = nil
            next.httpBody = nil
        }
        for name in (allHTTPHeaderFields ?? [:]).keys where !redirect.keepsHeader(name) {
            next.setValue(nil, forHTTPHeaderField: name)
        }
        return next
    }
}
