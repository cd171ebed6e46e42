import SiestaCore

/// The pages of a list that ``PagedResource/reload(_:)`` loads again.
public enum PageReload: Hashable, Sendable {
    /// Loads all pages of the list, one after another. The link to each page comes from the new content of the page
    /// before it.
    ///
    /// After the reload, the list matches the server. If the list on the server changes during the reload, an item at
    /// the boundary between two pages may be missing.
    case all

    /// Loads only the first page, and merges its items into the list. If the first page has changed, the other pages
    /// become stale.
    ///
    /// The list then begins with the items of the new first page. The other items follow in their old order. An item is
    /// removed only if the new first page shows that it has been deleted. An item that may have moved to the second
    /// page stays until the second page is loaded.
    ///
    /// In the following cases, the list is reduced to its first page:
    ///
    /// - The old and the new first page have no item in common, so pages between them may be missing.
    /// - The first page was dropped because of ``PagedResource/maxPages``.
    /// - Items have no identity.
    case firstThenMerge

    /// Loads only the pages that contain a visible item; see ``PagedResource/visibleItems``. The other pages become
    /// stale.
    ///
    /// The loaded pages match the server. If an item has moved to a page that is not loaded, the item is missing until
    /// that page is loaded again. If the first page is loaded, it is merged as in ``firstThenMerge``.
    case visible
}
