import Foundation

extension Resource {
    /// Returns the data of the resource. Loads the resource first if `policy` requires a load.
    ///
    ///     let balance = try await account.get(.ifOlder(than: 5))  // At most 5 seconds old.
    ///     let offline = try? await account.get(.cached)  // From memory or a cache, never from the network.
    ///     let newest = try await account.get(.always)  // Asks the server in any case.
    ///
    /// The result is ``latestData``, including the edits of ``pendingChanges``. If newer data arrives during the call,
    /// for example from a load that started later, the call returns the newer data. To receive the response itself,
    /// await the ``Request/value`` of the request that ``load()`` returns.
    ///
    /// If the calling task is cancelled, the call throws an error at once. The load is also cancelled, unless another
    /// task, a hook or an observer needs its outcome; see ``Request/value``. A task that is already cancelled starts no
    /// load.
    ///
    /// - Throws: The error of the load. Unless `policy` is ``FetchPolicy/always`` or ``FetchPolicy/cached``, no new
    ///   load starts if the last load failed less than ``Configuration/retryTime`` ago, and the function throws the
    ///   error of the failed load. If the resource is wiped during the call, the function throws a cancellation error,
    ///   because the response may belong to another user.
    @discardableResult
    public func get(_ policy: FetchPolicy = .ifStale) async throws(RequestError) -> Entity<Any> {
        MainQueue.checkInDebug("Resource.get(_:)")
        switch policy.rule {
        case .ifStale: return try await fresh()
        case .ifOlder(let age): return try await fresh(maxAge: age)
        case .directives(let directives): return try await fresh(directives: directives)
        case .cached:
            guard let data = try await cached() else { throw notStoredError }
            return data
        case .always:
            try throwIfTaskIsCancelled()
            return try await shownData(after: load())
        }
    }

    private func fresh() async throws(RequestError) -> Entity<Any> {
        if let http = resolvedConfiguration(for: .get).httpFreshness { return try await fresh(by: http) }
        return try await fresh(unless: { isUpToDateNow })
    }

    private func fresh(maxAge: TimeInterval) async throws(RequestError) -> Entity<Any> {
        if let http = resolvedConfiguration(for: .get).httpFreshness {
            return try await fresh(by: http, maxAge: maxAge)
        }
        return try await fresh(unless: { isUpToDate(within: maxAge) }, maxAge: maxAge)
    }

    private func fresh(directives: CacheDirectives) async throws(RequestError) -> Entity<Any> {
        guard let http = resolvedConfiguration(for: .get).httpFreshness else {
            guard directives.onlyIfCached else { return try await fresh() }
            if let data = try await cached(), isUpToDateNow, state.error == nil { return data }
            throw notStoredError
        }
        return try await fresh(by: http, directives)
    }

    /// Returns the data if `isUpToDate` returns true. Otherwise waits for the load that ``load(unless:maxAge:)`` returns.
    private func fresh(
        unless isUpToDate: () -> Bool, maxAge: TimeInterval? = nil
    ) async throws(RequestError) -> Entity<Any> {
        if currentLoad == nil, !isUpToDate() { try throwIfTaskIsCancelled() }
        if let load = load(unless: isUpToDate, maxAge: maxAge) { return try await shownData(after: load) }
        if let error = state.error { throw error }
        if let data = shownData { return data }
        // This line is unreachable: the resource cannot be up to date without data and error.
        return try await shownData(after: load())
    }

    /// Returns the data in memory or in a persistent cache, with the edits of pending changes.
    private func cached() async throws(RequestError) -> Entity<Any>? {
        if state.data == nil {
            beginReadingCache()
            try await cacheIsReadWithoutWipe()
        }
        return shownData.map(withAge)
    }

    /// Waits for the end of the read in progress. If the resource is wiped meanwhile, which begins another read, throws a
    /// cancellation.
    func cacheIsReadWithoutWipe() async throws(RequestError) {
        let made = WipeCount.now
        await cacheIsRead()
        guard isOutdated(made) || isReadingCache && !state.hasData else { return }
        throw context.clock.whileCalling { RequestError.cancelled() }
    }

    /// Waits for the success of a load, and returns the data that is shown then. It may be newer than the response to the
    /// load, and it contains the edits of pending changes.
    ///
    /// If the data was wiped meanwhile, throws a cancellation. The response may belong to another user.
    func shownData(after load: any Request) async throws(RequestError) -> Entity<Any> {
        let made = WipeCount.now
        _ = try await load.value
        return try shownData(unlessWipedSince: made)
    }

    private func shownData(unlessWipedSince made: WipeCount) throws(RequestError) -> Entity<Any> {
        if !isOutdated(made), let shownData { return shownData }
        throw context.clock.whileCalling { RequestError.cancelled() }
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

    /// Returns the load in progress. If there is none, begins a load. A load that waits for a cache then asks the network.
    @discardableResult
    package func joinLoad() -> any Request {
        guard let running = currentLoad else { return load() }
        if self.running.hasWaitingLoad { running.live?.accept(maxAge: -.infinity) }
        return running
    }
}

extension TypedResource {
    /// Returns the content of the resource. Loads the resource first if `policy` requires a load; see
    /// ``Resource/get(_:)``.
    ///
    /// - Throws: The error of the load. If the content is not of type `Content`, an error with the code
    ///   ``RequestError/Code/wrongContentType``.
    @discardableResult
    public func get(_ policy: FetchPolicy = .ifStale) async throws(RequestError) -> Content {
        try content(of: await resource.get(policy))
    }
}
