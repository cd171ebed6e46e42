package import Foundation
import HTTPRules

extension Resource {
    /// The state of a resource, and the rules for its changes. Pure.
    package struct State {
        /// A point in time on both clocks, in seconds.
        package struct Moment {
            package var wallTime: TimeInterval
            package var monotonicTime: TimeInterval
        }

        /// The position of a load in the order in which the resource's loads started. Results of changes and pushed data
        /// have a position, too, from the time when they arrive. Data of an older source never replaces newer data.
        package typealias LoadNumber = Int32

        package private(set) var data: Entity<Any>?
        private(set) var rest = Indirect<Rest>.none
        package private(set) var freshness = Freshness()
        /// The source of the data; nil if there is no data. Declared here because it fits into padding.
        package private(set) var source: DataSource?
        /// A number that changes whenever the data changes, including its timestamp. See ``contentRevision``.
        package private(set) var dataRevision: UInt32 = 0
        private(set) var loadsInFlight: Int32 = 0
        /// The greatest progress of all loads in flight, from 0 to 1. Decreases only when a load ends.
        private(set) var progress: Float = 0

        package private(set) var lastLoad: LoadNumber = 0
        /// The newest load that succeeded. Responses to earlier loads are ignored.
        package private(set) var shownLoad: LoadNumber = 0
        /// The newest load at the time of the last wipe. Responses to this load and earlier ones are ignored.
        private var wipedLoad: LoadNumber = 0
        /// The newest load that was wiped, or that began before the last invalidation of dependent data. 0 if there is no
        /// such load. Responses to this load and earlier ones do not make the data fresh.
        private var outdatedLoad: LoadNumber = 0
        /// A number that changes whenever the data is replaced, but not when the server confirms it. It consists of the
        /// upper bits of ``dataRevision``, so that it needs no memory. After 256 confirmations, it changes once without
        /// a reason.
        package var contentRevision: UInt32 { dataRevision >> 8 }

        /// The ``contentRevision`` of the data that replaces this data.
        package var nextContentRevision: UInt32 { Self.nextContent(after: dataRevision) >> 8 }

        /// The data if it comes from the server; nil for local data.
        var serverData: Entity<Any>? { source == .local ? nil : data }

        package var hasData: Bool { data != nil }

        /// Returns true if there is data, and if its response had a header field.
        func dataHasField(_ name: String) -> Bool {
            data?.headerFields.contains(name) ?? false
        }

        package var isLoading: Bool { loadsInFlight > 0 }

        mutating func beginLoad() -> LoadNumber {
            lastLoad += 1
            if loadsInFlight == 0 { progress = 0 }
            loadsInFlight += 1
            return lastLoad
        }

        mutating func advance(to progress: Double) {
            guard progress.isFinite else { return }
            self.progress = max(self.progress, Float(min(progress, 1)))
        }

        /// Prepares the end of a load: sets the progress to the greatest progress of the remaining loads.
        mutating func fallBack(to progress: Double) {
            self.progress = 0
            advance(to: progress)
        }

        /// Updates the state with the response to a load. Returns the event for the observers.
        ///
        /// If a load that started later has already succeeded, the response changes nothing. If the load was wiped, it
        /// counts as cancelled, even if its request ignored the cancellation.
        package mutating func endLoad(_ number: LoadNumber, with info: ResponseInfo, at now: Moment) -> ResourceEvent {
            loadsInFlight -= 1
            if info.response.isCancellation { return .requestCancelled }
            guard number > outdatedLoad else { return endOutdatedLoad(number, with: info, at: now) }
            return endCurrentLoad(number, with: info, at: now)
        }

        /// Does the same for a load that was wiped, or that began before the last invalidation of dependent data.
        private mutating func endOutdatedLoad(
            _ number: LoadNumber, with info: ResponseInfo, at now: Moment
        ) -> ResourceEvent {
            guard number > wipedLoad else { return .requestCancelled }
            guard number > shownLoad else { return .notModified }
            defer { freshness.invalidate() }
            return endCurrentLoad(number, with: info, at: now)
        }

        @inline(__always)
        private mutating func endCurrentLoad(
            _ number: LoadNumber, with info: ResponseInfo, at now: Moment
        ) -> ResourceEvent {
            guard number > shownLoad else { return .notModified }
            guard case .success(let entity) = info.response else {
                guard !info.isKnownError else { return .notModified }
                if case .failure(let error) = info.response { setError(error, at: now) }
                return .error
            }
            if info.isNew {
                shownLoad = number
                setData(entity, from: .network, at: now)
                return .newData(.network)
            }
            if let revision = info.unchangedRevision {
                return endUnchanged(number, entity, revision, at: now)
            }
            endError()
            if info.isConfirmedByServer, isSameVersion(entity) {
                shownLoad = number
                confirmData(at: now, info.hasNewHeaders ? entity : nil)
            }
            return .notModified
        }

        /// Updates the state with a response whose content is the same as the content of data with the given
        /// ``contentRevision``. Code of the app may have replaced this data after the comparison.
        private mutating func endUnchanged(
            _ number: LoadNumber, _ entity: Entity<Any>, _ revision: UInt32, at now: Moment
        ) -> ResourceEvent {
            shownLoad = number
            guard revision == contentRevision, hasData else {
                setData(entity, from: .network, at: now)
                return .newData(.network)
            }
            data = entity
            endError()
            confirmData(at: now, nil)
            return .notModified
        }

        /// Returns true if a confirmation of `entity` also confirms the data. Returns false if the data is local or has
        /// another version.
        private func isSameVersion(_ entity: Entity<Any>) -> Bool {
            guard let data else { return true }
            guard source != .local else { return false }
            return entity.headerFields.isCopy(of: data.headerFields) || entity.validator == data.validator
        }

        /// Marks the data as current, because the server has confirmed it without a load. `confirmed` is the data with its
        /// new headers.
        /// The error of a load that has failed since then stays.
        mutating func confirm(_ confirmed: Entity<Any>, at now: Moment) {
            let (error, old) = (error, freshness.errorTime)
            keepingGuarantee { $0.confirmData(at: now, confirmed) }
            if error != nil, let old { freshness.setError(at: old, isByHTTP: true) }
        }

        mutating func setCachedData(_ entity: Entity<Any>, at now: Moment) {
            setData(entity, from: .cache, at: now)
        }

        /// Sets the error of a response that a cache has stored. The data stays.
        mutating func setCachedError(_ error: RequestError, at now: Moment) {
            setError(error, at: now)
        }

        /// Sets data that the app has pushed. The responses to loads up to `number` do not replace it.
        mutating func setPushedData(_ entity: Entity<Any>, after number: LoadNumber, at now: Moment) {
            shownLoad = max(shownLoad, number == lastLoad ? takeNumber() : number)
            setData(entity, from: .cache, at: now)
        }

        /// Gives a number to data that does not come from a load.
        mutating func takeNumber() -> LoadNumber {
            lastLoad += 1
            return lastLoad
        }

        /// Sets local data. The response to a load in flight still replaces it.
        mutating func overrideData(_ entity: Entity<Any>, at now: Moment) {
            keepingGuarantee { $0.setData(entity, from: .local, at: now) }
        }

        /// Makes a change after which a live source keeps the data current as before.
        private mutating func keepingGuarantee(_ change: (inout Self) -> Void) {
            let isGuaranteed = freshness.isGuaranteed
            change(&self)
            if isGuaranteed { freshness.guarantee() }
        }

        /// Sets the result of a change. It replaces the responses to all loads that have begun. A result that was computed
        /// here is as stale and as old as the data before. Its timestamp is that of the change, so that older data does not
        /// replace it.
        ///
        /// - Parameter isDoubtful: True if a load has overlapped the change, so that nobody knows which of them the server has
        ///   carried out first. Then the data is stale, and the responses to loads that have begun do not change this.
        package mutating func settle(_ entity: Entity<Any>, from source: DataSource, isDoubtful: Bool, at now: Moment) {
            let (old, isComputed) = (freshness, source == .local)
            let isStale = isDoubtful || isComputed && old.hasOutdatedData
            shownLoad = takeNumber()
            setData(entity, from: source, at: now)
            if isComputed, let time = old.dataTime { freshness.setData(at: time, lifetime: freshness.lifetime) }
            guard isStale else { return }
            freshness.invalidate()
            if isDoubtful { outdatedLoad = lastLoad }
        }

        package mutating func invalidate() {
            freshness.invalidate()
        }

        /// Makes the data current, whatever its age, until the guarantee ends, or a load or a wipe replaces it; see
        /// ``Freshness/guarantee()``.
        package mutating func setGuarantee(_ isGuaranteed: Bool, at now: Moment) {
            if isGuaranteed { freshness.guarantee() } else { freshness.endGuarantee(at: now.monotonicTime) }
        }

        /// Invalidates the data because other data has changed. The responses to loads that have already begun do not
        /// end this invalidation.
        ///
        /// - Parameter waiting: the first load that has not begun yet, because it waits for a cache; nil if all have begun.
        package mutating func invalidateWithLoads(before waiting: LoadNumber? = nil) {
            freshness.invalidate()
            outdatedLoad = max(outdatedLoad, waiting.map { $0 - 1 } ?? lastLoad)
        }

        package var isInvalidated: Bool { freshness.isInvalidated }

        /// The newest load whose response does not make the data fresh, because it was wiped, or because it began before
        /// the last invalidation of dependent data. Callers that need fresh data do not wait for such a load.
        var lastOutdatedLoad: LoadNumber { outdatedLoad }

        /// Removes data, error and placeholder, and ignores the responses to loads up to `number`.
        mutating func wipe(loadsUpTo number: LoadNumber) {
            self = State(wiping: self, loadsUpTo: number)
        }

        /// Removes data and error because the server has deleted the resource. The responses to all loads that have begun do
        /// not change this.
        package mutating func removeDeletedData() {
            wipe(loadsUpTo: lastLoad)
            shownLoad = takeNumber()
        }

        init() {}

        private init(wiping state: State, loadsUpTo number: LoadNumber) {
            lastLoad = state.lastLoad
            shownLoad = state.shownLoad
            wipedLoad = number
            outdatedLoad = max(state.outdatedLoad, number)
            dataRevision = Self.nextContent(after: state.dataRevision)
            loadsInFlight = state.loadsInFlight
            progress = state.progress
            rest = state.rest
            changeRest { rest in
                rest.error = nil
                rest.setPlaceholder(nil)
            }
        }

        /// Changes what few states have. Costs nothing if there is nothing to remove.
        mutating func changeRest(isRemoval: Bool = true, _ change: (inout Rest) -> Void) {
            guard !isRemoval || !rest.isEmpty else { return }
            var new = rest.value ?? Rest()
            change(&new)
            rest = new.isEmpty ? .none : .some(new)
        }

        /// The time at which data or error was last current, in seconds since the reference date; 0 if there is no data
        /// and no error.
        var timestamp: TimeInterval { max(data?.timestamp ?? 0, error?.timestamp ?? 0) }

        /// Sets the data. If cached data has a timestamp in the future, the wall clock was wrong when it was stored, or
        /// is wrong now. The age of such data is unknown. Therefore the data counts as infinitely old: at worst, the
        /// server must confirm it once.
        private mutating func setData(_ entity: Entity<Any>, from source: DataSource, at now: Moment) {
            data = entity
            self.source = source
            dataRevision = Self.nextContent(after: dataRevision)
            changeRest { $0.error = nil }
            let isUndatable = source == .cache && !(entity.timestamp <= now.wallTime)
            let time = isUndatable ? -.infinity : now.monotonicTime(ofWallTime: entity.timestamp)
            guard let lifetime = entity.cachingInfo?.lifetime else { return freshness.setData(at: time) }
            freshness.setData(at: time - lifetime.initialAge, lifetime: lifetime.lifetime)
        }

        /// Returns the next ``dataRevision`` with another ``contentRevision``.
        private static func nextContent(after revision: UInt32) -> UInt32 { (revision | 0xFF) &+ 1 }

        private mutating func setError(_ error: RequestError, at now: Moment) {
            changeRest(isRemoval: false) { $0.error = error }
            freshness.setError(
                at: now.monotonicTime(ofWallTime: error.timestamp) + error.additionalRetryTime,
                isByHTTP: error.isByHTTP)
        }

        private mutating func endError() {
            changeRest { $0.error = nil }
            freshness.endError()
        }

        /// Marks the data as current. `confirmed` is the data with the headers of the confirmation; nil if there are no new
        /// headers.
        private mutating func confirmData(at now: Moment, _ confirmed: Entity<Any>?) {
            var lifetime: ResponseLifetime?
            if let old = data {
                let new = old.confirmed(by: confirmed, at: now.wallTime)
                data = new
                dataRevision &+= 1
                lifetime = new.cachingInfo?.lifetime
            }
            source = hasData ? .revalidated : nil
            guard let lifetime else { return freshness.confirmData(at: now.monotonicTime) }
            freshness.confirmData(at: now.monotonicTime - lifetime.initialAge, lifetime: lifetime.lifetime)
        }
    }
}

extension Resource.State.Moment {
    fileprivate func monotonicTime(ofWallTime timestamp: TimeInterval) -> TimeInterval {
        min(monotonicTime, monotonicTime - (wallTime - timestamp))
    }
}
