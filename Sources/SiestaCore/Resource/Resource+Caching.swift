import Foundation
import HTTPRules

extension Resource {
    /// The state of the read of the persistent caches.
    package enum CacheReading {
        case notStarted
        case inProgress(CacheRead)
        case ended
    }

    /// One read of the caches, and the actions that run after its end.
    package final class CacheRead {
        fileprivate let begun: WipeCount
        /// The number of earlier reads whose result was discarded, because the place of the resource's entry changed
        /// during the read.
        fileprivate let repetition: Int
        /// The ``State/contentRevision`` of the data that the result may replace; nil if it replaces no data.
        fileprivate let replaced: UInt32?
        fileprivate var waiting: [() -> Void] = []
        /// The monotonic time of its start, in seconds; nil if there were no listeners.
        fileprivate var startTime: TimeInterval?

        fileprivate init(begun: WipeCount, repetition: Int, replaced: UInt32?) {
            (self.begun, self.repetition, self.replaced) = (begun, repetition, replaced)
        }

        /// Runs the waiting actions. The read has no further effect.
        package func finish() {
            let waiting = self.waiting
            self.waiting = []
            for action in waiting { action() }
        }
    }

    /// Returns true if a later wipe included the caches. Then a response to a request made at `count` must be neither
    /// shown nor stored.
    package func isOutdated(_ count: WipeCount) -> Bool { count < lastWipe || count < context.lastWipe.count }

    /// Starts to read the caches, unless a read has already been started.
    package func beginReadingCache() {
        beginReadingCache(repetition: 0)
    }

    /// Reads the caches again if the data is not the variant that the headers of a load select now (RFC 9111 §4.1). Reads
    /// them once for each change of these headers.
    func readCacheForOtherVariant() {
        guard let selection = selectionToRead else { return }
        lane.lastVariant = selection
        cacheReading = .notStarted
        beginReadingCache(repetition: 0, replacing: state.contentRevision)
    }

    /// True if the next load that is necessary reads the caches again first.
    package var wouldReadOtherVariant: Bool { selectionToRead != nil }

    /// The headers for which the caches are read again before a load; nil if they are not read again. A cache of the app is
    /// not, because it does not evaluate `Vary`.
    private var selectionToRead: [String: String]? {
        guard state.freshness.isByHTTP, case .ended = cacheReading, currentLoad == nil,
            let selection = selectionOfOtherVariant,
            // Mutations of the app have made the headers. They may have begun another read, or a load.
            case .ended = cacheReading, currentLoad == nil, cacheLane?.lastVariant != selection,
            resolvedConfiguration(for: .get).processing.stages.contains(where: { $0.cache?.sharedStorage != nil })
        else { return nil }
        return selection
    }

    /// True if the caches are being read for another variant than that of the data.
    var isReadingOtherVariant: Bool {
        if case .inProgress(let read) = cacheReading { read.replaced != nil } else { false }
    }

    private func beginReadingCache(repetition: Int, replacing replaced: UInt32? = nil) {
        guard case .notStarted = cacheReading else { return }
        cacheReading = .ended  // Caches may ask this resource for its data while they create its key.
        let resolved = resolvedConfiguration(for: .get)
        guard !resolved.isProvisional else { return cacheReading = .notStarted }
        let processing = resolved.processing
        guard processing.hasCache else { return }
        var places = cachePlaces(in: processing) { self.headersOfLoad }
        // A cache of the app does not evaluate `Vary`: it may return the data that is to be replaced.
        if replaced != nil { places = places.filter { processing.stages[$0.stage].cache?.sharedStorage != nil } }
        guard case .ended = cacheReading else { return }  // A cache has wiped the resource while it created its key.
        guard !places.isEmpty, !state.hasData || replaced != nil else {
            // The caches may have an entry of a principal that is not known yet. Read the caches again when the data is
            // needed next.
            if !state.hasData, processing.lacksPrincipal(for: self) { cacheReading = .notStarted }
            return
        }
        let read = CacheRead(begun: .now, repetition: repetition, replaced: replaced)
        cacheReading = .inProgress(read)
        let traced = noteReading(read, resolved)
        withLane { lane in
            lane.read(places, processing: traced) { hit in
                self.context.clock.whileCalling { self.endReadingCache(read, of: places, with: hit) }
            }
        }
    }

