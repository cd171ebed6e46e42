import SiestaCore
public import SiestaLists

/// A model for a view that shows a paged list, with one row for each item. The model loads more items when the user
/// scrolls near an end of the list.
///
///     let model = PagedListModel(PagedResource(api.repositories(of: "apple"), next: .link))
///     model.onChange = { [weak view, weak model] changes in view?.apply(changes, of: model?.items ?? []) }
///     model.appear()
///     // for each row that comes on screen:
///     model.showed(row)
///
/// The changes that ``onChange`` receives do not include unchanged rows, unless many rows have moved. Therefore,
/// unchanged rows keep their views, and the list keeps its selection and its scroll position. After a failure,
/// scrolling loads nothing until ``retry()`` is called.
///
/// Observation tracks ``items`` and ``footer``. The view must hold a reference to the model.
@MainActor
public final class PagedListModel<Item: Sendable> {
    /// The state that the view shows after the last row.
    public enum Footer: Sendable, Equatable {
        /// Nothing is shown. There are more items, which are loaded when the user scrolls near the end.
        case none
        /// Items are being loaded. If the load is waiting, the message describes the wait. Otherwise, the message is
        /// nil.
        case loading(StatusMessage?)
        /// A page could not be loaded.
        case failure(StatusMessage)
        /// There are no more items.
        case end
    }

    /// The paged list whose items the model provides.
    public let list: PagedResource<Item>

    /// A closure that is called after each change of ``items`` or ``footer``. The closure receives the changes to the
    /// items. Apply the changes in the order of the array, which runs from the end of the list to its start. If only
    /// ``footer`` has changed, the array is empty.
    public var onChange: (([ListChange]) -> Void)?

    /// The widget that uses ``onChange``: the last one that was created with this model. An earlier one, which may be destroyed
    /// later, leaves the model alone.
    package weak var view: AnyObject?

    /// The strings for messages. The default is the value of ``StatusWords/current`` when the model is created.
    public var words = StatusWords.current

    /// The distance from an end of the list, in rows, at which more items are loaded. The default is 10.
    public var loadingDistance = 10

    private let tracked = TrackedProperty()
    private var currentItems: [Item] = []
    private var currentFooter = Footer.none
    private let changes: ([Item], [Item]) -> [ListChange]
    private let timer = UpdateTimer()
    private let clock: SiestaClock
    private var isVisible = false
    private var (isUpdating, isOutdated) = (false, false)
    /// The maximum number of pages without items that are loaded one after the other while there is no row.
    private static var emptyPageLimit: Int { 20 }
    private var emptyPageCount = 0

    init(_ list: PagedResource<Item>, changes: @escaping ([Item], [Item]) -> [ListChange]) {
        (self.list, self.changes, clock) = (list, changes, .current)
        currentItems = list.items
        currentFooter = footerNow
        watchWipes()
    }

    /// Creates a model of a list whose items have an identity.
    ///
    /// - Parameters:
    ///   - list: The paged list to show.
    ///   - id: A closure that returns the identity of an item.
    ///   - isEqual: A closure that returns true if two items with the same identity look the same. By default, items
    ///     are always replaced with their new versions.
    public convenience init<ID: Hashable>(
        _ list: PagedResource<Item>, id: @escaping (Item) -> ID,
        isEqual: @escaping (Item, Item) -> Bool = { _, _ in false }
    ) {
        guard ItemIdentity.mayContainText(ID.self) else {
            self.init(list) { ListChange.between($0, $1, id: id, isEqual: isEqual) }
            return
        }
        let identity = ItemIdentity.of(id)
        self.init(list) { ListChange.between($0, $1, id: identity, isEqual: isEqual) }
    }

    /// The items to show. Observation tracks this property.
    public var items: [Item] {
        tracked.access()
        return currentItems
    }

    /// The footer to show below the last row. Observation tracks this property.
    public var footer: Footer {
        tracked.access()
        return currentFooter
    }

    /// Begins to observe the list, and loads its first page if this page is missing or stale. Call this method when the
    /// view appears on screen.
    public func appear() {
        guard !isVisible else { return }
        (isVisible, emptyPageCount) = (true, 0)
        list.removeObservers(ownedBy: self)
        list.addObserver(owner: self) { [weak self] _, _ in self?.update() }
        list.loadIfNeeded()
        if list.items.isEmpty, list.hasNext, list.error == nil { list.beginLoadingNext() }
        update()
    }

