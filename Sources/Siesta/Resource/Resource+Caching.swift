extension Resource {
    /// How far the look into the persistent caches has come.
    enum CacheReading {
        case notStarted
        case inProgress(CacheRead)
        case ended
    }

    /// One look into the caches, and what waits for its end.
    final class CacheRead {
        fileprivate let begun: WipeCount
        /// How often what was looked for had changed when it was found.
        fileprivate let repetition: Int
        fileprivate var waiting: [() -> Void] = []

        fileprivate init(begun: WipeCount, repetition: Int) {
            (self.begun, self.repetition) = (begun, repetition)
        }

        /// Lets what waits go on; nothing comes of this look any more.
        func finish() {
            let waiting = self.waiting
            self.waiting = []
            for action in waiting { action() }
        }
    }

    /// Whether what was requested at `count` must be neither shown nor stored, since caches and all were wiped since.
    func isOutdated(_ count: WipeCount) -> Bool { count < lastWipe || count < context.lastWipe }

    /// Looks into the caches unless that has been done.
    func beginReadingCache() {
        beginReadingCache(repetition: 0)
    }

    private func beginReadingCache(repetition: Int) {
        guard case .notStarted = cacheReading else { return }
        cacheReading = .ended  // Caches may ask this resource for its data while they make its key.
        let resolved = resolvedConfiguration(for: .get)
        guard !resolved.isProvisional else { return cacheReading = .notStarted }
        let processing = resolved.processing
        guard processing.hasCache else { return }
        let places = placesToRead(in: processing)
        guard case .ended = cacheReading else { return }  // A cache has wiped the resource while it made its key.
        guard !places.isEmpty, !state.hasData else {
            // Once it is known whose data it is, there may be some.
            if !state.hasData, processing.lacksPrincipal { cacheReading = .notStarted }
            return
        }
        let read = CacheRead(begun: .now, repetition: repetition)
        cacheReading = .inProgress(read)
        lane.read(places, processing: processing) { self.endReadingCache(read, of: places, with: $0) }
    }

    /// Makes the look in progress, if there is one, come to nothing, and returns it to be finished.
    func stopReadingCache() -> CacheRead? {
        defer { cacheReading = .ended }
        guard case .inProgress(let read) = cacheReading else { return nil }
        return read
    }

    /// Calls back when the look in progress has ended; at once if there is none.
    func whenCacheIsRead(_ action: @escaping () -> Void) {
        guard case .inProgress(let read) = cacheReading else { return action() }
        read.waiting.append(action)
    }

    /// Waits for the end of the look in progress, if there is one.
    func cacheIsRead() async {
        await withCheckedContinuation { continuation in
            whenCacheIsRead { continuation.resume() }
        }
    }

    /// Stores what a successful GET of this resource brought, where the request was to look after it when it was made.
    func write(_ outputs: [ResponseProcessing.CacheableOutput], to places: [CacheLane.Place]) {
        let places = stillCurrent(places)
        if !places.isEmpty, !outputs.isEmpty { lane.write(outputs, to: places) }
    }

    /// Notes in the caches that data is current: that with `validator`, if it has one.
    func updateTimestamps(of validator: Validator?, in places: [CacheLane.Place]) {
        let places = stillCurrent(places)
        if !places.isEmpty { lane.updateTimestamp(context.clock.wallTime, of: validator, in: places) }
    }

    /// The places that are still those of this resource: none that is another user's by now.
    private func stillCurrent(_ places: [CacheLane.Place]) -> [CacheLane.Place] {
        places.filter { place in
            if place.entry.isCurrent { return true }
            SiestaLog.log(.cache, [self, "is not stored: the principal has changed since it was requested"])
            return false
        }
    }

    func removeFromCaches() {
        let processing = resolvedConfiguration(for: .get).processing
        guard !isInvalid, processing.hasCache else { return }
        let places = cachePlaces(in: processing) { [:] }
        if !places.isEmpty { lane.remove(places) }
    }

    private func endReadingCache(_ read: CacheRead, of places: [CacheLane.Place], with hit: CacheLane.Hit?) {
        guard case .inProgress(let current) = cacheReading, current === read else { return }
        cacheReading = .ended
        guard !isOutdated(read.begun), isStillLookedFor(hit, in: places) else {
            return readCacheAgain(insteadOf: read)
        }
        guard case .ended = cacheReading else { return read.finish() }  // Caches were asked, and may have asked back.
        if let hit, !state.hasData {
            let now = context.now
            change { $0.setCachedData(hit.entity, at: now) }
            SiestaLog.log(.stateChanges, [self, "received data from its cache"])
            notifyObservers(.newData(.cache))
        }
        read.finish()
    }

    /// Whether a look that began now would look for the same.
    private func isStillLookedFor(_ hit: CacheLane.Hit?, in places: [CacheLane.Place]) -> Bool {
        context.clock.whileCurrent {
            places.allSatisfy { $0.entry.isPlace(of: self, for: hit, requestHeaders: { headersOfLoad }) }
        }
    }

    /// Looks again, since what was found may be another user's by now; but not for ever, if keys are never the same.
    private func readCacheAgain(insteadOf read: CacheRead) {
        guard read.repetition < 8 else { return read.finish() }
        cacheReading = .notStarted
        beginReadingCache(repetition: read.repetition + 1)
        whenCacheIsRead { read.finish() }
    }

    /// Where the answer to a request that is made now is to be stored.
    func cachePlaces(forAnswerTo request: PreparedRequest, _ recipe: NetworkRequest.Recipe) -> [CacheLane.Place] {
        let processing = request.resolved.processing
        guard processing.hasCache, request.asksForAll(recipe) else { return [] }
        let places = cachePlaces(in: processing) { self.sentHeaders(request.headers(recipe)) }
        return places.isEmpty ? [] : lane.takeTurn(places)
    }

    private func placesToRead(in processing: ResponseProcessing) -> [CacheLane.Place] {
        cachePlaces(in: processing) { self.headersOfLoad }
    }

    /// The headers that a load has which begins now.
    var headersOfLoad: [String: String] {
        let recipe = NetworkRequest.Recipe(resource: self, method: .get, mutation: nil)
        return sentHeaders(PreparedRequest(recipe).headers(recipe))
    }

    /// The headers of a request with those that the provider adds.
    private func sentHeaders(_ headers: [String: String]) -> [String: String] {
        context.starter.addedFields?.completing(headers) ?? headers
    }

    private func cachePlaces(
        in processing: ResponseProcessing, requestHeaders: @escaping @MainActor () -> [String: String]
    ) -> [CacheLane.Place] {
        lazy var headers = requestHeaders()  // for all stages the same, and for none if nobody asks
        return context.clock.whileCurrent {
            SelectingHeaders.making(keysFor: self, { headers }) {
                CacheLane.places(of: self, in: processing) { headers }
            }
        }
    }

    private var lane: CacheLane {
        if let cacheLane { return cacheLane }
        let lane = CacheLane()
        cacheLane = lane
        return lane
    }
}
