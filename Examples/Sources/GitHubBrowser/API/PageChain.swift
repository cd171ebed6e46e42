import Siesta

/// The pages of a list that somebody wants to see, each a resource of its own.
///
/// The address of a page is known once the one before has data. So the chain is read from the data again after every
/// change.
@MainActor
struct PageChain<Item: Sendable> {
    /// The page that the list begins with.
    let first: TypedResource<Page<Item>>
    /// How many pages are wanted.
    var wanted = 1

    /// The pages that are known, as many as are wanted.
    var pages: [TypedResource<Page<Item>>] {
        var pages = [first]
        while pages.count < wanted, let next = pages.last?.content?.next {
            pages.append(first.service.resource(absoluteURL: next).typed())
        }
        return pages
    }

    /// The same, whatever they hold.
    var resources: [Resource] { pages.map(\.resource) }

    /// What the known pages hold so far.
    var items: [Item] { pages.flatMap { $0.content?.items ?? [] } }

    /// Whether all wanted pages are there, and another one after them.
    var hasMore: Bool {
        let pages = pages
        return pages.count == wanted && pages.last?.content?.next != nil
    }

    /// How many items there are on all pages, if the server has told.
    var total: Int? { first.content?.total }
}
