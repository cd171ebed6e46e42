public import SiestaCore

// Names that are common in other libraries. Using one is an error whose message names the right declaration. None of them is part
// of the public interface.

extension PagedResource {
    /// Not available: use ``hasNext``.
    @available(*, unavailable, renamed: "hasNext")
    public var hasMore: Bool { fatalError() }

    /// Not available: use ``hasNext``.
    @available(*, unavailable, renamed: "hasNext")
    public var hasNextPage: Bool { fatalError() }

    /// Not available: use ``hasNext``.
    @available(*, unavailable, message: "Use !hasNext.")
    public var isAtEnd: Bool { fatalError() }

    /// Not available: use ``items``.
    @available(*, unavailable, message: "Use items.count for the loaded items, and total for all items on the server.")
    public var count: Int { fatalError() }

    /// Not available: use ``items``.
    @available(*, unavailable, message: "Use items.isEmpty.")
    public var isEmpty: Bool { fatalError() }

    /// Not available: use ``total``.
    @available(*, unavailable, renamed: "total")
    public var totalCount: Int? { fatalError() }

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
    public func onChange(_ action: @escaping (PagedResource<Item>) -> Void) { fatalError() }
}
