public import SiestaCore

/// A change of a ``PagedResource``.
public struct PageEvent: Sendable {
    /// The event of the page. If ``page`` is nil, the event is `.observerAdded`, or `.notModified` at the end of a
    /// reload.
    public let event: ResourceEvent

    /// The page whose event changed the list; nil if the event belongs to no single page.
    public let page: Resource?
}
