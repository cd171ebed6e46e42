import Foundation
public import SiestaCore

extension PagedResource {
    /// Loads pages that are missing or stale, and returns the items. If the first page is stale or missing, loads only
    /// the first page. Otherwise, loads the visible pages that are stale; see ``visibleItems``.
    ///
    /// This method starts the same loads as ``loadIfNeeded()``, and waits for them. If a load of these pages or a
    /// reload is already running, this method waits for it, and starts no other load. If the waiting task is cancelled,
    /// the wait ends, and the loads continue.
    ///
    /// - Throws: The error of the first page whose load has failed. The list keeps all pages. If the list is wiped during the
    ///   call, throws a cancellation error.
    @discardableResult
    public func get() async throws(RequestError) -> [Item] {
        MainQueue.check("PagedResource.get()")
        let (made, first) = (WipeCount.now, top)
        while let reloading {
            guard let failure = await outcome(of: reloading.task) else { break }
            if let failure { throw failure }
        }
        if Task.isCancelled { throw cancellation }
        guard !list.isEmpty else {
            try await load(.next)
            // The items may belong to another user, or be gone.
            if first.isOutdated(made) || list.isEmpty { throw cancellation }
            return items
        }
        let loads = beginNeededLoads()
        let waits = loads.map { keep($0.request) }
        defer { for wait in waits { wait.cancel() } }
        for (page, request) in loads { try await finish(page, request) }
        if first.isOutdated(made) || list.isEmpty && !loads.isEmpty { throw cancellation }
        return items
    }

    /// Adds the next page at the end of the list. If no page has content yet, the next page is the first page.
    /// Otherwise, the next page is the page to which the last page links. If there is no next page, does nothing.
    ///
    /// If the page is already being loaded, this method waits for that load. Concurrent calls therefore load only one
    /// page. If a reload is running, the method first waits until the reload has ended. If the page has fresh data, the
    /// method adds the page without a request. If a persistent cache has stale data of the page, the method adds the
    /// page with this data, and then loads the page. After a failure, the next call loads the same page again.
    ///
    /// If the waiting task is cancelled, the wait ends, and the load continues.
    ///
    /// - Throws: The error with which the load of the page has failed. The list keeps all other pages.
    public func loadNext() async throws(RequestError) {
        try await load(.next)
    }

    /// Adds the previous page at the beginning of the list, as ``loadNext()`` adds the next page at the end. If there
    /// is no previous page, does nothing.
    public func loadPrevious() async throws(RequestError) {
        try await load(.previous)
    }

    /// Starts to add the next page, as ``loadNext()`` does, but returns at once. If the load fails, ``error`` contains
    /// the error. Call this method when the user reaches the end of the list.
    public func beginLoadingNext() {
        begin(.next)
    }

    /// Starts to add the previous page, as ``loadPrevious()`` does, but returns at once; see ``beginLoadingNext()``.
    public func beginLoadingPrevious() {
        begin(.previous)
    }

    private func begin(_ direction: PageDirection) {
        MainQueue.check("PagedResource.beginLoadingNext()")
        if reloading == nil, !isChanging {
            if let page = loads[direction]?.page ?? target(direction) { _ = begin(direction, page) }
        } else {
            Task { try? await load(direction) }
        }
    }

    /// Starts to load pages that are missing or stale, and returns at once. If the first page is stale or missing,
    /// loads only the first page. Otherwise, loads the visible pages that are stale; see ``visibleItems``. Call this
    /// method when the list appears.
    public func loadIfNeeded() {
        MainQueue.check("PagedResource.loadIfNeeded()")
        _ = beginNeededLoads()
    }

    private func beginNeededLoads() -> [(page: Resource, request: any Request)] {
        let first = list.slots[0].key
        if let request = first.loadIfNeeded() { return [(first, request)] }
        guard !list.isEmpty else { return [] }
        return visiblePages.compactMap { page in page.loadIfNeeded().map { (page, $0) } }
    }

    /// Adds the pages that persistent caches contain, one after another, without using the network. Stops at the first
    /// page that the caches do not contain, or at the end of the list.
    ///
    /// - Parameter limit: The number of pages in the list at which the method stops. By default, there is no limit.
    public func loadCachedPages(upTo limit: Int = .max) async {
        MainQueue.check("PagedResource.loadCachedPages(upTo:)")
        let started = generation
        var page = list.slots[0].key
        while generation == started, !Task.isCancelled {
            page.beginReadingCache()
            await page.cacheIsRead()
            guard generation == started else { return }
            if !list.keys.contains(page) || list.isEmpty { takeIfPresent(page) }
            note(page)
            update()
            guard list.keys.contains(page), !list.isEmpty, list.slots.count < min(limit, maxPages ?? .max),
                let next = target(.next), loads[.next] == nil
            else { break }
            page = next
            expected[.next] = page
            observe(page)
        }
        guard generation == started, loads[.next] == nil, expected[.next] === page else { return }
        expected[.next] = nil
        observeOnlyPages()
        update()
    }

    private func load(_ direction: PageDirection) async throws(RequestError) {
        while let reloading, await outcome(of: reloading.task) != nil {}
        guard let page = loads[direction]?.page ?? target(direction) else { return }
        if Task.isCancelled { throw cancellation }
        let started = generation
        let request = begin(direction, page)
        if case .failure(let error) = await request?.response.response { throw error }
        if let error = mismatch(of: page) { throw error }
        guard request != nil else { return }
        // The new content of a dropped page may lead elsewhere. Then the link back from the list counts.
        if direction == .previous, generation == started, !list.keys.contains(page), target(.previous) !== page {
            try await load(.previous)
        }
    }

    var cancellation: RequestError { top.context.clock.whileCurrent { RequestError.cancelled() } }

    /// Begins the load of a page, or joins it. Returns nil if no load is needed.
    private func begin(_ direction: PageDirection, _ page: Resource) -> (any Request)? {
        if let load = loads[direction] { return load.request }
        linksNumber += 1  // A dropped page, which is not observed, may lead elsewhere now.
        let replaced = list.keys.contains(page) ? nil : expected.updateValue(page, forKey: direction)
        observe(page)
        if let replaced, replaced !== page { observeOnlyPages() }
        if !list.keys.contains(page), page.isUpToDateNow, page.state.error == nil { takeIfPresent(page) }
        let outer = exchange(&beginning, with: direction)
        let request = page.loadIfNeeded() ?? (hasFailed(page) ? page.load() : nil)
        beginning = outer
        // False if other code had begun the load before. Then the page sends no event now.
        let isAnnounced = direction == .next ? known.isLoadingNext : known.isLoadingPrevious
        if let request, page.state.isLoading {
            loads[direction] = PageLoad(page: page, request: request)
            request.onCompletion { [weak self] _ in self?.loadEnded(page) }
        }
        note(page)
        update()
        if request == nil { tell((event: .newData(.cache), page: page)) } else if !isAnnounced { listeners.wakeLoops() }
        return request
    }

    /// True if the last load of a page has failed, or brought content of another type.
    private func hasFailed(_ page: Resource) -> Bool { page.state.error != nil || mismatch(of: page) != nil }

    /// The pages that have failed, for whatever reason. The first page of the whole list need not be one of ``resources``.
    package var failedPages: [Resource] { failures.map(\.page) }

    /// The load of a page has ended. Most loads have been noted before, with their event.
    private func loadEnded(_ page: Resource) {
        note(page)
        update()
    }

    /// The pages that a person sees.
    var visiblePages: [Resource] {
        let indices = visibleItems.map { list.pages(in: $0) } ?? list.slots.indices
        return list.slots[indices].map(\.key)
    }
}
