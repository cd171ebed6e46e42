public import Observation

/// Reading ``latestData``, ``latestError``, ``timestamp``, ``isLoading``, ``isRequesting`` or ``isUpToDate`` inside
/// `withObservationTracking`, `Observations` or a SwiftUI view tracks just what was read, on every platform.
///
/// What Observation tracks does not count as observing the resource: it does not keep the service from dropping it, nor loads from
/// being cancelled. That data becomes stale with time alone is no change.
extension Resource: nonisolated Observable {
    /// The properties that can be tracked.
    enum Tracked: CaseIterable {
        case latestData, latestError, timestamp, isLoading, isRequesting, isUpToDate

        /// What reads differently in `new`.
        static func changes(from old: State, to new: State) -> [Tracked] {
            let isDataNew = old.dataRevision != new.dataRevision
            let isErrorNew = !RequestError.areSame(old.error, new.error)
            return allCases.filter { property in
                switch property {
                case .latestData: isDataNew
                case .latestError: isErrorNew
                case .timestamp: old.timestamp != new.timestamp
                case .isLoading: old.isLoading != new.isLoading
                case .isRequesting: false
                case .isUpToDate: old.freshness != new.freshness
                }
            }
        }

        @MainActor
        func willSet(_ resource: Resource, _ registrar: ObservationRegistrar) {
            switch self {
            case .latestData: registrar.willSet(resource, keyPath: \.latestData)
            case .latestError: registrar.willSet(resource, keyPath: \.latestError)
            case .timestamp: registrar.willSet(resource, keyPath: \.timestamp)
            case .isLoading: registrar.willSet(resource, keyPath: \.isLoading)
            case .isRequesting: registrar.willSet(resource, keyPath: \.isRequesting)
            case .isUpToDate: registrar.willSet(resource, keyPath: \.isUpToDate)
            }
        }

        @MainActor
        func didSet(_ resource: Resource, _ registrar: ObservationRegistrar) {
            switch self {
            case .latestData: registrar.didSet(resource, keyPath: \.latestData)
            case .latestError: registrar.didSet(resource, keyPath: \.latestError)
            case .timestamp: registrar.didSet(resource, keyPath: \.timestamp)
            case .isLoading: registrar.didSet(resource, keyPath: \.isLoading)
            case .isRequesting: registrar.didSet(resource, keyPath: \.isRequesting)
            case .isUpToDate: registrar.didSet(resource, keyPath: \.isUpToDate)
            }
        }
    }

    /// Notes that a property is read. What is never read this way costs no memory.
    func track<Value>(_ property: KeyPath<Resource, Value>) {
        let registrar = observation ?? ObservationRegistrar()
        observation = registrar
        registrar.access(self, keyPath: property)
    }

    /// Changes which requests are running.
    func changeRunning(_ change: (inout RunningRequests) -> Void) {
        var new = running
        change(&new)
        guard let observation, new.hasOwn != running.hasOwn else { return running = new }
        Tracked.isRequesting.willSet(self, observation)
        change(&running)
        Tracked.isRequesting.didSet(self, observation)
    }
}
