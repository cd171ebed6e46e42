import Foundation
import HTTPRules

extension Resource {
    /// The freshness of ``latestData``: the current phase (for example, fresh or stale), the reason for this phase, and
    /// the time at which it ends. See <doc:HTTPCaching>.
    ///
    /// The value describes the freshness at the time when the property is read; a later read may return another value.
    /// Reading this property for the first time starts a read of the persistent caches.
    public var freshness: ResourceFreshness {
        MainQueue.checkInDebug("Resource.freshness")
        track(.isUpToDate, \.isUpToDate)
        beginReadingCache()
        let limits = resolvedConfiguration(for: .get).freshnessLimits
        return ResourceFreshness(state.freshness, state.data, within: limits, at: context.now)
    }

    /// Waits for data by the rules of HTTP.
    ///
    /// - Parameter maxAge: the age up to which the caller accepts data, in seconds; nil for any age.
    func fresh(
        by http: HTTPFreshness, _ directives: CacheDirectives = .init(), maxAge: TimeInterval? = nil
    ) async throws(RequestError) -> Entity<Any> {
        beginReadingCache()
        readCacheForOtherVariant()
        if state.data == nil || isReadingOtherVariant { try await cacheIsReadWithoutWipe() }
        var asked = directives.added(to: directivesOfLoad(http))
        if let maxAge { asked.maxAge = min(asked.maxAge ?? .max, UInt32(clampingSeconds: maxAge)) }
        if let heldError = errorInForce(asked) {
            if SiestaLog.Category.staleness.isWatched { noteDecision(.held, "is up to date") }
            if let data = usableData(after: heldError, http, asked) { return data }
            throw heldError
        }
        // No data is new enough for a negative age.
        let acceptsData = maxAge.map { $0 >= 0 } ?? true
        switch acceptsData || asked.onlyIfCached ? verdict(http, asked) : .fetch {
        case .fresh, .stale(.maxStale):
            if SiestaLog.Category.staleness.isWatched { noteDecision(.upToDate, "is up to date") }
            return try reused()
        case .stale(.staleWhileRevalidate):
            if !asked.onlyIfCached, currentLoad != nil || !Task.isCancelled { joinOrLoad() }
            return try reused()
        case .gatewayTimeout: throw notStoredError
        default: if currentLoad == nil { try throwIfTaskIsCancelled() }
        }
        do {
            return try await shownData(after: joinOrLoad())
        } catch {
            guard !error.isCancellation, let data = usableData(after: error, http, asked) else { throw error }
            return data
        }
    }

    /// Returns the load in progress. If there is none, begins a load.
    @discardableResult
    private func joinOrLoad() -> any Request {
        guard currentLoad != nil else { return context.because(.loadIfNeeded) { load() } }
        if SiestaLog.Category.staleness.isWatched { noteDecision(.joined, "is already loading") }
        return joinLoad()
    }

    /// Returns the error of the last load if it still holds back further loads.
    private func errorInForce(_ asked: RequestDirectives) -> RequestError? {
        guard let error = state.error, isUpToDateNow, !asked.noCache else { return nil }
        let cachingInfo = error.entity?.cachingInfo
        guard cachingInfo?.variant?.vary.isAny ?? true || isSelected(cachingInfo) else { return nil }
        return error
    }

    // MARK: Verdicts

    /// Returns the use that the rules of HTTP allow of the data, by a request with these directives.
    func verdict(_ http: HTTPFreshness, _ asked: RequestDirectives) -> CacheVerdict {
        let unusable = asked.onlyIfCached ? CacheVerdict.gatewayTimeout : .fetch
        guard let data = state.data, !state.freshness.hasOutdatedData, !isDataSuperseded, isSelected(data.cachingInfo)
        else { return unusable }
        if state.freshness.isGuaranteed, asked == RequestDirectives() { return .fresh }
        guard let lifetime = data.cachingInfo?.lifetime, let dataTime = state.freshness.dataTime else {
            return isUpToDateByConfiguration(asked) ? .fresh : unusable
        }
        return http.policy.verdict(lifetime, age: context.clock.monotonicTime - dataTime, request: asked)
    }

