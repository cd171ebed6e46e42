import Foundation
public import SiestaCore
public import SiestaLists
public import SiestaWriting

/// Changes of the items of lists. They need lists and changes, which do not know each other.
extension PagedResource where Item: Codable {
    /// Shows a new item in the list at once, and sends it to the ``collection`` with a POST.
    ///
    ///     let created = try await repos.create(Repo(id: -1, name: "new")).value
    ///
    /// The item is a draft until the response arrives. Give the draft an identity that no other item has. If a response
    /// with status 200 or 201 contains the item, the item from the server replaces the draft, and becomes the data of
    /// its own resource; see ``itemResource``. The identity of this item can differ from that of the draft. If the
    /// change succeeds, the page with the new item and all later pages become stale, because items have moved between
    /// pages. If the change fails, the draft disappears.
    ///
    /// Changes to the same collection are sent one after the other.
    ///
    /// - Parameters:
    ///   - item: The draft of the new item.
    ///   - atEnd: True to show the item after the last loaded page; false to show it at the beginning of the list. The
    ///     default is false.
    ///   - body: The body of the request. The default is the item.
    ///   - edits: Edits of other resources, which appear and disappear together with the item.
    ///   - options: The options of the change, such as its condition and the queue in which it waits.
    ///   - durable: True if the ``Service/outbox`` keeps the change. The default is false.
    @discardableResult
    public func create(
        _ item: Item, atEnd: Bool = false, body: RequestBody? = nil, also edits: [ResourceEdit] = [],
        options: ChangeOptions = ChangeOptions(), durable: Bool = false
    ) -> Change<Item> {
        MainQueue.check("PagedResource.create(_:atEnd:body:also:options:durable:)")
        let confirmed = ConfirmedItem(draft: item, resource: itemResource)
        let (page, isSame) = (page(atEnd: atEnd), isSameItem)
        let row = edit(page) { items in
            let new = confirmed.item ?? item
            if let isSame, items.contains(where: { isSame($0, new) }) { return }
            items.insert(new, at: atEnd ? items.endIndex : items.startIndex)
        }
        return collection.changeItem(
            .post, body ?? .encoded(item), row + edits, options, isDurable: durable, confirmed: confirmed
        ) { [self] change in
            let isLoaded = options.settlement == .reload && !row.isEmpty
            let invalidate = invalidation(from: page, isLoaded: isLoaded, by: change)
            change.onEnd { isSuccess in if isSuccess { invalidate() } }
        }
    }

    /// Returns a function that makes a page and those behind it stale. It does not keep the list, because a change that was
    /// refused may wait for a decision of the app for ever. The request of the change keeps it.
    private func invalidation(from page: Resource, isLoaded: Bool, by change: PendingChange) -> () -> Void {
        change.request.onCompletion { [self] _ in extendLifetime(self) }
        return { [weak self] in
            guard let self else { return page.context.feature(Dependencies.self).invalidate(page, isCertain: true) }
            invalidatePages(from: page, isLoaded: isLoaded)
        }
    }

    /// Edits an item at once in all lists of the service and in its own resource, and sends the change to this resource; see
    /// ``itemResource``.
    ///
    ///     repos.update(repos.items[1]) { $0.name = "renamed" }
    ///
    /// If the change succeeds and the response contains the item, the server's item replaces the edited item
    /// everywhere. If the response does not contain the item, the edits are kept, and the pages become stale. If the
    /// change fails, its edits disappear.
    ///
    /// An item of another list is the same item if it has the same identity and the same ``itemResource``.
    ///
    /// - Parameters:
    ///   - item: The item before the edit.
    ///   - method: The method of the request. The default is PATCH.
    ///   - body: The body of the request. By default, a PUT sends the edited item. Other methods send only the members
    ///     that the edit changes; members that it removes are null.
    ///   - edits: Edits of other resources, which appear and disappear together with the edit of the item.
    ///   - options: The options of the change, such as its condition and the queue in which it waits.
    ///   - durable: True if the ``Service/outbox`` keeps the change. The default is false.
    ///   - edit: A closure that changes the item. For its rules, see ``ResourceEdit``.
    ///   - resolve: A closure that decides what happens if the server responds with 409, 412 or 428; see
    ///     ``TypedResource/mutate(_:body:also:options:edit:resolve:)``. It receives versions of the content of the
    ///     item's resource.
    @discardableResult
    public func update(
        _ item: Item, _ method: RequestMethod = .patch, body: RequestBody? = nil, also edits: [ResourceEdit] = [],
        options: ChangeOptions = ChangeOptions(), durable: Bool = false,
        edit: @escaping (inout Item) -> Void, resolve: TypedResource<Item>.ConflictResolver? = nil
    ) -> Change<Item> {
        MainQueue.check("PagedResource.update(_:_:body:also:options:durable:edit:resolve:)")
        let (confirmed, own) = (ConfirmedItem<Item>(), itemResource(item))
        return change(
            item, method, body ?? Self.body(of: item, method, edit), [own.typed(as: Item.self).edit(edit)], also: edits,
            options, durable, resolve, confirmed
        ) { items, isItem in
            for index in items.indices where isItem(items[index]) {
                if let item = confirmed.item { items[index] = item } else { edit(&items[index]) }
            }
        }
    }

