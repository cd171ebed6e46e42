public import SiestaLists

// Names that are common in other libraries. Using one is an error whose message names the right declaration. None of them is part
// of the public interface.

extension PagedResource {
    /// Not available: use `delete`.
    @available(*, unavailable, message: "Use delete(_:), which also deletes the item on the server.")
    public func remove(_ item: Item) { fatalError() }

    /// Not available: use `create`.
    @available(*, unavailable, message: "Use create(_:), which also sends the item to the server.")
    public func insert(_ item: Item, at index: Int) { fatalError() }

    /// Not available: use `create`.
    @available(*, unavailable, message: "Use create(_:atEnd:), which also sends the item to the server.")
    public func append(_ item: Item) { fatalError() }
}
