import Foundation
public import Observation
public import SiestaCore

/// A list whose items come from several resources, the pages of the list.
///
///     let repos = PagedResource(api.repositories(of: "apple"), next: .link)
///     try await repos.loadNext()
///     show(repos.items.count, repos.hasNext)
///
/// Each page is an ordinary resource of the service, with its own freshness, caches, conditional requests and
/// observers. The list observes its pages, and changes whenever a page changes, even if other code has loaded the page.
/// If the load of a page fails, all pages keep their items.
///
/// If the items have an identity, each item is in the list only once, even if items move from page to page on the
/// server. The identity is the `id` of `Identifiable` items, or the result of a closure. Without an identity, the list
/// contains all items of all pages, and an item that has moved may be in the list twice.
///
/// Whenever the first page gets new content, the other pages become stale, and the new content is merged into the list
/// as ``PageReload/firstThenMerge`` describes. If the service wipes a page, for example because the user signs out, the
/// list ends before this page.
///
/// While the list has observers, or while loops iterate over its ``states``, it counts as an observer of its pages.
/// Polling and the triggers of ``Configuration/reload`` then also load the pages. When the owner of an observer is
/// released, the list detects this within about one second.
///
/// Use a list on the main actor. The list keeps its pages in memory. If a task that waits for a page is cancelled, the
/// load of the page continues.
@MainActor
public final class PagedResource<Item: Sendable> {
    let reader: PageReader<Item>
    let origins: PageOrigins
    /// The properties that Observation can track, in the order of ``PagedResourceProperties``.
    let tracked = (0..<PagedResourceProperties.count).map { _ in TrackedProperty() }
    let relay = PageRelay()
    /// The observer that makes the list count as an observer of its pages; nil while the list has no observers.
    var presence: PagePresence?
    /// The first page of the whole list, as far as it is known. The list may begin with a later page.
    var top: Resource
    /// Change it with ``edit(_:)``, because a change may call code of the app, which may read the list.
    private(set) var list: PageList<Resource, Item>
    /// True while the items are being changed. The events of pages are handled afterwards.
    var isChanging = false
    var delayedEvents: [(page: Resource, event: ResourceEvent)] = []
    /// The pages that were dropped at the beginning, as addresses.
    var dropped = DroppedPages()
    var observed: Set<Resource> = []
    /// A number that changes whenever the list observes other resources.
    var observedRevision = 0
    /// The page that the list receives next in each direction, if its load has begun.
    var expected: [PageDirection: Resource] = [:]
    var loads: [PageDirection: PageLoad] = [:]
    /// The direction whose load is about to begin. The page sends the event of its load before ``loads`` contains the
    /// load.
    var beginning: PageDirection?
    /// The page that is loaded in place of the page after another page of the list.
    var replacement: (page: Resource, predecessor: Resource)?
    var isReloadingAll = false
    var reloading: (strategy: PageReload, task: Task<RequestError?, Never>)?
    /// A number that changes when the list starts again.
    var generation = 0
    var busy: Set<Resource> = []
    var failures: [Failure] = []
    var known = Status()
    let listeners = PageListeners<PagedResource<Item>>()
    var currentTotal: Int?
    /// The items of edited pages without the edits.
    var serverItems: [Resource: ServerItems] = [:]
    /// Returns the identity of an item as the last component of a path; nil if there is none.
    var pathComponent: (Item) -> String? = { _ in nil }
    var ownCollection: Resource?
    var ownItemResource: ((Item) -> Resource)?
    /// A number that changes when the links may have changed, and the number for which they were computed last.
    var linksNumber = 0
    var knownLinksNumber = -1
    var links: (next: Resource?, previous: Resource?)

    /// The items of a page without edits.
    struct ServerItems {
        /// The items that the server has sent; nil if neither the app nor a change has edited the data since.
        var sent: [Item]?
        /// The items without the pending changes; nil if there are none.
        var unedited: [Item]?
    }

    /// A page whose last load has failed.
    typealias Failure = (page: Resource, error: RequestError)

    /// The maximum number of pages; nil for no limit. The default is nil.
    ///
    /// If the list exceeds this number when a page is added at one end, pages at the other end are dropped.
    /// ``loadPrevious()`` and ``loadNext()`` add the dropped pages again. A number below 1 counts as 1.
    public var maxPages: Int?

    /// The positions in ``items`` of the items that are on screen. The default is nil: all pages count as visible. Set
    /// this property if the app uses ``PageReload/visible``.
    public var visibleItems: Range<Int>?

    init(
        _ first: Resource, reader: PageReader<Item>, id: ((Item) -> AnyHashable)?, alsoAt origins: [URL], maxPages: Int?
    ) {
        (self.reader, self.maxPages, top) = (reader, maxPages, first)
        self.origins = PageOrigins([first.url] + origins)
        list = PageList(first: first, id: id)
        relay.handler = { [weak self] in self?.pageChanged($0, $1) }
        observe(first)
        takeIfPresent(first)
        note(first)
        update()
        first.context.feature(PagedLists.self).add(self)
    }

    /// Changes a copy of the list, which replaces the list. Code of the app that is called during the change reads the old
    /// list. Items that leave the list are released afterwards.
    func edit<Result>(_ change: (inout PageList<Resource, Item>) -> Result) -> Result {
        var new = list
        let result = change(&new)
        let old = exchange(&list, with: new)
        withExtendedLifetime(old) {}
        return result
    }

    /// Adds a page at the end of the list, without a copy of the list.
    func appendToList(_ page: Resource, _ content: [Item]) {
        var shownIDs = list.takeShownIDs()
        let addition = PageList.Addition(page, at: list.slots.count, content, id: list.id, &shownIDs)
        list.append(addition, shownIDs)
    }

