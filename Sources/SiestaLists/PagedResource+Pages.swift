import SiestaCore

extension PagedResource {
    // MARK: Events of pages

    /// Called after each event of a page, when the state of the page has changed.
    func pageChanged(_ page: Resource, _ event: ResourceEvent) {
        guard !isChanging else { return delayedEvents.append((page, event)) }
        switch event {
        case .observerAdded: return
        case .newData(.wipe):
            dropWipedPages()
            takeIfPresent(page)  // A pending change may have made content of no data.
        case .newData where !page.hasShownData: dropWipedPages()  // A change that created the data has failed.
        case .newData(let source): take(page, isFromApp: source == .localOverride || page.state.source == .local)
        case .notModified: confirm(page)
        case .requested, .requestCancelled, .error: break
        }
        note(page)
        update()
        tell((event: event, page: page))
    }

    /// Records whether a page is being loaded, and its error.
    func note(_ page: Resource) {
        let isPart = observed.contains(page)
        let state = page.state
        if state.isLoading, isPart { busy.insert(page) } else { busy.remove(page) }
        for direction in PageDirection.allCases where loads[direction]?.page === page {
            // Another load of the page may be running, and the page may not be observed any more.
            if !state.isLoading || loads[direction]?.request.isCompleted == true { loads[direction] = nil }
        }
        let error = state.error ?? mismatch(of: page)
        if let last = failures.last, last.page === page, RequestError.areSame(last.error, error) { return }
        if !failures.isEmpty { failures.removeAll { $0.page === page } }
        if let error, isPart { failures.append((page, error)) }
    }

    /// Returns the error of a page whose content has another type.
    func mismatch(of page: Resource) -> RequestError? {
        guard var error = page.shownData.flatMap(reader.mismatch) else { return nil }
        error.setRequest(page.url, method: "GET")
        return error
    }

    /// The server has confirmed a page. Its headers may be new.
    private func confirm(_ page: Resource) {
        guard let index = list.index(of: page), index <= replacedIndex(by: page) ?? index else {
            return takeIfPresent(page)
        }
        readTotal(page)
        linksNumber += 1
        // The page is the same after new content of the page before it. It tells which items between them, and which of its
        // own, still exist.
        let isDoubtful = list.slots[index].hidesItems || index > 0 && !list.slots[index - 1].tail.isEmpty
        if isDoubtful, !page.state.isInvalidated { takeIfPresent(page) }
    }

    /// Takes the content of a page that has data already.
    func takeIfPresent(_ page: Resource) {
        if page.hasShownData { take(page, isFromApp: page.state.shownSource == .local) }
    }

    /// Brings the content of a page into the list.
    private func take(_ page: Resource, isFromApp: Bool) {
        let revision = page.contentRevision
        guard let data = page.shownData, let content = reader.items(data) else { return }
        // The closure of the app may have changed the page, which has been handled then.
        guard page.contentRevision == revision else { return }
        readTotal(page)
        let isKnown = list.keys.contains(page) || replacement?.page === page
        guard isKnown || expected.values.contains(page) else { return }
        let last = serverItems[page] ?? ServerItems()
        noteServerItems(of: page)
        changeItems {
            // So may code of the app that was told of this change.
            guard page.contentRevision == revision else { return }
            if let index = place(of: page) {
                replace(at: index, with: content, last, isFromApp: isFromApp)
            } else if expected[.next] === page, target(.next) === page {
                append(page, content)
            } else if expected[.previous] === page, target(.previous) === page {
                prepend(page, content)
            }
        }
    }

