public import SiestaCore

extension PagedResource {
    /// Loads pages of the list again, and waits for them; see ``PageReload``. If no page has content yet, loads the
    /// first page.
    ///
    /// If a reload of the same kind is running, this method waits for that reload. If a reload of another kind is
    /// running, the new reload begins when that reload has ended. If the waiting task is cancelled, the wait ends, and
    /// the reload continues. A task that is already cancelled starts no reload.
    ///
    /// - Throws: The error of the first page whose load has failed, or a cancellation error. A reload of all pages
    ///   stops at this page. Pages that were not loaded keep their items.
    public func reload(_ way: PageReload = .all) async throws(RequestError) {
        while let reloading, reloading.strategy != way, await outcome(of: reloading.task) != nil {}
        guard !Task.isCancelled, let failure = await outcome(of: reloading?.task ?? begin(way)) else {
            throw cancellation
        }
        if let failure { throw failure }
    }

    /// Waits for the end of a reload, and returns its failure. Returns nil if the waiting task is cancelled before.
    func outcome(of reload: Task<RequestError?, Never>) async -> RequestError?? {
        let (ends, end) = AsyncStream<RequestError?>.makeStream()
        Task {
            end.yield(await reload.value)
            end.finish()
        }
        for await outcome in ends { return .some(outcome) }
        return nil
    }

    private func begin(_ way: PageReload) -> Task<RequestError?, Never> {
        let task = Task { @MainActor () -> RequestError? in
            defer {
                reloading = nil
                replacement = nil
                isReloadingAll = false
                observeOnlyPages()
                update()
            }
            do throws(RequestError) {
                try await reload(in: way)
                return nil
            } catch {
                return error
            }
        }
        reloading = (way, task)
        return task
    }

    private func reload(in way: PageReload) async throws(RequestError) {
        // The first page of the whole list may have failed in the last reload, although the list begins with a later page.
        failures.removeAll { !isObserved($0.page) }
        if list.isEmpty { return try await finish(list.slots[0].key, list.slots[0].key.load()) }
        switch way {
        case .all: try await reloadAll()
        case .firstThenMerge: try await reloadFirst()
        case .visible: try await reloadVisible()
        }
    }

    /// Keeps a load for which the list waits, at once or after the loads of other pages. The end of another wait does not
    /// cancel it. The loss of all observers does not either, until the returned task is cancelled.
    @discardableResult
    func keep(_ load: any Request) -> Task<Void, Never> {
        load.onCompletion { _ in }
        return Task { _ = await load.response }
    }

    /// Waits for the load of a page.
    func finish(_ page: Resource, _ request: any Request) async throws(RequestError) {
        let response = await request.response.response
        failures.removeAll { $0.page === page }
        let error = response.failure ?? mismatch(of: page)
        if let error, !error.isCancellation, isObserved(page) || page === top { failures.append((page, error)) }
        update()
        guard let error else { return }
        // While the list begins with a later page, it receives no event of the first page of all.
        if failures.last?.page === page, !isObserved(page) { tell((event: .error, page: page)) }
        throw error
    }

    private func isObserved(_ page: Resource) -> Bool { observed.contains(page) }

    private func reloadAll() async throws(RequestError) {
        isReloadingAll = true
        let started = generation
        var page = list.slots[0].key
        while true {
            observe(page)
            try await finish(page, page.load())
            // The list may have grown at either end during the load.
            guard generation == started, let index = list.index(of: page).map({ $0 + 1 }) else { return }
            guard index < list.slots.count else { break }
            guard let next = rawTarget(.next, ofPageAt: index - 1), isAllowed(next, at: index) else {
                changeItems { edit { $0.truncate(to: index) } }
                observeOnlyPages()
                break
            }
            replacement = (next, predecessor: page)
            page = next
        }
        changeItems { edit { $0.forgetEarlierContents() } }
        update()
        tell((event: .notModified, page: nil))
    }

    /// Returns true if a page may be in the list at a position, after the pages that have been loaded again.
    private func isAllowed(_ page: Resource, at index: Int) -> Bool {
        !page.isInvalid && origins.contains(page.url) && !dropped.contains(page.address)
            && !list.slots[..<index].contains { $0.key === page }
    }

    private func reloadFirst() async throws(RequestError) {
        let first = top
        let started = generation
        try await finish(first, first.load())
        guard generation == started, list.slots[0].key !== first || list.id == nil && list.slots.count > 1 else {
            return
        }
        for slot in list.slots where slot.key !== first { slot.key.invalidate() }
        changeItems {
            edit { $0.restart(with: first) }
            dropped = DroppedPages()
        }
        startAgain()
        takeIfPresent(first)
        note(first)
        update()
        tell((event: .newData(.network), page: first))
    }

    private func reloadVisible() async throws(RequestError) {
        let visible = visiblePages
        for slot in list.slots where !visible.contains(slot.key) { slot.key.invalidate() }
        let requests = visible.map { $0.load() }
        for request in requests { keep(request) }
        var failure: RequestError?
        for (page, request) in zip(visible, requests) {
            do throws(RequestError) {
                try await finish(page, request)
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }
}

extension Response {
    fileprivate var failure: RequestError? {
        guard case .failure(let error) = self else { return nil }
        return error
    }
}