    /// Returns true if data without a lifetime, such as local data, is up to date by the configuration, and if its age is no
    /// obstacle for the caller. Does not use ``isUpToDateNow``, which may ask for the verdict.
    private func isUpToDateByConfiguration(_ asked: RequestDirectives) -> Bool {
        let (now, limits) = (context.clock.monotonicTime, resolvedConfiguration(for: .get).freshnessLimits)
        guard state.freshness.isUpToDate(at: now, within: limits) else { return false }
        let age = now - (state.freshness.dataTime ?? -.infinity)
        guard age <= asked.maxAge.map({ TimeInterval($0) }) ?? .infinity else { return false }
        return asked.minFresh.map { limits.expirationTime - age >= TimeInterval($0) } ?? true
    }

    /// True if the last load has received a response of the server that is an error and newer than the data. Failures of the
    /// server do not count (RFC 9111 §4.3.3).
    private var isDataSuperseded: Bool {
        guard let status = state.error?.httpStatusCode else { return false }
        return status < 500
    }

    /// Returns true if data or an error whose age is no obstacle may be used without asking the server. Considers the
    /// headers of the request that a load would send.
    func suitsRequest(_ resolved: ConfigurationSet.Resolved) -> Bool {
        if resolved.hasPlainLoads, isSelected(byLoadsOf: resolved) { return true }
        guard let http = resolved.httpFreshness else { return true }
        if let error = state.error, !isHeldByLifetime(error, resolved.freshnessLimits.retryTime) { return true }
        guard isSelected(state.error?.entity?.cachingInfo ?? state.data?.cachingInfo) else { return false }
        let asked = directivesOfLoad(http)
        guard asked != RequestDirectives() else { return true }
        if state.error != nil { return !asked.noCache && asked.maxAge != 0 }
        return verdict(http, asked) == .fresh
    }

    /// Returns true if there is no error, and if the data is selected by all loads of a configuration: its response does not
    /// vary, or came from a request of this configuration.
    private func isSelected(byLoadsOf resolved: ConfigurationSet.Resolved) -> Bool {
        guard state.error == nil, let variant = state.data?.cachingInfo?.variant else { return state.error == nil }
        return variant.configuration == resolved.number && !variant.vary.isAny
    }

    /// True if the error holds loads back only because its response has a lifetime. The retry time and the wait for which the
    /// server asks apply to all requests; otherwise a server could cause endless requests by its `Vary`.
    private func isHeldByLifetime(_ error: RequestError, _ retryTime: TimeInterval) -> Bool {
        guard error.entity?.cachingInfo?.lifetime.holdsLoadsBack ?? false, let held = state.freshness.errorTime else {
            return false
        }
        return context.clock.monotonicTime - (held - error.additionalRetryTime) > retryTime
    }

    /// Returns true if a load would select the response of `cachingInfo` (RFC 9111 §4.1).
    private func isSelected(_ cachingInfo: CachingInfo?) -> Bool {
        guard let variant = cachingInfo?.variant, !variant.vary.isAny else { return cachingInfo?.variant == nil }
        let resolved = resolvedConfiguration(for: .get)
        if variant.configuration == resolved.number, resolved.configuration.requestMutations.isEmpty { return true }
        guard let headers = headersToJudge else { return true }
        return variant.selects(HeaderFields(headers))
    }

    /// The headers that select the response to a load, if the data is another variant; nil if the data suits, or if it does
    /// not vary.
    var selectionOfOtherVariant: [String: String]? {
        guard state.freshness.isByHTTP, let cachingInfo = state.serverData?.cachingInfo,
            let variant = cachingInfo.variant, !variant.vary.isAny, !isSelected(cachingInfo)
        else { return nil }
        return variant.vary.selectingFields(of: HeaderFields(headersOfLoad))
    }

    /// The validator for the condition of a load; nil if the server must send the data again, or if the data is another
    /// variant.
    var validatorOfLoad: Validator? {
        guard let validator = state.serverData?.validator, selectionOfOtherVariant == nil else { return nil }
        return validator
    }

    /// The directives in the headers that a load would send.
    private func directivesOfLoad(_ http: HTTPFreshness) -> RequestDirectives {
        guard !resolvedConfiguration(for: .get).configuration.requestMutations.isEmpty, let headers = headersToJudge
        else {
            return http.directives
        }
        return RequestDirectives(HeaderFields(headers))
    }

