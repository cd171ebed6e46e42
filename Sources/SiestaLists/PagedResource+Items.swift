public import SiestaCore

extension PagedResource {
    /// The resource to which new items are sent. The default is the first page without its query, for example `/repos`
    /// for the first page `/repos?page=1`.
    public var collection: Resource {
        get {
            guard !top.isInvalid else { return ownCollection ?? top }
            return ownCollection ?? top.context.resource(at: String(top.location.prefix { $0 != "?" && $0 != "#" }))
        }
        set { ownCollection = newValue }
    }

    /// A closure that returns the resource of an item. By default, the path of this resource is the path of the
    /// ``collection``, followed by the identity of the item, for example `/repos/42` for the identity 42.
    ///
    /// Set another closure if the resources of items have other paths, or if the identity is not a string, a number or
    /// a UUID:
    ///
    ///     repos.itemResource = { service.resource("/repos/\($0.name)") }
    public var itemResource: (Item) -> Resource {
        get {
            if let ownItemResource { return ownItemResource }
            let (collection, pathComponent) = (collection, pathComponent)
            return { item in
                guard let component = pathComponent(item) else {
                    return collection.context.resource(absoluteURL: nil, source: nil)
                }
                return collection.child(component)
            }
        }
        set { ownItemResource = newValue }
    }

    // MARK: For changes

    /// A page that contains an item.
    package struct Row {
        package let list: PagedResource
        package let page: Resource
        /// True for the item.
        package let isItem: (Item) -> Bool
    }

    /// The pages that contain an item, each once, in all lists of the service that have items of this type; and the other lists
    /// that contain the item, on a page or on none any more.
    ///
    /// In other lists, an item with the same identity counts only if it has the same resource.
    package func occurrences(of item: Item) -> (rows: [Row], others: [PagedResource]) {
        let (own, itemLists) = (itemResource(item), top.context.feature(PagedLists.self))
        // Two lists may take their items from different members of the same page.
        var (rows, others, places): ([Row], [PagedResource], [Resource: Set<AnyKeyPath?>]) = ([], [], [:])
        for list in [self] + itemLists.lists(besides: self) {
            guard let id = list.list.id else { continue }
            let wanted = id(item)
            let isItem = { (found: Item) in list === self || list.itemResource(found) === own }
            var isInList = false
            for slot in list.list.slots {
                if let found = slot.item(wanted) {
                    guard isItem(found) else { continue }
                    isInList = true
                    guard places[slot.key, default: []].insert(list.itemPlace?.anyPath).inserted else { continue }
                    rows.append(Row(list: list, page: slot.key) { id($0) == wanted })
                } else if !isInList, let found = slot.tail.first(where: { id($0) == wanted }) {
                    isInList = isItem(found)
                }
            }
            if isInList, list !== self { others.append(list) }
        }
        return (rows, others)
    }

    /// The place of the items in a page, for changes; nil if it is not known.
    package var itemPlace: (any ItemPlace<Item>)? { reader.place }

    /// Returns the test whether two items have the same identity; nil if items have none.
    package var isSameItem: ((Item, Item) -> Bool)? { list.id.map { id in { id($0) == id($1) } } }

    /// The page at which a new item is shown.
    package func page(atEnd: Bool) -> Resource { atEnd ? list.slots[list.slots.count - 1].key : top }

    /// Edits an item while it is in the list although no page contains it any more, because only the page before it was
    /// loaded again. Returns a function that ends the edit, and keeps its result or removes it; nil if items have no identity.
    package func editLeftover(
        _ item: Item, _ change: @escaping (inout [Item], _ isItem: (Item) -> Bool) -> Void
    ) -> ((_ isKept: Bool) -> Void)? {
        guard let id = list.id else { return nil }
        let wanted = id(item)
        let tailEdit = TailEdit<Item> { change(&$0) { id($0) == wanted } }
        changeTails(with: wanted) { $0.add(tailEdit) }
        return { [weak self] isKept in
            guard let self, list.tailEdits.contains(where: { $0 === tailEdit }) else { return }
            changeTails(with: wanted) { $0.end(tailEdit, isKept: isKept) }
        }
    }

    private func changeTails(with wanted: AnyHashable, _ change: (inout PageList<Resource, Item>) -> Void) {
        guard let id = list.id, let slot = list.slots.first(where: { $0.tail.contains { id($0) == wanted } }) else {
            return edit(change)
        }
        changeItems { edit(change) }
        update()
        tell((event: .newData(.localOverride), page: slot.key))
    }

    /// Makes a page and those behind it stale, also those that are being loaded: items may have moved between them.
    ///
    /// - Parameter isLoaded: true if the page has been loaded since the change.
    package func invalidatePages(from page: Resource, isLoaded: Bool) {
        let index = list.index(of: page)
        let earlier = index == nil ? [page] + dropped.pages(after: page, in: top.context) : []
        let known = earlier + list.slots[(index ?? 0)...].map(\.key) + [expected[.next]].compactMap(\.self)
        let pages = known + pagesBehind.filter { $0 !== expected[.next] }
        let dependencies = top.context.feature(Dependencies.self)
        for other in pages where !isLoaded || other !== page { dependencies.invalidate(other, isCertain: true) }
    }
}