    /// Notes which items a page has without edits. Links that count items must not count those that a change adds or removes: a
    /// page with fewer items would be the last one. An item that a change has added moves to no other page.
    private func noteServerItems(of page: Resource) {
        let unedited = page.state.isOptimistic ? page.state.data.flatMap(reader.items) : nil
        var new = serverItems[page] ?? ServerItems()
        new.unedited = unedited
        if page.state.source != .local {
            new.sent = new.unedited
        } else if new.sent == nil, let index = list.index(of: page) {
            new.sent = list.slots[index].items  // The app has edited what the list has had so far.
        }
        let isEdited = new.sent != nil || new.unedited != nil
        let last = exchange(&serverItems[page], with: isEdited ? new : nil)
        extendLifetime(last)
    }

    private func readTotal(_ page: Resource) {
        if let total = page.shownData.flatMap(reader.total) { currentTotal = total }
    }

    /// Returns the position of a page. Puts a page that replaces another page into its place.
    private func place(of page: Resource) -> Int? {
        let current = list.index(of: page)
        guard let index = replacedIndex(by: page), index < list.slots.count, index < current ?? .max else {
            return current
        }
        edit { $0.rekey(at: index, page) }
        observeOnlyPages()
        return index
    }

    /// Returns the position that a page of a reload must have; nil if the page is not loaded by a reload, or if the page
    /// before it has left the list.
    private func replacedIndex(by page: Resource) -> Int? {
        guard let replacement, replacement.page === page else { return nil }
        return list.index(of: replacement.predecessor).map { $0 + 1 }
    }

    /// - Parameter last: the items of the page before, without edits.
    private func replace(at index: Int, with content: [Item], _ last: ServerItems, isFromApp: Bool) {
        if index == 0, !isFromApp, !list.isEmpty {
            let others = list.slots.dropFirst().map(\.key) + pagesBehind
            let restarts = !isReloadingAll && list.slots[0].key === top
            let isHead = target(.previous) == nil
            switch edit({
                $0.replaceFirst(
                    with: content, sent: last.sent, unedited: last.unedited, restarts: restarts, isHead: isHead)
            }) {
            case .same: break
            case .changed: for page in others { page.invalidate() }
            case .restarted:
                for page in others { page.invalidate() }
                startAgain()
            }
        } else {
            edit { $0.replace(at: index, with: content, isFromApp: isFromApp) }
        }
        guard !isFromApp, index < list.slots.count - 1, !leadsOn(index) else { return }
        edit { $0.truncate(to: index + 1) }
        observeOnlyPages()
    }

    /// Returns true if the page at a position leads to any page.
    private func leadsOn(_ index: Int) -> Bool { rawTarget(.next, ofPageAt: index) != nil }

    private func append(_ page: Resource, _ content: [Item]) {
        expected[.next] = nil
        appendToList(page, content)
        let excess = list.slots.count - max(maxPages ?? .max, 1)
        guard excess > 0 else { return }
        for slot in list.slots.prefix(excess) { dropped.append(slot.key) }
        edit { $0.removeFirst(excess) }
        observeOnlyPages()
    }

    private func prepend(_ page: Resource, _ content: [Item]) {
        expected[.previous] = nil
        if list.slots[0].key === top { top = page }
        dropped.takeBack(page.address)
        edit { $0.prepend(page, content) }
        guard list.slots.count > max(maxPages ?? .max, 1) else { return }
        edit { $0.truncate(to: max(maxPages ?? .max, 1)) }
        observeOnlyPages()
    }

    /// Ends the list before the first page that has lost its data. If that is the first page, the list starts again.
    private func dropWipedPages() {
        guard let index = list.slots.firstIndex(where: { $0.items != nil && !$0.key.hasShownData }) else { return }
        changeItems {
            guard index == 0 else { return edit { $0.truncate(to: index) } }
            edit { $0.restart(with: top) }
            dropped = DroppedPages()
            currentTotal = nil
            let last = exchange(&serverItems, with: [:])
            extendLifetime(last)
        }
        startAgain()
        guard index == 0 else { return }
        takeIfPresent(top)
        note(top)  // While the list began with a later page, it was told of no load and no wipe of this one.
    }

