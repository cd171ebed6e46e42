import Foundation
public import SiestaCore

/// The link from a page of a list to the next page or to the previous page.
///
/// ``link``, ``pageNumber(_:first:size:)`` and ``offset(_:limit:limitParameter:)`` lead to the next and to the previous
/// page. All other links lead in one direction only: to the next page if you pass them as `next`, and to the previous
/// page if you pass them as `previous`.
///
/// The loads of the first page can have a body (``Service/resource(_:loadedBy:body:)``). The library then also sends
/// this body to load the pages that it finds by page numbers, offsets or cursors. It uses GET to load pages that it
/// finds by a `Link` header or a URL.
@MainActor
public struct PageLink<Page: Sendable> {
    /// A page, as the start of a link.
    struct Start {
        let resource: Resource
        let entity: Entity<Page>
        /// The number of the page's items, and of all items on the server, if known.
        let itemCount: Int
        let total: Int?
    }

    let isReversible: Bool
    let target: (Start, PageDirection) -> Resource?

    init(isReversible: Bool, target: @escaping (Start, PageDirection) -> Resource?) {
        (self.isReversible, self.target) = (isReversible, target)
    }

    /// The `Link` header (RFC 8288), with the relation type `next` for the next page, and `prev` or `previous` for the
    /// previous page. GitHub, GitLab and Shopify send this header.
    ///
    /// If a response with status 304 has a `Link` header, this header replaces the earlier `Link` header of the page.
    public static var link: PageLink {
        PageLink(isReversible: true) { start, direction in
            start.resource.linked(direction == .next ? ["next"] : ["prev", "previous"], in: start.entity)
        }
    }

    /// A query parameter with the number of the page: `?page=2`.
    ///
    /// A page without items is the last page. If `size` is given, a page with fewer than `size` items is also the last
    /// page.
    ///
    /// - Parameters:
    ///   - parameter: The name of the parameter.
    ///   - first: The number of the first page. A URL without the parameter leads to this page.
    ///   - size: The number of items on each page except the last page; nil if this number is not known.
    public static func pageNumber(_ parameter: String = "page", first: Int = 1, size: Int? = nil) -> PageLink {
        PageLink(isReversible: true) { start, direction in
            let number = start.resource.number(parameter) ?? first
            switch direction {
            case .previous:
                return number > first ? start.resource.page([parameter: String(number - 1)]) : nil
            case .next:
                guard number < .max, start.itemCount >= max(size ?? 1, 1) else { return nil }
                if let size, size > 0, let total = start.total {
                    let (index, isFar) = max(number, first).subtractingReportingOverflow(first)
                    let (end, isTooLarge) = index.multipliedReportingOverflow(by: size)
                    guard !isFar, !isTooLarge, total > size, end < total - size else { return nil }
                }
                return start.resource.page([parameter: String(number + 1)])
            }
        }
    }

    /// A query parameter with the number of items before the page: `?offset=20&limit=20`.
    ///
    /// A page with fewer than `limit` items is the last page.
    ///
    /// - Parameters:
    ///   - parameter: The name of the parameter. A URL without the parameter has the offset 0.
    ///   - limit: The number of items on each page, greater than 0.
    ///   - limitParameter: The name of the query parameter with the limit; nil if the URLs contain no limit.
    public static func offset(
        _ parameter: String = "offset", limit: Int, limitParameter: String? = "limit"
    ) -> PageLink {
        PageLink(isReversible: true) { start, direction in
            guard limit > 0 else { return nil }
            let offset = start.resource.number(parameter) ?? 0
            let (next, isTooLarge) = offset.addingReportingOverflow(direction == .next ? limit : -limit)
            guard !isTooLarge else { return nil }
            switch direction {
            case .previous where offset <= 0: return nil
            case .next where start.itemCount < limit || next >= start.total ?? .max: return nil
            default: break
            }
            var parameters: [String: String?] = [parameter: String(max(next, 0))]
            if let limitParameter { parameters[limitParameter] = String(limit) }
            return start.resource.page(parameters)
        }
    }

    /// A query parameter with a cursor: `?after=…`. The content of each page contains the cursor of the next page. A
    /// page without a cursor is the last page.
    ///
    ///     PagedResource(posts, items: \.posts, next: .cursor("after", \.nextCursor))
    ///
    /// - Parameters:
    ///   - parameter: The name of the parameter.
    ///   - cursor: A key path or a closure that returns the cursor of a page. An empty cursor, or one longer than
    ///     16 KB, counts as no cursor.
    public static func cursor(_ parameter: String, _ cursor: @escaping (Page) -> String?) -> PageLink {
        PageLink(isReversible: false) { start, _ in
            start.resource.withCursor(parameter, cursor(start.entity.content))
        }
    }

    /// A query parameter with a cursor, as in ``cursor(_:_:)``. A response header of each page contains the cursor of
    /// the next page.
    public static func cursor(_ parameter: String, header: String) -> PageLink {
        PageLink(isReversible: false) { start, _ in
            start.resource.withCursor(parameter, start.entity.header(forKey: header))
        }
    }

    /// A URL in the content of the page. It may be relative to the URL of the page. A page without such a URL is the
    /// last page.
    ///
    /// - Parameter url: A key path or a closure that returns the URL. An empty string, or one longer than 16 KB, counts
    ///   as no URL.
    public static func url(_ url: @escaping (Page) -> String?) -> PageLink {
        PageLink(isReversible: false) { start, _ in
            guard let href = url(start.entity.content), PageLinkLimit.allows(href) else { return nil }
            return start.resource.linkTarget(href)
        }
    }

    /// A resource that a closure returns for the content of the page. For example, use this link if the request body of
    /// a load contains the cursor (``Service/resource(_:as:loadedBy:body:)``). If the closure returns nil, the page is
    /// the last page.
    ///
    /// - Parameter resource: A closure that returns the resource of the next page. The closure is called on the main
    ///   thread, each time the list has changed.
    public static func resource(_ resource: @escaping (Page) -> TypedResource<Page>?) -> PageLink {
        PageLink(isReversible: false) { start, _ in resource(start.entity.content)?.resource }
    }
}

/// The size limit of a cursor or a URL in a page. The list makes a URL of it on the main actor.
private enum PageLinkLimit {
    static func allows(_ text: String) -> Bool { 1...(16 << 10) ~= text.utf8.count }
}

extension Resource {
    fileprivate func withCursor(_ parameter: String, _ cursor: String?) -> Resource? {
        guard let cursor, PageLinkLimit.allows(cursor) else { return nil }
        return page([parameter: cursor])
    }

    /// Returns the resource with other query parameters, whose loads have the same body.
    fileprivate func page(_ parameters: [String: String?]) -> Resource {
        let plain = withParams(parameters)
        return loadBody.map { context.resource(plain, loadedWith: $0) } ?? plain
    }

    /// Returns the value of a query parameter, if it is a number.
    fileprivate func number(_ parameter: String) -> Int? {
        let items = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems
        return items?.first { $0.name == parameter }?.value.flatMap { Int($0) }
    }
}
