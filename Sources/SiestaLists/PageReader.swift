import Foundation
import HTTPRules
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
    /// The place of the items in a page, for changes; nil if it is not known.
    let place: (any ItemPlace<Item>)?

    init<Page: Sendable>(
        items: @escaping (Page) -> [Item], at place: WritableKeyPath<Page, [Item]>?, next: PageLink<Page>,
        previous: PageLink<Page>?, total: PageTotal<Page>?
    ) {
        self.place = place.map { PageItems(path: $0) }
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

/// The place of the items in pages of one type.
package protocol ItemPlace<Item> {
    associatedtype Page: Sendable
    associatedtype Item: Sendable

    var path: WritableKeyPath<Page, [Item]> { get }
}

extension ItemPlace {
    /// The place, for comparisons.
    var anyPath: AnyKeyPath { path }
}

private struct PageItems<Page: Sendable, Item: Sendable>: ItemPlace {
    let path: WritableKeyPath<Page, [Item]>
}

/// A direction in a list.
enum PageDirection: Int, CaseIterable { case next, previous }

/// The origins of the pages of a list (RFC 6454). Pure.
struct PageOrigins {
    private struct User: Hashable {
        let origin: URLOrigin
        let name: ExactText?
        let password: ExactText?

        /// Creates the user that a URL contains; nil if it contains none.
        init?(_ url: URL) {
            guard url.user != nil || url.password != nil else { return nil }
            origin = URLOrigin(url)
            (name, password) = (url.user.map { ExactText($0) }, url.password.map { ExactText($0) })
        }
    }

    private let allowed: Set<URLOrigin>
    private let users: Set<User>

    /// Allows the origins of these URLs.
    init(_ urls: [URL]) {
        allowed = Set(urls.map(URLOrigin.init).filter { !$0.host.isEmpty })
        users = Set(urls.compactMap(User.init))
    }

    /// Returns true if the origin of `url` is allowed, and if `url` names no other user than the URLs of the app. A server
    /// must not choose the credentials of a request (RFC 9110 §4.2.4).
    func contains(_ url: URL) -> Bool {
        guard allowed.contains(URLOrigin(url)) else { return false }
        return User(url).map(users.contains) ?? true
    }
}