    // MARK: State

    /// The items of all pages, in order. The array is empty if no page has content yet.
    ///
    /// If the app keeps an earlier value of this property, adding a page copies the whole array.
    public var items: [Item] {
        track(.items)
        if top.hasShownData { return list.items }  // The usual case, without the costs of generic code.
        // The first page may have been wiped, and the list has not been told yet.
        return list.isEmpty || list.slots[0].key.hasShownData ? list.items : []
    }

    /// The pages of the list, in order. At first, the array contains only the first page, even if it has no content
    /// yet.
    public var pages: [Resource] {
        track(.pages)
        return list.slots.map(\.key)
    }

    /// The pages of the list, followed by pages that are being loaded for the list but are not part of it yet.
    public var resources: [Resource] {
        track(.pages)
        track(.resources)
        return list.slots.map(\.key) + observed.filter { !list.keys.contains($0) }
    }

    /// True if there is a page that ``loadNext()`` can add. Before the first load, this property is true, because
    /// ``loadNext()`` loads the first page.
    ///
    /// The property is false at the end of the list. It is also false if the link to the next page leads to an origin
    /// that is not allowed, or to a page that is already in the list.
    public var hasNext: Bool {
        track(.hasNext)
        return known.next != nil
    }

    /// True if there is a previous page that ``loadPrevious()`` can add.
    public var hasPrevious: Bool {
        track(.hasPrevious)
        return known.previous != nil
    }

    /// True if any page is being loaded.
    public var isLoading: Bool {
        track(.isLoading)
        return known.isLoading
    }

    /// True if ``loadNext()`` has started a load that is still running.
    public var isLoadingNext: Bool {
        track(.isLoadingNext)
        return known.isLoadingNext
    }

    /// True if ``loadPrevious()`` has started a load that is still running.
    public var isLoadingPrevious: Bool {
        track(.isLoadingPrevious)
        return known.isLoadingPrevious
    }

    /// The newest error of a page; nil if the last load of each page succeeded. The `requestURL` of the error is the
    /// URL of the page.
    public var error: RequestError? {
        track(.error)
        return known.error?.error
    }

    /// The total number of items on the server, according to the page that was loaded most recently. Nil if no page
    /// provides this number, or if the list was created without a ``PageTotal``.
    public var total: Int? {
        track(.total)
        return known.total
    }

    /// The current state of the list, as a value that does not change.
    public var snapshot: Snapshot {
        Snapshot(
            items: items, hasNext: hasNext, hasPrevious: hasPrevious, isLoading: isLoading,
            isLoadingNext: isLoadingNext, isLoadingPrevious: isLoadingPrevious, error: error, total: total)
    }

    /// The state of a list at one point in time. A snapshot can be used on any thread.
    public struct Snapshot: Sendable {
        /// The items of all pages.
        public let items: [Item]
        /// True if there was a next page that ``PagedResource/loadNext()`` could add.
        public let hasNext: Bool
        /// True if there was a previous page that ``PagedResource/loadPrevious()`` could add.
        public let hasPrevious: Bool
        /// True if any page was being loaded at the time of the snapshot.
        public let isLoading: Bool
        /// True if the next page was being loaded at the time of the snapshot.
        public let isLoadingNext: Bool
        /// True if the previous page was being loaded at the time of the snapshot.
        public let isLoadingPrevious: Bool
        /// The newest error of a page; nil if the last load of each page succeeded.
        public let error: RequestError?
        /// The total number of items on the server; nil if it was unknown. See ``PagedResource/total``.
        public let total: Int?
    }
}

extension PagedResource: nonisolated Observable {}

extension PagedResource: nonisolated CustomReflectable {
    /// An empty mirror, so that `dump` shows only the type.
    public nonisolated var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The pages that were dropped at the beginning of a list, in order. Pure.
struct DroppedPages {
    private struct Page {
        let address: String
        let location: String
        let body: LoadBody?
    }

    private var order: [Page] = []
    private var all: Set<String> = []

    /// Returns the page that was dropped last.
    @MainActor
    func last(in context: ResourceContext) -> Resource? {
        order.last.map { Self.resource(of: $0, in: context) }
    }

    /// Returns the pages that were dropped after `page`; none if it was not dropped.
    @MainActor
    func pages(after page: Resource, in context: ResourceContext) -> [Resource] {
        guard let index = order.firstIndex(where: { $0.address == page.address }) else { return [] }
        return order[(index + 1)...].map { Self.resource(of: $0, in: context) }
    }

    @MainActor
    private static func resource(of page: Page, in context: ResourceContext) -> Resource {
        let plain = context.resource(at: page.location)
        return page.body.map { context.resource(plain, loadedWith: $0) } ?? plain
    }

    func contains(_ address: String) -> Bool { all.contains(address) }

    @MainActor
    mutating func append(_ page: Resource) {
        order.append(Page(address: page.address, location: page.location, body: page.loadBody))
        all.insert(page.address)
    }

    /// Removes the last page if it is at `address`. Otherwise the way back is another one now, and all are removed.
    mutating func takeBack(_ address: String) {
        guard order.last?.address == address else { return self = DroppedPages() }
        order.removeLast()
        all.remove(address)
    }
}

/// A running load of a page that is being added to a list.
struct PageLoad {
    let page: Resource
    let request: any Request
}

/// The observer by which a list observes its pages.
@MainActor
final class PageRelay: ResourceObserver {
    var handler: ((Resource, ResourceEvent) -> Void)?

    func resourceChanged(_ resource: Resource, event: ResourceEvent) { handler?(resource, event) }
}

/// An observer that does nothing.
@MainActor
final class PagePresence: ResourceObserver {
    func resourceChanged(_ resource: Resource, event: ResourceEvent) {}
}
