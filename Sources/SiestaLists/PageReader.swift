import Foundation
import SiestaCore

/// Reads the items and the links of pages, whose content may be of any type.
@MainActor
struct PageReader<Item: Sendable> {
    /// Returns the items of a page; nil if its content is of another type.
    let items: (Entity<Any>) -> [Item]?
    /// Returns the error for content of another type.
    let mismatch: (Entity<Any>) -> RequestError?
    let total: (Entity<Any>) -> Int?
    /// Returns the page to which a page leads; nil if there is none.
    let target: (Resource, _ itemCount: Int, _ total: Int?, PageDirection) -> Resource?

    init<Page: Sendable>(
        items: @escaping (Page) -> [Item], next: PageLink<Page>, previous: PageLink<Page>?, total: PageTotal<Page>?
    ) {
        let previous = previous ?? (next.isReversible ? next : nil)
        let entity = { (data: Entity<Any>) in data.cast(to: Page.self).map(data.withContent) }
        self.items = { $0.cast(to: Page.self).map(items) }
        mismatch = { $0.mismatch(with: Page.self) }
        self.total = { data in entity(data).flatMap { total?.value($0) } }
        target = { resource, itemCount, total, direction in
            guard let entity = resource.shownData.flatMap(entity) else { return nil }
            let start = PageLink<Page>.Start(
                resource: resource, entity: entity, itemCount: itemCount, total: total)
            return direction == .next ? next.target(start, .next) : previous?.target(start, .previous)
        }
    }
}

/// A direction in a list.
enum PageDirection: Int, CaseIterable { case next, previous }

/// The origins of the pages of a list (RFC 6454). Pure.
struct PageOrigins {
    private let allowed: Set<String>
    private let users: Set<String>

    /// Allows the origins of these URLs.
    init(_ urls: [URL]) {
        allowed = Set(urls.compactMap(Self.origin))
        users = Set(urls.compactMap(Self.user))
    }

    /// Returns true if the origin of `url` is allowed, and if `url` names no other user than the URLs of the app. A server
    /// must not choose the credentials of a request (RFC 9110 §4.2.4).
    func contains(_ url: URL) -> Bool {
        guard Self.origin(url).map(allowed.contains) ?? false else { return false }
        return url.user == nil && url.password == nil || Self.user(url).map(users.contains) ?? false
    }

    /// Returns the origin of a URL with the user and the password that it contains; nil if it contains neither.
    private static func user(_ url: URL) -> String? {
        guard url.user != nil || url.password != nil else { return nil }
        return origin(url).map { "\(url.user ?? ""):\(url.password ?? "")@\($0)" }
    }

    /// Returns scheme, host and port; nil if the URL has none.
    private static func origin(_ url: URL) -> String? {
        guard let scheme = url.scheme?.lowercased(), let host = url.host(percentEncoded: true)?.lowercased(),
            !host.isEmpty
        else { return nil }
        let standardPort = ["https": 443, "http": 80][scheme]
        return "\(scheme)://\(host):\(url.port ?? standardPort ?? 0)"
    }
}