    /// Invalidates the read in progress, and returns it; the caller must call ``CacheRead/finish()``. Returns nil if no
    /// read is in progress.
    package func stopReadingCache() -> CacheRead? {
        defer { cacheReading = .ended }
        guard case .inProgress(let read) = cacheReading else { return nil }
        return read
    }

    /// True if the caches are being read.
    package var isReadingCache: Bool {
        if case .inProgress = cacheReading { true } else { false }
    }

    /// Calls `action` after the read in progress; at once if no read is in progress.
    func whenCacheIsRead(_ action: @escaping () -> Void) {
        guard case .inProgress(let read) = cacheReading else { return action() }
        read.waiting.append(action)
    }

    /// Waits for the end of the read in progress. Returns at once if no read is in progress, or if the task is cancelled.
    package func cacheIsRead() async {
        let (ends, end) = AsyncStream<Void>.makeStream()
        whenCacheIsRead { end.finish() }
        for await _ in ends {}
    }

    /// Writes the results of a successful GET of this resource to `places`, which were determined when the request was
    /// made.
    func write(_ outputs: [CacheableOutput], to places: [CacheLane.Place]) {
        let places = stillCurrent(places)
        guard !places.isEmpty, !outputs.isEmpty else { return }
        recordUse(.write, of: places)
        withLane { $0.write(outputs, to: places) }
    }

    /// Writes an entity that does not come from a response to the caches of the last stages. The response to a load in
    /// progress replaces it if it also replaces the data.
    func storeInCaches(_ entity: Entity<Any>) {
        let processing = resolvedConfiguration(for: .get).processing
        guard processing.hasCache else { return }
        let places = stillCurrent(
            cachePlaces(in: processing) { self.headersOfLoad }.filter { processing.isResult(of: $0.stage) })
        guard !places.isEmpty else { return }
        let outputs = places.map { CacheableOutput(stage: $0.stage, entity: entity, response: entity.headerFields) }
        recordUse(.write, of: places)
        withLane { $0.write(outputs, to: $0.numberedAsLast(places)) }
    }

    /// Writes the result of a change to the caches. The responses to loads that have begun do not replace it.
    ///
    /// - Parameter outputs: the outputs of the stages for the response to the change; nil if the data does not come from a
    ///   response. Then only the caches of the last stages can store the data. The others lose their entities, which are
    ///   older: the next start of the app would take them for fresh.
    /// - Parameter outdatingLoads: false if the responses to loads that have begun replace it all the same.
    package func storeSettled(_ entity: Entity<Any>, _ outputs: [CacheableOutput]?, outdatingLoads: Bool = true) {
        let processing = resolvedConfiguration(for: .get).processing
        guard processing.hasCache else { return }
        let all = stillCurrent(cachePlaces(in: processing) { self.headersOfLoad })
        let places = all.filter { outputs != nil || processing.isResult(of: $0.stage) }
        let outdated = all.filter { outputs == nil && !processing.isResult(of: $0.stage) }
        let outputs =
            outputs
            ?? places.map { CacheableOutput(stage: $0.stage, entity: entity, response: entity.headerFields) }
        if !outdated.isEmpty {
            recordUse(.remove, of: outdated)
            withLane { $0.remove(outdatingLoads ? $0.numbered(outdated) : outdated) }
        }
        guard !places.isEmpty else { return }
        recordUse(.write, of: places)
        withLane { $0.write(outputs, to: outdatingLoads ? $0.numbered(places) : $0.numberedAsLast(places)) }
    }

    /// Stores stale data so that it is stale after the next start of the app, too. Returns false if the caches could not
    /// be read.
    package func storeAsStale() -> Bool {
        guard case .ended = cacheReading else { return false }
        // The error of a load that has failed since the invalidation does not make the data current.
        if state.freshness.hasOutdatedData, let data = state.serverData {
            storeSettled(data.storedAsComputed, nil, outdatingLoads: false)
        }
        return true
    }

    /// Waits until the caches of the app have stored what was written so far.
    package func cachesAreWritten() async {
        guard let cacheLane else { return }
        await withCheckedContinuation { continuation in cacheLane.afterAll { continuation.resume() } }
    }

    /// Updates the timestamp and the headers of the cached data, because the server has confirmed it. If `validator` is
    /// not nil, updates only data with this validator.
    func confirm(
        _ validator: Validator?, updating headers: [String: String], _ cachingInfo: CachingInfo? = nil,
        in places: [CacheLane.Place]
    ) {
        let places = stillCurrent(places)
        if !places.isEmpty { withLane { $0.confirm(validator, updating: headers, cachingInfo, in: places) } }
    }