    /// The headers of a load that starts now; nil while mutations of the app run to make these headers. Then the app asks for
    /// the freshness on which the headers depend.
    private var headersToJudge: [String: String]? {
        guard !context.isMakingHeaders else { return nil }
        context.isMakingHeaders = true
        defer { context.isMakingHeaders = false }
        return headersOfLoad
    }

    /// The error of a load that must not use the network, because the configured headers contain `only-if-cached`; nil in all
    /// other cases.
    var errorInsteadOfLoad: RequestError? {
        guard let http = resolvedConfiguration(for: .get).httpFreshness, directivesOfLoad(http).onlyIfCached else {
            return nil
        }
        return notStoredError
    }

    /// Starts a load, unless the configured headers forbid the use of the network. Then the load fails.
    func loadIfAllowed() -> any Request {
        guard let error = errorInsteadOfLoad else { return load() }
        return load(using: Self.failedRequest(returning: error))
    }

    // MARK: Results

    /// Returns the data for use without a new response: with its age, in the field `Age` (RFC 9111 §5.1).
    private func reused() throws(RequestError) -> Entity<Any> {
        guard let data = shownData else { throw notStoredError }
        return withAge(data)
    }

    /// Returns `entity` as a cache sends it: with its present age in whole seconds, and without the fields that the server
    /// must confirm before. Returns it unchanged if its freshness does not follow HTTP.
    func withAge(_ entity: Entity<Any>) -> Entity<Any> {
        guard let cachingInfo = entity.cachingInfo, let dataTime = state.freshness.dataTime else { return entity }
        let age = max(0, context.clock.monotonicTime - dataTime)
        var entity = entity
        var fields = entity.headers
        for name in cachingInfo.unconfirmedFields { fields[name] = nil }
        fields["age"] = String(Int(min(age, TimeInterval(Int32.max))))
        entity.headerFields = HeaderFields(fields)
        return entity
    }

    /// Returns the data if it may be used although a load has failed with `error`.
    private func usableData(
        after error: RequestError, _ http: HTTPFreshness, _ asked: RequestDirectives
    ) -> Entity<Any>? {
        guard let data = state.data, let shownData, !state.freshness.hasOutdatedData,
            let dataTime = state.freshness.dataTime, let lifetime = data.cachingInfo?.lifetime,
            isSelected(data.cachingInfo)
        else { return nil }
        let age = context.clock.monotonicTime - dataTime
        guard let failure = error.failureOfServer,
            http.policy.verdict(lifetime, age: age, request: asked, after: failure) != nil
        else { return nil }
        return withAge(shownData)
    }

    var notStoredError: RequestError {
        context.clock.whileCalling {
            var error = RequestError(.init(.notStored))
            error.httpStatusCode = 504
            error.setRequest(url, method: "GET")
            return error
        }
    }
}

extension RequestError {
    /// The failure that prevented the server from answering; nil for other errors, for example of the pipeline.
    fileprivate var failureOfServer: CachePolicy.Failure? {
        if let httpStatusCode { return .status(httpStatusCode) }
        switch code {
        case .serverUnavailable: return .status(503)
        case .network: return .unreachable
        default: return nil
        }
    }
}

extension UInt32 {
    /// Creates a number of whole seconds from a time that may be negative, infinite, or not a number.
    fileprivate init(clampingSeconds time: TimeInterval) {
        self = time > 0 ? UInt32(Swift.min(time, TimeInterval(Int32.max))) : 0
    }
}

extension Resource {
    /// Returns the facts about a request that decide about its response; nil if freshness does not follow HTTP.
    func asked(by request: PreparedRequest) -> HTTPFreshness.Asked? {
        guard context.followsHTTP, let http = resolvedConfiguration(for: .get).httpFreshness else { return nil }
        return HTTPFreshness.Asked(
            http: http, method: request.isLoadWithBody ? "GET" : request.method, url: request.url,
            headers: sentHeaders(request.headers),
            configuration: request.isMutated ? .max : variantNumber(request.resolved), time: context.clock.monotonicTime
        )
    }
}
