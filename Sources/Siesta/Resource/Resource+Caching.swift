extension Resource {
    /// How far the look into the persistent caches has come.
    enum CacheReading {
        case notStarted
        case inProgress(CacheRead)
        case ended
    }

    /// One look into the caches, and what waits for its end.
    final class CacheRead {
        fileprivate var waiting: [() -> Void] = []

        /// Lets what waits go on; nothing comes of this look any more.
        func finish() {
            let waiting = self.waiting
            self.waiting = []
            for action in waiting { action() }
        }
    }

    /// Looks into the caches unless that has been done.
    func beginReadingCache() {
        guard case .notStarted = cacheReading else { return }
        cacheReading = .ended  // Caches may ask this resource for its data while they make its key.
        let processing = resolvedConfiguration(for: .get).processing
        let places = cachePlaces(in: processing)
        guard !places.isEmpty, !state.hasData else { return }
        let read = CacheRead()
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

    /// Notes in the caches that the data is current.
    func updateTimestamps(in places: [CacheLane.Place]) {
        let places = stillCurrent(places)
        guard !places.isEmpty else { return }
        lane.updateTimestamp(context.clock.wallTime, of: state.data?.validator, in: places)
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
        let places = cachePlaces(in: processing)
        if !places.isEmpty { lane.remove(places) }
    }

    private func endReadingCache(_ read: CacheRead, of places: [CacheLane.Place], with entity: Entity<Any>?) {
        guard case .inProgress(let current) = cacheReading, current === read else { return }
        cacheReading = .ended
        guard places.allSatisfy({ $0.entry.isCurrent }) else { return readCacheAgain(insteadOf: read) }
        if let entity, !state.hasData {
            let now = context.now
            change { $0.setCachedData(entity, at: now) }
            SiestaLog.log(.stateChanges, [self, "received data from its cache"])
            notifyObservers(.newData(.cache))
        }
        read.finish()
    }

    /// Looks again, since what was found may be another user's by now.
    private func readCacheAgain(insteadOf read: CacheRead) {
        cacheReading = .notStarted
        beginReadingCache()
        whenCacheIsRead { read.finish() }
    }

    func cachePlaces(in processing: ResponseProcessing) -> [CacheLane.Place] {
        context.clock.whileCurrent { CacheLane.places(of: self, in: processing) }
    }

    private var lane: CacheLane {
        if let cacheLane { return cacheLane }
        let lane = CacheLane()
        cacheLane = lane
        return lane
    }
}
