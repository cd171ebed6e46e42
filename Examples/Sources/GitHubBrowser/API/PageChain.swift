import Siesta

/// The pages of a list that somebody wants to see, each a resource of its own.
///
/// The address of a page is known once the one before has data. So the chain is read from the data again after every change.
@MainActor
struct PageChain<Item: Sendable> {
    /// The page that the list begins with.
    let first: Resource
    /// How many pages are wanted.
    var wanted = 1

    /// The pages that are known, as many as are wanted.
    var resources: [Resource] {
        var pages = [first]
        while pages.count < wanted, let next = Self.page(at: pages[pages.count - 1])?.next {
            pages.append(first.service.resource(absoluteURL: next))
        }
        return pages
    }

    /// What the known pages hold so far.
    var items: [Item] {
        resources.flatMap { Self.page(at: $0)?.items ?? [] }
    }

    /// Whether all wanted pages are there, and another one after them.
    var hasMore: Bool {
        let pages = resources
        return pages.count == wanted && Self.page(at: pages[pages.count - 1])?.next != nil
    }

    /// How many items there are on all pages, if the server has told.
    var total: Int? { Self.page(at: first)?.total }

    private static func page(at resource: Resource) -> Page<Item>? {
        resource.typedContent()
    }
}
