import SiestaCore

/// The pages of a list, and the rules that make one list of their items. Pure.
///
/// Each item is in the list once: if several pages contain it, the item of the first of these pages counts. Without an
/// identity of the items, all items of all pages are in the list.
struct PageList<Key: Hashable, Item> {
    /// A page, and its items as the server or the app has set them.
    struct Slot {
        var key: Key
        /// Nil if the page has no content yet. Only the first page may have none.
        fileprivate(set) var items: [Item]?
        fileprivate var ids: [AnyHashable] = []
        /// The items that the first page shows to have been deleted on the server.
        fileprivate var hidden: Set<AnyHashable> = []
        var hidesItems: Bool { !hidden.isEmpty }
        /// The number of the page's items that are in the list.
        fileprivate(set) var shownCount = 0
        /// The items that new content of this page, as the first page, has moved to a later page, as far as they are on
        /// no later page of the list. New content of the next page decides which of them exist.
        fileprivate(set) var tail: [Item] = []
        /// True if the new first page shows an item that was behind the tail: the tail has been deleted, or its items have
        /// another place. The content of the next page decides.
        fileprivate var isTailDoubtful = false

        /// Returns the first item with an identity.
        func item(_ id: AnyHashable) -> Item? { ids.firstIndex(of: id).flatMap { items?[$0] } }
    }

    /// The result of new content of the first page.
    enum Outcome {
        /// The first page has the same items in the same order as before.
        case same
        /// The items of the first page are others. The other pages may be out of date.
        case changed
        /// The old and the new first page have no item in common. The list is only the new first page.
        case restarted
    }

    private(set) var slots: [Slot]
    /// The keys of the pages.
    private(set) var keys: Set<Key>
    /// A number that changes whenever the list has other pages.
    private(set) var pagesRevision = 0
    private(set) var items: [Item] = []
    private var shownIDs = ShownIDs()
    /// The edits of the tails by pending changes, in order.
    private(set) var tailEdits: [TailEdit<Item>] = []
    let id: ((Item) -> AnyHashable)?

    init(first: Key, id: ((Item) -> AnyHashable)?) {
        slots = [Slot(key: first)]
        keys = [first]
        self.id = id
    }

    /// True if no page has content.
    var isEmpty: Bool { slots[0].items == nil }

    /// Returns the position of a page. Searches from the end, because lists grow there.
    func index(of key: Key) -> Int? { keys.contains(key) ? slots.lastIndex { $0.key == key } : nil }

    /// Returns the positions of the pages that have at least one item in `range`, a range of positions in ``items``.
    func pages(in range: Range<Int>) -> Range<Int> {
        guard !range.isEmpty else { return 0..<0 }
        var (start, found) = (0, [Int]())
        for (index, slot) in slots.enumerated() {
            if start < range.upperBound, start + slot.shownCount > range.lowerBound { found.append(index) }
            start += slot.shownCount
        }
        guard let first = found.first, let last = found.last else { return 0..<0 }
        return first..<last + 1
    }

    // MARK: Growing and shrinking

    /// Adds a page at the end. The cost is proportional to the number of its items.
    mutating func append(_ key: Key, _ content: [Item]) {
        var shownIDs = takeShownIDs()
        let addition = Addition(key, at: slots.count, content, id: id, &shownIDs)
        append(addition, shownIDs)
    }

    /// Adds a page at the end. Calls no code of the app.
    mutating func append(_ addition: Addition, _ shownIDs: ShownIDs) {
        slots.append(addition.slot)
        keys.insert(addition.slot.key)
        pagesRevision += 1
        items.append(contentsOf: addition.newItems)
        self.shownIDs = shownIDs
    }

    /// Removes the identities of the items in the list, for an ``Addition``, which changes them without a copy.
    mutating func takeShownIDs() -> ShownIDs { exchange(&shownIDs, with: ShownIDs()) }

    mutating func prepend(_ key: Key, _ content: [Item]) {
        slots.insert(slot(key, content), at: 0)
        rebuildPages()
    }

    /// Removes pages at the beginning. At least one page stays.
    mutating func removeFirst(_ count: Int) {
        guard count > 0 else { return }
        slots.removeFirst(min(count, slots.count - 1))
        rebuildPages()
    }

    /// Removes all pages from a position. The first page stays.
    mutating func truncate(to count: Int) {
        guard count < slots.count else { return }
        slots.removeLast(slots.count - max(count, 1))
        slots[slots.count - 1].tail = []
        rebuildPages()
    }

    /// Replaces all pages by one page without content. Pending edits stay: a wipe does not end durable changes.
    mutating func restart(with key: Key) {
        let (revision, edits) = (pagesRevision, tailEdits)
        self = PageList(first: key, id: id)
        (pagesRevision, tailEdits) = (revision + 1, edits)
    }