    /// Returns the places that still belong to the current principal.
    private func stillCurrent(_ places: [CacheLane.Place]) -> [CacheLane.Place] {
        places.filter { place in
            if place.entry.isCurrent { return true }
            SiestaLog.log(.cache, [self, "is not stored: the principal has changed since it was requested"])
            return false
        }
    }

    /// The places of the entity that a load which starts now would find.
    var cachePlacesOfLoad: [CacheLane.Place] {
        let processing = resolvedConfiguration(for: .get).processing
        guard processing.hasCache, !isInvalid else { return [] }
        return cachePlaces(in: processing) { self.headersOfLoad }
    }

    /// Removes the entities from the caches.
    ///
    /// - Parameter outdatingLoads: True if the responses to loads that have begun must not be stored either.
    package func removeFromCaches(outdatingLoads: Bool = false) {
        let resolved = resolvedConfiguration(for: .get)
        guard !resolved.isProvisional else { return removeFromCachesLater(outdatingLoads: outdatingLoads) }
        removeFromCaches(of: resolved, outdatingLoads: outdatingLoads)
    }

    private func removeFromCaches(of resolved: ConfigurationSet.Resolved, outdatingLoads: Bool) {
        guard resolved.processing.hasCache, !isInvalid else { return }
        let places = cachePlaces(in: resolved.processing) { [:] }
        guard !places.isEmpty else { return }
        recordUse(.remove, of: places)
        withLane { $0.remove(outdatingLoads ? $0.numbered(places) : places) }
    }

    /// The removal of the entities of a resource whose caches are not known yet.
    private final class LateRemoval: ResourceExtension {
        var isDue = false
        var outdatesLoads = false
    }

    /// Removes the entities as soon as the configuration is known: before the next use of the caches, and at the latest in
    /// the next turn of the main queue. Necessary if a URL predicate or a configurer of the app wipes the resource.
    private func removeFromCachesLater(outdatingLoads: Bool) {
        let removal = extended(with: LateRemoval())
        removal.outdatesLoads = removal.outdatesLoads || outdatingLoads
        guard !exchange(&removal.isDue, with: true) else { return }
        MainQueue.async { if removal.isDue { _ = self.resolvedConfiguration(for: .get) } }
    }

    /// Makes up for removals that had to wait for this configuration.
    func removeFromCachesIfDue(_ resolved: ConfigurationSet.Resolved) {
        guard let removal = known(LateRemoval.self), exchange(&removal.isDue, with: false) else { return }
        removeFromCaches(of: resolved, outdatingLoads: exchange(&removal.outdatesLoads, with: false))
    }

    /// Notes the start of a read for listeners. Returns the processing of its result.
    private func noteReading(_ read: CacheRead, _ resolved: ConfigurationSet.Resolved) -> ResponseProcessing {
        guard let activity = context.activity else { return resolved.processing }
        read.startTime = context.clock.monotonicTime
        return resolved.processing.traced(
            by: PipelineTrace(hub: activity, address: address, cause: activity.cause, names: resolved.names))
    }

    private func noteEnd(of read: CacheRead, _ hit: CacheHit?) {
        guard let activity = context.activity else { return }
        let duration = read.startTime.map { context.clock.monotonicTime - $0 }
        let stage = hit.flatMap { pipelineNames.stage($0.stage) }
        activity.record(
            .cache(hit == nil ? .miss : .hit, stage: stage, duration: duration), of: address)
    }

    private func endReadingCache(_ read: CacheRead, of places: [CacheLane.Place], with hit: CacheHit?) {
        guard case .inProgress(let current) = cacheReading, current === read else { return }
        cacheReading = .ended
        noteEnd(of: read, hit)
        let isOfPlaces = !isOutdated(read.begun) && arePlacesCurrent(places, for: hit)
        // Caches, which were just asked for their keys, may have wiped the resource. Another read must not be replaced: loads
        // may wait for it.
        guard case .ended = cacheReading else { return read.finish() }
        guard isOfPlaces, !isOutdated(read.begun) else { return readCacheAgain(insteadOf: read) }
        if let hit, !state.hasData || read.replaced == state.contentRevision {
            let revision = state.contentRevision
            let isOutdated = context.known(Dependencies.self)?.isOutdated(hit.entity, of: self) ?? false
            if let error = hit.error {
                if !isOutdated { whileReading(read) { setCachedError(error, of: hit.entity, revision) } }
            } else if whileReading(read, { setCachedData(hit.entity, isOutdated: isOutdated, revision) }) {
                SiestaLog.log(.stateChanges, [self, "received data from its cache"])
                notifyObserversOfCachedData(isPushed: false)
            }
        }
        read.finish()
    }