    /// Stops observing the list. Running loads continue. The current items stay until the data of a page is wiped. Call
    /// this method when the view leaves the screen.
    public func disappear() {
        guard isVisible else { return }
        isVisible = false
        list.removeObservers(ownedBy: self)
        watchWipes()
        update()
    }

    /// Off screen, the model is only told when data is wiped, for example because the user has signed out.
    private func watchWipes() {
        list.addPassiveObserver(owner: self) { [weak self] _, event in
            if event.event == .newData(.wipe) { self?.update() }
        }
    }

    /// If `row` is near an end of the list, loads more items at this end. Does nothing while a load at this end is
    /// running, or after a page could not be loaded. Call this method when a row appears on screen. The call takes
    /// constant time.
    public func showed(_ row: Int) {
        guard isVisible, list.error == nil else { return }
        let isNext = row >= currentItems.count - loadingDistance && list.hasNext && !list.isLoadingNext
        let isPrevious = row < loadingDistance && list.hasPrevious && !list.isLoadingPrevious
        if isNext { list.beginLoadingNext() }
        if isPrevious { list.beginLoadingPrevious() }
        if isNext || isPrevious { update() }  // A list that joins a running load sends no event.
    }

    /// Loads the pages whose last load has failed. If a load is waiting for its next attempt after a failure, this
    /// attempt starts at once.
    public func retry() {
        let (pages, failed) = (list.resources, list.failedPages)
        for page in pages
        where failed.contains(page) || page.latestError != nil || page.retry?.isAfterFailure == true {
            page.retryNow()
            page.joinLoad()
        }
        // While the list begins with a later page, only a reload asks for the first page of all.
        if failed.contains(where: { !pages.contains($0) }) {
            Task { [list] in try? await list.reload(.firstThenMerge) }
        }
        update()
    }

    // MARK: Updating

    private func update() {
        isOutdated = true
        guard !isUpdating else { return }
        isUpdating = true
        defer { isUpdating = false }
        for _ in 0..<100 where isOutdated {
            isOutdated = false
            apply(list.items, footerNow)
            loadPastEmptyPages()
        }
    }

    /// Loads the next page while no page has an item. Without a row, a person cannot scroll to it.
    private func loadPastEmptyPages() {
        guard currentItems.isEmpty else { return emptyPageCount = 0 }
        guard isVisible, emptyPageCount < Self.emptyPageLimit, list.resources[0].latestData != nil, list.hasNext,
            !list.isLoading, list.error == nil
        else { return }
        emptyPageCount += 1
        list.beginLoadingNext()
        // A list that joins a running load sends no event. During a reload, the load begins only later.
        if list.isLoadingNext { isOutdated = true }
    }

    private func apply(_ items: [Item], _ footer: Footer) {
        let changes = items.isIdentical(to: currentItems) ? [] : changes(currentItems, items)
        guard !changes.isEmpty || footer != currentFooter else { return }
        tracked.willSet()
        (currentItems, currentFooter) = (items, footer)
        tracked.didSet()
        onChange?(changes)
    }

    private var footerNow: Footer {
        if list.isLoadingNext || list.items.isEmpty && list.isLoading { return .loading(waitNow) }
        let failed = list.failedPages
        if !failed.isEmpty, failed.allSatisfy(\.isLoading) { return .loading(waitNow) }
        if let error = list.error { return .failure(words.message(for: error)) }
        return list.hasNext ? .none : .end
    }

    /// The message of the first page that waits; nil if none does. While pages are loading, it is computed once a second,
    /// because a list does not report waits.
    private var waitNow: StatusMessage? {
        timer.fire(within: 1, on: clock) { [weak self] in self?.update() }
        guard let wait = list.resources.lazy.compactMap(\.retry).first else { return nil }
        return words.message(for: wait, now: clock.wallTime)
    }
}

extension PagedListModel where Item: Identifiable {
    /// Creates a model of a list. Whenever the list changes, all rows are replaced. To keep unchanged rows, make the
    /// items `Equatable`.
    public convenience init(_ list: PagedResource<Item>) {
        self.init(list, id: \.id)
    }
}

extension PagedListModel where Item: Identifiable & Equatable {
    /// Creates a model of a list. If an item is equal to its new version, its row is not replaced.
    public convenience init(_ list: PagedResource<Item>) {
        self.init(list, id: \.id, isEqual: ==)
    }
}

extension Array {
    /// True if both arrays have the same storage. Takes constant time.
    fileprivate func isIdentical(to other: [Element]) -> Bool {
        count == other.count
            && withUnsafeBufferPointer { one in
                other.withUnsafeBufferPointer { one.baseAddress == $0.baseAddress }
            }
    }
}
