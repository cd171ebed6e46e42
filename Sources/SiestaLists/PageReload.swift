import SiestaCore

/// The way in which ``PagedResource/reload(_:)`` loads the pages of a list again.
public enum PageReload: Hashable, Sendable {
    /// Loads all pages of the list, one after another. The link to each page comes from the new content of the page
    /// before it.
    ///
    /// Afterwards, the list matches the server. If the list on the server changes during the reload, an item between
    /// two pages may be missing.
    case all

    /// Loads only the first page, and merges its items into the list. If it has changed, the other pages become stale.
    ///
    /// The list then begins with the items of the new first page. The other items follow in their old order, except
    /// those that the new first page shows to have been deleted. If the old and the new first page have no item in
    /// common, pages between them may be missing. Then the list starts again with the first page. It also starts again
    /// if the first page was dropped because of ``PagedResource/maxPages``, or if items have no identity.
    case firstThenMerge

    /// Loads only the pages of which an item is visible; see ``PagedResource/visibleItems``. The other pages become
    /// stale.
    ///
    /// The loaded pages match the server. An item that has moved to another page is missing until that page is loaded
    /// again. If the first page is loaded, it is merged as in ``firstThenMerge``.
    case visible
}
