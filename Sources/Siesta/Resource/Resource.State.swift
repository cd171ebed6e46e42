import Foundation

extension Resource {
    /// What a resource knows, and the rules by which it changes. Pure.
    struct State {
        /// One moment on both clocks, in seconds.
        struct Moment {
            var wallTime: TimeInterval
            var monotonicTime: TimeInterval
        }

        /// The place of a load in the order in which the resource's loads started.
        typealias LoadNumber = Int

        private var boxedData = Boxed<Entity<Any>>.none
        private(set) var error: RequestError?
        private(set) var freshness = Freshness()
        /// Changes whenever the data does.
        private(set) var dataRevision: UInt32 = 0
        private(set) var loadsInFlight: Int32 = 0
        /// How far that load in flight has come which has come farthest, from 0 to 1; goes back only when a load ends.
        private(set) var progress: Float = 0

        private(set) var lastLoad: LoadNumber = 0
        /// The newest load that succeeded; the answers of earlier ones come too late.
        private(set) var shownLoad: LoadNumber = 0
        /// The newest load at the time of the last wipe; answers up to it must not be heard.
        private var wipedLoad: LoadNumber = 0

        /// Where the data came from last; nil without any.
        private(set) var source: DataSource?

        /// The data, if it is as a server has sent it.
        var serverData: Entity<Any>? { source == .local ? nil : data }

        var data: Entity<Any>? { boxedData.value }
        var hasData: Bool { !boxedData.isEmpty }
        var isLoading: Bool { loadsInFlight > 0 }

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

        /// A load is about to end; those that remain have come as far as `progress`.
        mutating func fallBack(to progress: Double) {
            self.progress = 0
            advance(to: progress)
        }

        /// Takes in how a load ended, and says what to tell the observers.
        ///
        /// A load that started before another one whose success is already shown changes nothing; one that was wiped
        /// counts as cancelled, also if it did not heed that.
        mutating func endLoad(_ number: LoadNumber, with info: ResponseInfo, at now: Moment) -> ResourceEvent {
            loadsInFlight -= 1
            if info.response.isCancellation || number <= wipedLoad { return .requestCancelled }
            guard number > shownLoad else { return .notModified }
            guard case .success(let entity) = info.response else {
                if case .failure(let error) = info.response { setError(error, at: now) }
                return .error
            }
            if info.isNew {
                shownLoad = number
                setData(entity, from: .network, at: now)
                return .newData(.network)
            }
            endError()
            if info.isConfirmedByServer, isSameVersion(entity) {
                shownLoad = number
                confirmData(at: now)
            }
            return .notModified
        }

        /// Whether a confirmation of `entity` is one of the data: not so if that is local, or another version.
        private func isSameVersion(_ entity: Entity<Any>) -> Bool {
            guard let data else { return true }
            guard source != .local else { return false }
            return entity.headerFields.isCopy(of: data.headerFields) || entity.validator == data.validator
        }

        mutating func setCachedData(_ entity: Entity<Any>, at now: Moment) {
            setData(entity, from: .cache, at: now)
        }

        /// Puts an entity in place. A load that is in flight will still replace it.
        mutating func overrideData(_ entity: Entity<Any>, at now: Moment) {
            setData(entity, from: .local, at: now)
        }

        mutating func invalidate() {
            freshness.invalidate()
        }

        /// Forgets data and error, and what the loads up to `number` will still bring.
        mutating func wipe(loadsUpTo number: LoadNumber) {
            self = State(wiping: self, loadsUpTo: number)
        }

        init() {}

        private init(wiping state: State, loadsUpTo number: LoadNumber) {
            lastLoad = state.lastLoad
            shownLoad = state.shownLoad
            wipedLoad = number
            dataRevision = state.dataRevision &+ 1
            loadsInFlight = state.loadsInFlight
            progress = state.progress
        }

        /// When data or error was last current, in seconds since the reference date; 0 without either.
        var timestamp: TimeInterval { max(data?.timestamp ?? 0, error?.timestamp ?? 0) }

        /// Data of a cache that is dated in the future was stored while the wall clock was wrong, or is. Its age is
        /// unknown, so it counts as older than anything: at worst, the server confirms it once.
        private mutating func setData(_ entity: Entity<Any>, from source: DataSource, at now: Moment) {
            boxedData = .some(entity)
            self.source = source
            dataRevision &+= 1
            error = nil
            let isUndatable = source == .cache && !(entity.timestamp <= now.wallTime)
            freshness.setData(at: isUndatable ? -.infinity : now.monotonicTime(ofWallTime: entity.timestamp))
        }

        private mutating func setError(_ error: RequestError, at now: Moment) {
            self.error = error
            freshness.setError(at: now.monotonicTime(ofWallTime: error.timestamp))
        }

        private mutating func endError() {
            error = nil
            freshness.endError()
        }

        private mutating func confirmData(at now: Moment) {
            if var data {
                data.timestamp = now.wallTime
                boxedData = .some(data)
                dataRevision &+= 1
            }
            freshness.confirmData(at: now.monotonicTime)
            source = hasData ? .revalidated : nil
        }
    }
}

extension Resource.State.Moment {
    fileprivate func monotonicTime(ofWallTime timestamp: TimeInterval) -> TimeInterval {
        min(monotonicTime, monotonicTime - (wallTime - timestamp))
    }
}