    /// Puts another page in the place of a page. Its content stays until it is replaced.
    ///
    /// If a later page has this key, the pages between are removed, because the list does not lead to them any more.
    mutating func rekey(at index: Int, _ key: Key) {
        if let later = self.index(of: key), later > index {
            slots.removeSubrange(index..<later)
        } else {
            slots[index].key = key
        }
        rebuildPages()
    }

    /// Shows exactly the contents of the pages, without items that are left from earlier contents.
    mutating func forgetEarlierContents() {
        guard slots.contains(where: { !$0.hidden.isEmpty || !$0.tail.isEmpty }) else { return }
        for index in slots.indices { (slots[index].hidden, slots[index].tail) = ([], []) }
        rebuild()
    }

    // MARK: New content

    /// Edits what the list shows of the tails, until the edit ends.
    mutating func add(_ edit: TailEdit<Item>) {
        tailEdits.append(edit)
        if hasTails { rebuild() }
    }

    /// Ends an edit. If it is kept, it changes the tails themselves.
    mutating func end(_ edit: TailEdit<Item>, isKept: Bool) {
        tailEdits.removeAll { $0 === edit }
        if isKept {
            for index in slots.indices where !slots[index].tail.isEmpty { edit.change(&slots[index].tail) }
        }
        if hasTails { rebuild() }
    }

    private var hasTails: Bool { slots.contains { !$0.tail.isEmpty } }

    /// Replaces the content of a page that is not the first page, or whose content the app has set.
    mutating func replace(at index: Int, with content: [Item], isFromApp: Bool = false) {
        let (new, old) = (slot(slots[index].key, content), slots[index])
        if replaceInPlace(index, by: new) || replaceShown(index, by: new) { return }
        slots[index] = new
        (slots[index].tail, slots[index].isTailDoubtful) = (old.tail, old.isTailDoubtful)
        if isFromApp { slots[index].hidden = old.hidden.intersection(old.ids) }
        if index > 0, let id, !slots[index - 1].tail.isEmpty {
            // The new content tells which items of the tail still exist, if it contains any of them, if it begins with an item
            // that was behind them, or if they may be deleted.
            let new = Set(slots[index].ids)
            let behind = [old] + slots[(index + 1)...]
            let isBehind = slots[index].ids.first.map { first in behind.contains { $0.ids.contains(first) } } ?? true
            if (slots[index - 1].isTailDoubtful || isBehind) && !isFromApp
                || slots[index - 1].tail.contains(where: { new.contains(id($0)) })
            {
                slots[index - 1].tail = []
            }
        }
        rebuild()
    }

    /// Replaces the content of the first page by new content of the server.
    ///
    /// An item of the old first page that is not on the new first page has been deleted, if it was before an item of
    /// both pages. Otherwise, it has moved to the second page, and stays in the list. Items of later pages that have
    /// moved to the first page tell in the same way which items have been deleted.
    ///
    /// - Parameter sent: the items that the server has sent for the old first page; nil if these are all items of the page.
    ///   The others, which the app has added, have moved to no other page.
    /// - Parameter unedited: the items of the old first page without pending changes; nil if there are none.
    /// - Parameter restarts: true if the list must have no gap. Then it ends after the first page, if the old and the
    ///   new first page have no item in common.
    /// - Parameter isHead: true if no page is before the first page. Otherwise an item that is on no page may have moved to
    ///   the page before, and stays on a later page.
    mutating func replaceFirst(
        with content: [Item], sent: [Item]? = nil, unedited: [Item]? = nil, restarts: Bool, isHead: Bool = true
    ) -> Outcome {
        let new = slot(slots[0].key, content)
        guard let id, let old = slots[0].items else {
            slots[0] = new
            rebuild()
            return .changed
        }
        guard new.ids != slots[0].ids else {
            guard !replaceInPlace(0, by: new) else { return .same }
            (slots[0].items, slots[0].hidden) = (content, [])
            rebuild()
            return .same
        }
        let known = ((unedited ?? old) + slots[0].tail).map { (id: id($0), item: $0) }
        let newIDs = Set(new.ids)
        let added = sent.map { Set(slots[0].ids).subtracting($0.map(id)) } ?? []
        let anchor =
            known.lastIndex { newIDs.contains($0.id) && !added.contains($0.id) }
            ?? known.lastIndex { newIDs.contains($0.id) }
        slots[0] = new
        // An item that an earlier merge has hidden exists if it is on the first page now.
        for index in slots.indices.dropFirst() { slots[index].hidden.subtract(newIDs) }
        if let anchor, slots.count > 1 {
            slots[0].tail = known[(anchor + 1)...].filter { !added.contains($0.id) }.map(\.item)
            if isHead { hideDeleted(before: new.ids, after: Set(known.map(\.id))) }
        } else if restarts {
            slots.removeLast(slots.count - 1)
        }
        rebuildPages()
        return anchor == nil && restarts ? .restarted : .changed
    }

