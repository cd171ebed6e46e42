import Siesta

/// A part of a list that the server hands out in pages.
struct Page<Item: Sendable>: Sendable {
    let items: [Item]
    /// The address of the page after this one.
    let next: String?
    /// How many items there are on all pages, if the server tells.
    let total: Int?

    /// Takes the address of the next page from the `Link` header of the entity that the items were in.
    init(_ items: [Item], of entity: Entity<some Any>, total: Int? = nil) {
        self.items = items
        next = LinkHeader.target(of: "next", in: entity.header(forKey: "Link") ?? "")
        self.total = total
    }
}