    /// Forgets the loads and the failures of pages that are in the list no more.
    func startAgain() {
        generation += 1
        expected = [:]
        loads = [:]
        observe(list.slots[0].key)
        observeOnlyPages()
    }

    // MARK: Observing pages

    func observe(_ page: Resource) {
        guard observed.insert(page).inserted else { return }
        observedRevision += 1
        page.addPassiveObserver(relay)
        if let presence { page.addObserver(presence) }
    }

    /// Makes the list count as an observer of its pages as long as it has observers itself.
    func updatePresence() {
        guard listeners.isEmpty == (presence != nil) else { return }
        let (old, new) = (presence, listeners.isEmpty ? nil : PagePresence())
        presence = new
        for page in observed {
            if let new { page.addObserver(new) } else { page.removeObservers(ownedBy: old) }
        }
    }

    /// Ends the observation of all resources that are no pages of the list any more.
    func observeOnlyPages() {
        var wanted = Set(list.slots.map(\.key) + expected.values)
        if let replacement { wanted.insert(replacement.page) }
        for page in observed.subtracting(wanted) {
            observed.remove(page)
            observedRevision += 1
            busy.remove(page)
            let last = exchange(&serverItems[page], with: nil)
            failures.removeAll { $0.page === page }
            page.removePassiveObserver(relay)
            page.removeObservers(ownedBy: presence)
            extendLifetime(last)
        }
    }

    // MARK: Links

    /// Returns the page to which the list leads in a direction; nil if there is none.
    func target(_ direction: PageDirection) -> Resource? {
        guard !list.isEmpty else { return direction == .next ? list.slots[0].key : nil }
        var earlier = direction == .previous ? dropped.last(in: top.context) : nil
        if let page = earlier, list.keys.contains(page) { earlier = nil }  // A reload may have brought it back.
        if let earlier, leadsToList(earlier) { return earlier }
        let index = direction == .next ? list.slots.count - 1 : 0
        let target = rawTarget(direction, ofPageAt: index)
        if let target, isAllowed(target, direction) { return target }
        return earlier
    }

    /// Returns true if a page that was dropped still leads to the first page of the list. Then it is the way back. Links
    /// often name the first page of all by another URL, with `page=1` for example, which would be another resource.
    private func leadsToList(_ page: Resource) -> Bool {
        // Counts the items that the server has sent, without those of changes that have not succeeded yet.
        guard let items = (page.state.data ?? page.shownData).flatMap(reader.items) else { return false }
        return reader.target(page, items.count, currentTotal, .next) === list.slots[0].key
    }

    /// The pages with data behind the last page, such as those that were dropped there. The list would add them without a
    /// request.
    var pagesBehind: [Resource] {
        var (pages, seen) = ([Resource](), list.keys)
        var next = list.isEmpty ? nil : rawTarget(.next, ofPageAt: list.slots.count - 1)
        while let page = next, origins.contains(page.url), seen.insert(page).inserted,
            let items = (page.state.data ?? page.shownData).flatMap(reader.items)
        {
            pages.append(page)
            next = reader.target(page, items.count, currentTotal, .next)
        }
        return pages
    }

    /// Returns the page to which a page leads, even if it may not be loaded.
    func rawTarget(_ direction: PageDirection, ofPageAt index: Int) -> Resource? {
        let slot = list.slots[index]
        return reader.target(slot.key, (serverItems[slot.key]?.sent ?? slot.items)?.count ?? 0, currentTotal, direction)
    }

    /// Returns true if a page is not in the list yet, and has an allowed origin.
    private func isAllowed(_ page: Resource, _ direction: PageDirection) -> Bool {
        guard !list.keys.contains(page) else { return false }
        if direction == .next, dropped.contains(page.address) { return false }
        guard !page.isInvalid, origins.contains(page.url) else {
            SiestaLog.log(.network, ["The link to the page", page, "leads to an origin that is not allowed"])
            return false
        }
        return true
    }
}