    /// Removes an item at once from all lists of the service, and sends a DELETE to its resource; see ``itemResource``.
    ///
    ///     repos.delete(repos.items[2])
    ///
    /// If the change fails, the item reappears in its place. If the change succeeds, the resource of the item no longer
    /// has data. The page that contained the item and all later pages become stale, because items move between them.
    ///
    /// - Parameters:
    ///   - item: The item to delete.
    ///   - edits: Edits of other resources, which appear and disappear together with the removal of the item.
    ///   - options: The options of the change, such as its condition and the queue in which it waits.
    ///   - durable: True if the ``Service/outbox`` keeps the change. The default is false.
    ///   - resolve: A closure that decides what happens if the server responds with 409, 412 or 428; see
    ///     ``update(_:_:body:also:options:durable:edit:resolve:)``.
    @discardableResult
    public func delete(
        _ item: Item, also edits: [ResourceEdit] = [], options: ChangeOptions = ChangeOptions(), durable: Bool = false,
        resolve: TypedResource<Item>.ConflictResolver? = nil
    ) -> Change<Item> {
        MainQueue.check("PagedResource.delete(_:also:options:durable:resolve:)")
        return change(
            item, .delete, nil, [], also: edits, options, durable, resolve, nil
        ) { items, isItem in
            items.removeAll(where: isItem)
        }
    }

    /// Returns the body of an edit: the whole item for a PUT, and otherwise the members that the edit changes.
    private static func body(
        of item: Item, _ method: RequestMethod, _ edit: (inout Item) -> Void
    ) -> RequestBody {
        var edited = item
        edit(&edited)
        return method == .put ? .encoded(edited) : .difference(from: item, to: edited)
    }

    /// Makes a change of an item that the lists contain.
    private func change(
        _ item: Item, _ method: RequestMethod, _ body: RequestBody?, _ own: [ResourceEdit],
        also edits: [ResourceEdit], _ options: ChangeOptions, _ isDurable: Bool,
        _ resolve: TypedResource<Item>.ConflictResolver?, _ confirmed: ConfirmedItem<Item>?,
        edit: @escaping (inout [Item], (Item) -> Bool) -> Void
    ) -> Change<Item> {
        let (rows, others) = occurrences(of: item)
        let edited = rows.flatMap { row in
            let isItem = row.isItem  // The edit does not keep the list.
            return row.list.edit(row.page) { edit(&$0, isItem) }
        }
        let isLoaded = options.settlement == .reload
        return itemResource(item).changeItem(
            method, body, own + edited + edits, options, isDurable: isDurable, resolve: resolve,
            confirmed: confirmed
        ) { [weak self] change in
            let endEdits = ([self].compactMap(\.self) + others).compactMap { $0.editLeftover(item, edit) }
            let invalidations = rows.map { row -> () -> Void in
                // A page whose items are found by a closure is not edited, and not loaded again by the change.
                let (page, isEdited) = (row.page, row.list.itemPlace != nil)
                if method == .delete {
                    return row.list.invalidation(from: page, isLoaded: isLoaded && isEdited, by: change)
                }
                return {
                    guard !isEdited || confirmed?.item == nil && !isLoaded else { return }
                    // A load that has begun may lack the change.
                    page.context.feature(Dependencies.self).invalidate(page, isCertain: true)
                }
            }
            change.onEnd { isSuccess in
                for end in endEdits { end(isSuccess) }
                if isSuccess { for invalidate in invalidations { invalidate() } }
            }
        }
    }

    /// Returns the edit of the items of a page; none if the place of the items is not known.
    private func edit(_ page: Resource, _ edit: @escaping (inout [Item]) -> Void) -> [ResourceEdit] {
        itemPlace.map { [Self.edit($0, page, edit)] } ?? []
    }

    private static func edit<Place: ItemPlace<Item>>(
        _ place: Place, _ page: Resource, _ edit: @escaping (inout [Item]) -> Void
    ) -> ResourceEdit {
        let path = place.path
        return page.typed(as: Place.Page.self).edit { edit(&$0[keyPath: path]) }
    }
}