    /// Replaces the items of a page by others with the same identities, if all of them are in the list. Returns false if
    /// this is not so. Takes time proportional to the number of items of the page, and to the number of pages.
    private mutating func replaceInPlace(_ index: Int, by new: Slot) -> Bool {
        let (old, content) = (slots[index], new.items ?? [])
        guard old.items != nil, old.hidden.isEmpty, old.tail.isEmpty, index == 0 || slots[index - 1].tail.isEmpty,
            id == nil || old.shownCount == content.count && old.ids == new.ids
        else { return false }
        let start = slots[..<index].reduce(0) { $0 + $1.shownCount }
        items.replaceSubrange(start..<start + old.shownCount, with: content)
        slots[index] = new
        slots[index].shownCount = content.count
        return true
    }

    /// Replaces the items of a page, and moves an item to this page that only a later page had. Returns false if more must
    /// change; then the list must be rebuilt. Apart from moving the items in memory, takes time proportional to the number
    /// of items of the pages that change, and to the number of pages.
    private mutating func replaceShown(_ index: Int, by new: Slot) -> Bool {
        let old = slots[index]
        guard id != nil, old.items != nil, old.hidden.isEmpty, old.tail.isEmpty,
            index == 0 || slots[index - 1].tail.isEmpty, shownIDs.remove(old.ids, from: index)
        else { return false }
        var (shown, losses) = ([Int](), [Int: Int]())
        for (position, id) in new.ids.enumerated() {
            switch shownIDs.insert(id, on: index) {
            case .added: shown.append(position)
            case .shown(let page) where page > index:
                shownIDs.move(id, to: index)
                losses[page, default: 0] += 1
                shown.append(position)
            case .shown: break
            }
        }
        for (page, count) in losses.sorted(by: { $0.key > $1.key }) {
            let later = slots[page]
            let rest = later.ids.indices.filter { shownIDs.page(showing: later.ids[$0]) == page }
            // The numbers differ if the page has an item twice, or a tail.
            guard rest.count == later.shownCount - count else { return false }
            show(rest, of: later, at: page)
        }
        show(shown, of: new, at: index)
        return true
    }

    /// Replaces what a page shows by the items at `positions` of `new`.
    private mutating func show(_ positions: [Int], of new: Slot, at index: Int) {
        let start = slots[..<index].reduce(0) { $0 + $1.shownCount }
        let content = new.items ?? []
        items.replaceSubrange(start..<start + slots[index].shownCount, with: positions.map { content[$0] })
        slots[index] = new
        slots[index].shownCount = positions.count
    }

    /// Hides the items of later pages that precede an item which has moved from their page to the first page, except
    /// those that are on the first page, too, whenever they came there: they must be seen if the first page leaves the
    /// list.
    ///
    /// Only items at the end of the first page have moved for this reason. An item further up may have moved because
    /// the server has changed its position.
    private mutating func hideDeleted(before ids: [AnyHashable], after known: Set<AnyHashable>) {
        let end = (ids.lastIndex(where: known.contains) ?? -1) + 1
        let (moved, present) = (Set(ids[end...]), Set(ids))
        guard !moved.isEmpty else { return }
        for index in slots.indices.dropFirst() {
            guard let last = slots[index].ids.lastIndex(where: moved.contains) else { return }
            slots[0].isTailDoubtful = true
            slots[index].hidden.formUnion(slots[index].ids[..<last].filter { !present.contains($0) })
        }
    }

    // MARK: The list

    /// A page that is ready to be added at the end of a list.
    struct Addition {
        fileprivate var slot: Slot
        fileprivate let newItems: [Item]

        /// Computes which items of a page are new. Calls code of the app: the identities of items, their hashes, and their
        /// comparison.
        ///
        /// - Parameters:
        ///   - page: the position of the new page.
        ///   - shownIDs: the identities of the items in the list.
        init(
            _ key: Key, at page: Int, _ content: [Item], id: ((Item) -> AnyHashable)?, _ shownIDs: inout ShownIDs
        ) {
            slot = Slot(key: key, items: content, ids: id.map { content.map($0) } ?? [])
            newItems = shownIDs.insert(slot.ids, on: page, without: []).map { $0.map { content[$0] } } ?? content
            slot.shownCount = newItems.count
        }
    }

    private func slot(_ key: Key, _ content: [Item]) -> Slot {
        Slot(key: key, items: content, ids: id.map { content.map($0) } ?? [])
    }

