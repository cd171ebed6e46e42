package import Foundation
import HTTPRules

extension NetworkResponse {
    /// Returns a URL of each server that asks for its caches to be cleared with `Clear-Site-Data`: of the last server, and of
    /// those whose redirects led to it. If the last server is not known, its field has no effect.
    ///
    /// - Parameter url: the URL to which the request was sent first.
    package func serversClearingCaches(requestedAt url: URL?) -> [URL] {
        guard let head, let url, ([head.fields] + head.redirects.map(\.fields)).contains(where: \.clearsCache) else {
            return []
        }
        var (current, servers): (URL?, [URL]) = (url, [])
        for hop in head.redirects {
            guard let source = current else { break }
            if hop.fields.clearsCache { servers.append(source) }
            current = hop.redirect(of: "GET", to: source)?.url
        }
        if let last = head.url ?? (head.hasUnknownRedirects ? nil : current), head.fields.clearsCache {
            servers.append(last)
        }
        return servers
    }
}

extension HeaderFields {
    fileprivate var clearsCache: Bool { self["clear-site-data"].map { ClearSiteData($0).clearsCache } ?? false }
}