    /// Sets what a read has found. Code that tracks the resource is told of the change before it is made; it waits for the
    /// read, and asks no network.
    private func whileReading<Result>(_ read: CacheRead, _ set: () -> Result) -> Result {
        guard case .ended = cacheReading else { return set() }  // Code of the app has begun another read.
        cacheReading = .inProgress(read)
        defer { if case .inProgress(let current) = cacheReading, current === read { cacheReading = .ended } }
        return set()
    }

    /// Tells observers of data from a cache, or of pushed data. What they push is as old as this data.
    func notifyObserversOfCachedData(isPushed: Bool) {
        PushOrigin.whileRunningHooks {
            PushOrigin.begin = min(PushOrigin.begin ?? .infinity, state.freshness.dataTime ?? .infinity)
            notifyObservers(.newData(.cache))
        }
        for feature in context.extensions { feature.cachedDataArrived(self, isPushed: isPushed) }
    }

    /// Sets the data to an entity from a cache. Returns false if the data has another ``State/contentRevision`` now, because
    /// code of the app has wiped the resource or changed its data.
    ///
    /// - Parameter number: The newest load whose response does not replace the data, because the app has pushed it.
    func setCachedData(
        _ entity: Entity<Any>, isOutdated: Bool = false, _ revision: UInt32? = nil,
        replacingLoadsUpTo number: State.LoadNumber? = nil
    ) -> Bool {
        let (now, revision) = (context.now, revision ?? state.contentRevision)
        let isComputed = entity.isStoredAsComputed
        let entity = withCachingInfo(isComputed ? entity.restoredAsComputed : entity)
        let isSet = change { state in
            guard state.contentRevision == revision else { return false }
            if isComputed {
                state.overrideData(entity, at: now)
            } else if let number {
                state.setPushedData(entity, after: number, at: now)
            } else {
                state.setCachedData(entity, at: now)
            }
            if isOutdated || isComputed { state.invalidate() }
            return true
        }
        if isSet { context.contentRecords?.noteCachedData(of: self) }
        return isSet
    }

    /// Returns an entity with the caching info that follows from its header fields and from the headers of a load that starts
    /// now; without any unless freshness follows HTTP.
    package func withCachingInfo(_ entity: Entity<Any>) -> Entity<Any> {
        var result = entity
        result.setCachingInfo(restoredCachingInfo(of: entity, resolvedConfiguration(for: .get)))
        return result
    }

    private func restoredCachingInfo(
        of entity: Entity<Any>, _ resolved: ConfigurationSet.Resolved
    ) -> CachingInfo? {
        resolved.httpFreshness?.cachingInfo(
            restoring: entity, headers: headersOfLoad, configuration: variantNumber(resolved))
    }

    /// Sets the error to an error response from a cache, if it still holds back loads. A response whose time is in the
    /// future counts as too old, because its age is unknown.
    ///
    /// - Parameter revision: The ``State/contentRevision`` that the state must still have. Code of the app may have wiped
    ///   the resource.
    private func setCachedError(_ error: RequestError, of stored: Entity<Any>, _ revision: UInt32) {
        let (now, resolved) = (context.now, resolvedConfiguration(for: .get))
        guard state.error == nil, error.entity != nil, let cachingInfo = restoredCachingInfo(of: stored, resolved)
        else { return }
        let age = cachingInfo.lifetime.age(arrivedAt: stored.timestamp, now: now.wallTime)
        guard age < TimeInterval(cachingInfo.lifetime.lifetime) else { return }
        var error = error
        error.setStored(cachingInfo, at: stored.timestamp)
        error.holdBack(beyond: resolved.configuration.retryTime)
        error.setRequest(url, method: "GET")
        let isSet = change { state in
            guard state.contentRevision == revision, state.error == nil else { return false }
            state.setCachedError(error, at: now)
            return true
        }
        guard isSet else { return }
        SiestaLog.log(.stateChanges, [self, "received an error from its cache"])
        notifyObservers(.error)
    }

