public import SiestaCore

// Names that are common in other libraries. They are public only so that the compiler can report them: the error message gives the
// replacement, or the reason why there is none. They throw, so that none of them satisfies a requirement of an app's protocol.

extension PagedResource {
    /// Not available: use ``hasNext``.
    @available(*, unavailable, renamed: "hasNext")
    public var hasMore: Bool { get throws { fatalError() } }

    /// Not available: use ``hasNext``.
    @available(*, unavailable, renamed: "hasNext")
    public var hasNextPage: Bool { get throws { fatalError() } }

    /// Not available: use ``hasNext``.
    @available(*, unavailable, message: "Use !hasNext.")
    public var isAtEnd: Bool { get throws { fatalError() } }

    /// Not available: use ``items``.
    @available(*, unavailable, message: "Use items.count for the loaded items, and total for all items on the server.")
    public var count: Int { get throws { fatalError() } }

    /// Not available: use ``items``.
    @available(*, unavailable, message: "Use items.isEmpty.")
    public var isEmpty: Bool { get throws { fatalError() } }

    /// Not available: use ``total``.
    @available(*, unavailable, renamed: "total")
    public var totalCount: Int? { get throws { fatalError() } }

    /// Not available: use ``loadNext()``.
    @available(*, unavailable, renamed: "loadNext()")
    public func loadMore() async throws(RequestError) { fatalError() }

    /// Not available: use ``loadNext()``.
    @available(*, unavailable, renamed: "loadNext()")
    public func fetchNextPage() async throws(RequestError) { fatalError() }

    /// Not available: use ``loadNext()``.
    @available(*, unavailable, renamed: "loadNext()")
    public func loadNextPage() async throws(RequestError) { fatalError() }

    /// Not available: use ``loadNext()`` or ``reload(_:)``, which also load after a failure.
    @available(*, unavailable, message: "Use loadNext() or reload(), which also load after a failure.")
    public func retry() async throws(RequestError) { fatalError() }

    /// Not available: use ``reload(_:)``.
    @available(*, unavailable, message: "Use reload(), or reload(.firstThenMerge) for the first page.")
    public func refresh() async throws(RequestError) { fatalError() }

    /// Not available: use ``addObserver(owner:closure:)`` or ``states``.
    @available(*, unavailable, message: "Use addObserver(owner:closure:), or a loop over states.")
    public func onChange(_ action: @escaping (PagedResource<Item>) -> Void) throws { fatalError() }

    /// Not available: use ``reload(_:)``.
    @available(*, unavailable, message: "Use reload(), or reload(.firstThenMerge) for the first page.")
    public func refetch() async throws(RequestError) { fatalError() }

    /// Not available: use ``reload(_:)``.
    @available(*, unavailable, message: "Use reload(), or reload(.firstThenMerge) for the first page.")
    public func reset() async throws(RequestError) { fatalError() }

    /// Not available: use ``reload(_:)``.
    @available(*, unavailable, message: "Use reload(), or reload(.firstThenMerge) for the first page.")
    public func invalidate() async throws(RequestError) { fatalError() }

    /// Not available: use ``reload(_:)``.
    @available(*, unavailable, message: "Use Task { try await reload() }.")
    public func beginReloading() throws { fatalError() }

    /// Not available: use ``get()`` or ``loadIfNeeded()``.
    @available(*, unavailable, message: "Use get(), or loadIfNeeded() without waiting.")
    public func loadFirst() async throws(RequestError) { fatalError() }

    /// Not available: use ``isLoadingNext``.
    @available(*, unavailable, renamed: "isLoadingNext")
    public var isLoadingMore: Bool { get throws { fatalError() } }

    /// Not available: use ``isLoading``.
    @available(*, unavailable, renamed: "isLoading")
    public var isReloading: Bool { get throws { fatalError() } }

    /// Not available: use ``items``.
    @available(*, unavailable, renamed: "items")
    public var content: [Item] { get throws { fatalError() } }

    /// Not available: use ``pages``.
    @available(*, unavailable, message: "Use pages.count.")
    public var pageCount: Int { get throws { fatalError() } }
}

extension PageLink {
    /// Not available: use ``cursor(_:_:)``.
    @available(*, unavailable, renamed: "cursor(_:_:)")
    public static func cursor(_ cursor: @escaping (Page) -> String?, parameter: String) -> PageLink { fatalError() }

    /// Not available: use ``url(_:)`` or ``cursor(_:_:)``.
    @available(*, unavailable, message: "Use url(_:) or cursor(_:_:).")
    public static func field(_ name: String) -> PageLink { fatalError() }

    /// Not available: use ``url(_:)`` or ``cursor(_:_:)``.
    @available(*, unavailable, message: "Use url(_:) or cursor(_:_:).")
    public static func json(_ name: String) -> PageLink { fatalError() }

    /// Not available: use ``pageNumber(_:first:size:)``.
    @available(*, unavailable, renamed: "pageNumber(_:first:size:)")
    public static var page: PageLink { fatalError() }
}
