public import Foundation

extension Resource {
    /// Requests the resource, even if its data is fresh. `overlap` chooses what happens to the loads that are running.
    ///
    /// - Returns: The new load, or the running load that the caller has joined.
    @discardableResult
    public func load(_ overlap: LoadOverlap) -> any Request {
        MainQueue.check("Resource.load(_:)")
        switch overlap {
        case .join: return currentLoad ?? load()
        case .parallel: return load()
        case .replace:
            let last = state.lastLoad
            for request in loadRequests where !request.isCompleted { request.cancel() }
            // A hook of a cancelled load may have started another load.
            if last != state.lastLoad, let newer = currentLoad { return newer }
            return load()
        }
    }

    /// Loads the resource if its data is older than `maxAge`, unless a load is already running.
    ///
    /// This method works as ``loadIfNeeded()``, but `maxAge` takes the place of ``Configuration/expirationTime``. If
    /// ``Configuration/freshness`` follows HTTP, `maxAge` applies in addition to the lifetime that the server has set.
    /// ``Configuration/retryTime`` and ``invalidate()`` apply as usual.
    ///
    /// - Parameter maxAge: The age up to which data is fresh, in seconds. If it is negative or NaN, no data is fresh.
    /// - Returns: The load in progress, whether or not this call started it; nil if the data is fresh.
    @discardableResult
    public func loadIfNeeded(maxAge: TimeInterval) -> (any Request)? {
        MainQueue.checkInDebug("Resource.loadIfNeeded(maxAge:)")
        return load(unless: { isUpToDate(within: maxAge) }, maxAge: maxAge)
    }

    /// Waits for data that is not older than `maxAge`. Returns the current data if it is new enough. Otherwise loads the
    /// resource, or waits for the load in progress.
    ///
    /// This method works as ``get(_:)``, but `maxAge` takes the place of ``Configuration/expirationTime``; see
    /// ``loadIfNeeded(maxAge:)``. If a task that waits is cancelled, the load continues for the other tasks.
    ///
    /// - Throws: The error of the load; see ``get(_:)``.
    public func fresh(maxAge: TimeInterval) async throws(RequestError) -> Entity<Any> {
        if let http = resolvedConfiguration(for: .get).httpFreshness {
            return try await fresh(by: http, maxAge: maxAge)
        }
        return try await fresh(unless: { isUpToDate(within: maxAge) }, maxAge: maxAge)
    }

    /// Returns the data in memory, fresh or stale, with the edits of ``pendingChanges``. If there is none, waits for a
    /// read of the persistent caches. Never uses the network. If the waiting task is cancelled, the wait ends, and the
    /// read continues.
    ///
    /// - Returns: The data; nil if neither the memory nor a cache has data.
    public func cached() async -> Entity<Any>? {
        if state.data == nil {
            beginReadingCache()
            await cacheIsRead()
        }
        return shownData.map(withAge)
    }

    /// Returns true if the data is not older than `maxAge` seconds, or if the last load failed too recently.
    func isUpToDate(within maxAge: TimeInterval) -> Bool {
        let retryTime = resolvedConfiguration(for: .get).freshnessLimits.retryTime
        let limits = Freshness.Limits(expirationTime: maxAge, retryTime: retryTime)
        let now = context.clock.monotonicTime
        guard state.freshness.isUpToDate(at: now, within: limits) else { return false }
        guard !state.freshness.isPlain else { return true }
        return suitsRequest(resolvedConfiguration(for: .get))
            && (state.error != nil || now - (state.freshness.dataTime ?? -.infinity) <= maxAge)
    }
}

extension TypedResource {
    /// Requests the resource, even if its data is fresh, and returns its content after the load, as ``load()`` does.
    /// `overlap` chooses what happens to the loads that are running; see ``Resource/get(_:)``.
    ///
    /// Cancellation works as for ``Request/value``. A task that is already cancelled starts no load.
    @discardableResult
    public func load(_ overlap: LoadOverlap) async throws(RequestError) -> Content {
        try resource.throwIfTaskIsCancelled()
        return try content(of: await resource.shownData(after: resource.load(overlap)))
    }

    /// Waits for content that is not older than `maxAge` seconds. Loads the resource only if necessary; see
    /// ``Resource/get(_:)``.
    public func fresh(maxAge: TimeInterval) async throws(RequestError) -> Content {
        try content(of: await resource.get(.ifOlder(than: maxAge)))
    }

    /// Starts a load if the content is older than `maxAge` seconds, and returns at once; see
    /// ``Resource/loadIfNeeded(maxAge:)``.
    @discardableResult
    public func loadIfNeeded(maxAge: TimeInterval) -> (any Request)? {
        resource.loadIfNeeded(maxAge: maxAge)
    }

    /// Returns the content in memory or in a persistent cache, fresh or stale; see ``Resource/get(_:)``. Nil if there is
    /// no content or its type is not `Content`.
    public func cached() async -> Content? {
        (try? await resource.get(.cached))?.cast(to: Content.self)
    }
}