    /// Returns true if a read that starts now would use the same places.
    private func arePlacesCurrent(_ places: [CacheLane.Place], for hit: CacheHit?) -> Bool {
        context.clock.whileCalling {
            places.allSatisfy { $0.entry.isPlace(of: self, for: hit, requestHeaders: { headersOfLoad }) }
        }
    }

    /// Repeats the read, because its result may belong to another principal. Stops after 8 repetitions, in case the
    /// keys change every time.
    private func readCacheAgain(insteadOf read: CacheRead) {
        guard read.repetition < 8 else { return read.finish() }
        cacheReading = .notStarted
        beginReadingCache(repetition: read.repetition + 1, replacing: read.replaced)
        whenCacheIsRead { read.finish() }
    }

    /// Returns the places in the caches for the response to a new request.
    func cachePlaces(forResponseTo request: PreparedRequest) -> [CacheLane.Place] {
        let processing = request.resolved.processing
        guard processing.hasCache, request.asksForAll else { return [] }
        let places = cachePlaces(in: processing) { self.sentHeaders(request.headers) }
        return places.isEmpty ? [] : lane.numbered(places)
    }

    /// The headers of a load that starts now.
    package var headersOfLoad: [String: String] {
        sentHeaders(PreparedRequest(headerRecipe).headers)
    }

    /// Returns the headers of a request, including those that the provider adds.
    ///
    /// If all users share the resource, the missing credential fields contain the name of the principal. Responses that
    /// vary by the credential are thus kept apart by user, and a refresh of the credential makes no difference.
    func sentHeaders(_ headers: [String: String]) -> [String: String] {
        let added = context.transport.addedFields
        guard variesByPrincipal, let authentication = context.authentication,
            let principal = authentication.sentPrincipal
        else { return added.completing(headers) }
        // White space in a field has no meaning, but in a name it has.
        let text = principal.utf8.map { String($0, radix: 16) }.joined(separator: "-")
        return added.completing(headers, and: authentication.scope.fields.map { ($0, text) })
    }

    /// True if all users share the resource, and its requests carry the credential of one.
    var variesByPrincipal: Bool { context.authentication != nil && !isPersonal }

    /// The number of the configuration if it determines the headers of a load; see ``CachingInfo/Variant/configuration``.
    func variantNumber(_ resolved: ConfigurationSet.Resolved) -> UInt64 {
        variesByPrincipal ? .max : resolved.number
    }

    private func cachePlaces(
        in processing: ResponseProcessing, requestHeaders: @escaping @MainActor () -> [String: String]
    ) -> [CacheLane.Place] {
        lazy var headers = requestHeaders()  // Computed once for all stages, or not at all.
        return context.clock.whileCalling {
            CacheLane.places(of: self, in: processing) { headers }
        }
    }

    /// Calls functions of the lane, which continue on other queues with the clock of the service.
    private func withLane(_ body: (CacheLane) -> Void) {
        context.clock.whileCalling { body(lane) }
    }

    private var lane: CacheLane {
        if let cacheLane { return cacheLane }
        let lane = CacheLane(context.unfinishedLanes.take(address) ?? WorkLane())
        cacheLane = lane
        return lane
    }
}

extension Resource {
    /// Clears the caches of a server that has asked for that with `Clear-Site-Data`: removes the entries from persistent
    /// caches, and makes data and errors in memory stale. A read in progress ends without a result, because it may have found
    /// what is removed now.
    func clearCaches(of server: URL) {
        let origin = URLOrigin(server)
        for storage in context.storages { storage.storage?.removeAll(ofOrigin: origin) }
        for resource in context.resources where URLOrigin(text: resource.address) == origin {
            // A storage finds the entries of an origin. A cache of the app must be asked for each of them. This comes before the
            // read is stopped, because the cache may ask the resource for its data.
            let stages = resource.resolvedConfiguration(for: .get).processing.stages
            if stages.contains(where: { $0.cache.map { $0.sharedStorage == nil } ?? false }) {
                resource.removeFromCaches()
            }
            // In a later turn, because loads that wait for the read begin then.
            if resource.isReadingCache, let read = resource.stopReadingCache() { MainQueue.async { read.finish() } }
            guard resource.state.hasData || resource.state.error != nil else { continue }
            // The data need not differ from that of the server. A live source has missed nothing, and must not load it: a
            // server may send the field with each response, so that each load would cause the next one.
            resource.change { $0.invalidate() }
            resource.observerList?.deliverSilentChange(of: resource)
        }
    }
}