    private mutating func rebuildPages() {
        keys = Set(slots.map(\.key))
        pagesRevision += 1
        rebuild()
    }

    private mutating func rebuild() {
        items.removeAll(keepingCapacity: true)
        shownIDs.removeAll()
        for index in slots.indices { show(index) }
    }

    /// Adds the items of a page to the end of the list.
    private mutating func show(_ index: Int) {
        let before = items.count
        defer { slots[index].shownCount = items.count - before }
        let content = slots[index].items ?? []
        var tail = slots[index].tail
        guard let id else { return items.append(contentsOf: content) }
        show(content, at: shownIDs.insert(slots[index].ids, on: index, without: slots[index].hidden))
        if !tail.isEmpty { for edit in tailEdits { edit.change(&tail) } }
        if !tail.isEmpty { show(tail, at: shownIDs.insert(tail.map(id), on: index, without: [])) }
    }

    private mutating func show(_ content: [Item], at positions: [Int]?) {
        if let positions {
            items.append(contentsOf: positions.map { content[$0] })
        } else {
            items.append(contentsOf: content)
        }
    }
}

/// An edit of the items that are in a list although no page contains them any more, by a pending change. Loads decide which
/// items these are, as if there was no edit.
final class TailEdit<Item> {
    let change: (inout [Item]) -> Void

    init(_ change: @escaping (inout [Item]) -> Void) { self.change = change }
}

/// The identities of the items on the pages of a list, without hidden ones. This type is not generic, because generic code
/// would be several times slower for each item.
///
/// A table of hashes avoids comparisons, which are the expensive part. A `Set` compares more often the fuller it is.
struct ShownIDs {
    /// How often an identity is on the pages, and the position of the page that shows it. The number becomes zero when the
    /// identity leaves the last page.
    private struct Use {
        var count: Int32 = 0
        var page: Int32
    }

    /// The result of adding one identity.
    enum Insertion {
        case added
        /// The item is in the list already. This page shows it.
        case shown(page: Int)
    }

    private var ids: [AnyHashable] = []
    private var uses: [Use] = []
    /// The number of identities that are on no page.
    private var unusedCount = 0
    private var positions = SlotIndex()

    mutating func removeAll() {
        ids.removeAll(keepingCapacity: true)
        uses.removeAll(keepingCapacity: true)
        unusedCount = 0
        positions = SlotIndex()
    }

    /// Adds the identities of a page, apart from those in `hidden`. Returns the positions of those that were not in the list;
    /// nil if none was.
    mutating func insert(_ new: [AnyHashable], on page: Int, without hidden: Set<AnyHashable>) -> [Int]? {
        var added: [Int]?
        for (position, id) in new.enumerated() {
            if hidden.isEmpty || !hidden.contains(id), case .added = insert(id, on: page) {
                added?.append(position)
            } else if added == nil {
                added = Array(0..<position)
            }
        }
        return added
    }

    mutating func insert(_ id: AnyHashable, on page: Int) -> Insertion {
        let hash = id.hashValue
        guard let slot = positions.slot(hash: hash, isMatch: { ids[$0] == id }) else {
            positions.insert(ids.count, hash: hash)
            ids.append(id)
            uses.append(Use(count: 1, page: Int32(page)))
            return .added
        }
        uses[slot].count += 1
        guard uses[slot].count == 1 else { return .shown(page: Int(uses[slot].page)) }
        uses[slot].page = Int32(page)
        unusedCount -= 1
        return .added
    }

    /// Removes the identities of a page. Returns false, with a part of them removed, if the page shows an item that is on
    /// another page, too, or if the app's comparison does not find an identity again.
    mutating func remove(_ old: [AnyHashable], from page: Int) -> Bool {
        guard unusedCount <= ids.count / 2 else { return false }  // A rebuilt list forgets them.
        for id in old {
            guard let slot = slot(of: id), uses[slot].count > 0 else { return false }
            uses[slot].count -= 1
            if uses[slot].count == 0 {
                unusedCount += 1
            } else if uses[slot].page == Int32(page) {
                return false
            }
        }
        return true
    }

    /// Makes another page show an item.
    mutating func move(_ id: AnyHashable, to page: Int) {
        if let slot = slot(of: id) { uses[slot].page = Int32(page) }
    }

    /// Returns the position of the page that shows an item; nil if the item is not in the list.
    func page(showing id: AnyHashable) -> Int? {
        guard let slot = slot(of: id), uses[slot].count > 0 else { return nil }
        return Int(uses[slot].page)
    }

    private func slot(of id: AnyHashable) -> Int? { positions.slot(hash: id.hashValue) { ids[$0] == id } }
}
