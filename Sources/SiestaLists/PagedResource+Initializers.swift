public import Foundation
public import SiestaCore

extension PagedResource where Item: Identifiable {
    /// Creates a list whose pages are arrays of items. The `id` of an item is its identity.
    ///
    /// - Parameters:
    ///   - first: The page with which the list begins.
    ///   - next: The link to the next page.
    ///   - previous: The link to the previous page. If it is nil, the list uses `next`, provided that this link can also
    ///     lead to previous pages; see ``PageLink``.
    ///   - total: The source of the total number of items; nil if the server does not send this number.
    ///   - origins: URLs of other origins to which links between pages may lead. The origin of `first` is always
    ///     allowed.
    ///   - maxPages: The maximum number of pages; see ``maxPages``.
    public convenience init(
        _ first: TypedResource<[Item]>, next: PageLink<[Item]>, previous: PageLink<[Item]>? = nil,
        total: PageTotal<[Item]>? = nil, alsoAt origins: [URL] = [], maxPages: Int? = nil
    ) {
        self.init(
            first, items: \.self, next: next, previous: previous, total: total, alsoAt: origins, maxPages: maxPages)
    }

    /// Creates a list whose pages are objects that contain items. The `id` of an item is its identity.
    ///
    ///     let posts = PagedResource(firstPage, items: \.posts, next: .url(\.nextURL))
    ///
    /// - Parameters:
    ///   - first: The page with which the list begins.
    ///   - items: The key path from a page to its items.
    ///   - next: The link to the next page.
    ///   - previous: The link to the previous page. If it is nil, the list uses `next`, provided that this link can also
    ///     lead to previous pages; see ``PageLink``.
    ///   - total: The source of the total number of items; nil if the server does not send this number.
    ///   - origins: URLs of other origins to which links between pages may lead.
    ///   - maxPages: The maximum number of pages; see ``maxPages``.
    public convenience init<Page: Sendable>(
        _ first: TypedResource<Page>, items: WritableKeyPath<Page, [Item]>, next: PageLink<Page>,
        previous: PageLink<Page>? = nil, total: PageTotal<Page>? = nil, alsoAt origins: [URL] = [],
        maxPages: Int? = nil
    ) {
        self.init(
            first, items: items, id: { $0.id }, next: next, previous: previous, total: total, alsoAt: origins,
            maxPages: maxPages)
    }

    /// Creates a list whose pages are objects from which a closure takes the items. The `id` of an item is its
    /// identity.
    ///
    /// The list cannot edit the items in such pages. It therefore shows the creation, update or deletion of an item
    /// only after its pages have been loaded again.
    public convenience init<Page: Sendable>(
        _ first: TypedResource<Page>, items: @escaping (Page) -> [Item], next: PageLink<Page>,
        previous: PageLink<Page>? = nil, total: PageTotal<Page>? = nil, alsoAt origins: [URL] = [],
        maxPages: Int? = nil
    ) {
        self.init(
            first, items: items, id: { $0.id }, next: next, previous: previous, total: total, alsoAt: origins,
            maxPages: maxPages)
    }
}

extension PagedResource {
    /// Creates a list whose pages are arrays of items. The identity of an item is the result of a closure.
    ///
    ///     let names = PagedResource(firstPage, id: { $0 }, next: .pageNumber())
    ///
    /// `id` is a key path or a closure that returns the identity of an item. The other parameters are the same as for
    /// lists of `Identifiable` items.
    public convenience init<ID: Hashable>(
        _ first: TypedResource<[Item]>, id: @escaping (Item) -> ID, next: PageLink<[Item]>,
        previous: PageLink<[Item]>? = nil, total: PageTotal<[Item]>? = nil, alsoAt origins: [URL] = [],
        maxPages: Int? = nil
    ) {
        self.init(
            first, items: \.self, id: id, next: next, previous: previous, total: total, alsoAt: origins,
            maxPages: maxPages)
    }

    /// Creates a list whose pages are objects that contain items. The identity of an item is the result of a closure.
    public convenience init<Page: Sendable, ID: Hashable>(
        _ first: TypedResource<Page>, items: WritableKeyPath<Page, [Item]>, id: @escaping (Item) -> ID,
        next: PageLink<Page>, previous: PageLink<Page>? = nil, total: PageTotal<Page>? = nil,
        alsoAt origins: [URL] = [], maxPages: Int? = nil
    ) {
        let reader = PageReader(
            items: { $0[keyPath: items] }, at: items, next: next, previous: previous, total: total)
        self.init(first.resource, reader: reader, id: ItemIdentity.of(id), alsoAt: origins, maxPages: maxPages)
        pathComponent = { ItemIdentity.pathComponent(id($0)) }
    }

    /// Creates a list whose pages are objects from which a closure takes the items. The identity of an item is the
    /// result of a closure.
    public convenience init<Page: Sendable, ID: Hashable>(
        _ first: TypedResource<Page>, items: @escaping (Page) -> [Item], id: @escaping (Item) -> ID,
        next: PageLink<Page>, previous: PageLink<Page>? = nil, total: PageTotal<Page>? = nil,
        alsoAt origins: [URL] = [], maxPages: Int? = nil
    ) {
        let reader = PageReader(items: items, at: nil, next: next, previous: previous, total: total)
        self.init(first.resource, reader: reader, id: ItemIdentity.of(id), alsoAt: origins, maxPages: maxPages)
        pathComponent = { ItemIdentity.pathComponent(id($0)) }
    }

    /// Creates a list whose pages are arrays of items without an identity. An item that moves to another page on the
    /// server may be in the list twice.
    public convenience init(
        withoutIdentity first: TypedResource<[Item]>, next: PageLink<[Item]>, previous: PageLink<[Item]>? = nil,
        total: PageTotal<[Item]>? = nil, alsoAt origins: [URL] = [], maxPages: Int? = nil
    ) {
        self.init(
            withoutIdentity: first, items: { $0 }, next: next, previous: previous, total: total, alsoAt: origins,
            maxPages: maxPages)
    }

    /// Creates a list whose pages are objects that contain items without an identity. An item that moves to another
    /// page on the server may be in the list twice.
    public convenience init<Page: Sendable>(
        withoutIdentity first: TypedResource<Page>, items: @escaping (Page) -> [Item], next: PageLink<Page>,
        previous: PageLink<Page>? = nil, total: PageTotal<Page>? = nil, alsoAt origins: [URL] = [],
        maxPages: Int? = nil
    ) {
        let reader = PageReader(items: items, at: nil, next: next, previous: previous, total: total)
        self.init(first.resource, reader: reader, id: nil, alsoAt: origins, maxPages: maxPages)
    }
}
