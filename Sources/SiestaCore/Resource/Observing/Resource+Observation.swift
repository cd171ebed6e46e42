public import Observation

/// Support for the module Observation on all platforms. Code inside `withObservationTracking`, `Observations` or a
/// SwiftUI view tracks those of the following properties that it reads: ``latestData``, ``latestError``, ``timestamp``,
/// ``isLoading``, ``isRequesting``, ``isUpToDate``, ``retry`` and ``placeholder``.
///
/// Code that tracks a property does not count as an observer of the resource. The service may drop a tracked resource,
/// and ``cancelLoadIfUnobserved()`` may cancel its loads. Observation reports no change when data becomes stale only
/// because time passes.
extension Resource: nonisolated Observable {
    /// The properties that can be tracked, as a set.
    package struct Tracked: OptionSet {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let latestData = Tracked(rawValue: 1 << 0)
        static let latestError = Tracked(rawValue: 1 << 1)
        static let timestamp = Tracked(rawValue: 1 << 2)
        static let isLoading = Tracked(rawValue: 1 << 3)
        static let isRequesting = Tracked(rawValue: 1 << 4)
        static let isUpToDate = Tracked(rawValue: 1 << 5)
        static let retry = Tracked(rawValue: 1 << 6)
        static let placeholder = Tracked(rawValue: 1 << 7)

        /// Returns the properties whose values differ between `old` and `new`.
        static func changes(from old: State, to new: State) -> Tracked {
            var changes: Tracked = []
            if old.shownRevision != new.shownRevision { changes.insert(.latestData) }
            if !RequestError.areSame(old.error, new.error) { changes.insert(.latestError) }
            if old.timestamp != new.timestamp { changes.insert(.timestamp) }
            if old.isLoading != new.isLoading { changes.insert(.isLoading) }
            if old.freshness != new.freshness { changes.insert(.isUpToDate) }
            if old.placeholderRevision != new.placeholderRevision { changes.insert(.placeholder) }
            return changes
        }

        @MainActor
        fileprivate func willSet(_ resource: Resource, _ registrar: ObservationRegistrar) {
            if contains(.latestData) { registrar.willSet(resource, keyPath: \.latestData) }
            if contains(.latestError) { registrar.willSet(resource, keyPath: \.latestError) }
            if contains(.timestamp) { registrar.willSet(resource, keyPath: \.timestamp) }
            if contains(.isLoading) { registrar.willSet(resource, keyPath: \.isLoading) }
            if contains(.isRequesting) { registrar.willSet(resource, keyPath: \.isRequesting) }
            if contains(.isUpToDate) { registrar.willSet(resource, keyPath: \.isUpToDate) }
            if contains(.retry) { registrar.willSet(resource, keyPath: \.retry) }
            if contains(.placeholder) { registrar.willSet(resource, keyPath: \.placeholder) }
        }

        @MainActor
        fileprivate func didSet(_ resource: Resource, _ registrar: ObservationRegistrar) {
            if contains(.latestData) { registrar.didSet(resource, keyPath: \.latestData) }
            if contains(.latestError) { registrar.didSet(resource, keyPath: \.latestError) }
            if contains(.timestamp) { registrar.didSet(resource, keyPath: \.timestamp) }
            if contains(.isLoading) { registrar.didSet(resource, keyPath: \.isLoading) }
            if contains(.isRequesting) { registrar.didSet(resource, keyPath: \.isRequesting) }
            if contains(.isUpToDate) { registrar.didSet(resource, keyPath: \.isUpToDate) }
            if contains(.retry) { registrar.didSet(resource, keyPath: \.retry) }
            if contains(.placeholder) { registrar.didSet(resource, keyPath: \.placeholder) }
        }
    }

    /// Records that a property is read. A property that no code has tracked costs neither memory nor time.
    package func track<Value>(_ property: Tracked, _ keyPath: KeyPath<Resource, Value>) {
        let registrar = observation ?? ObservationRegistrar()
        observation = registrar
        readProperties.insert(property)
        registrar.access(self, keyPath: keyPath)
    }

    /// Reports to Observation that these properties are about to change. Costs nothing for an empty set.
    @inline(__always)
    package func willSet(_ properties: Tracked) {
        if !properties.isEmpty, let observation { properties.willSet(self, observation) }
    }

    /// Reports to Observation that these properties have changed. Costs nothing for an empty set.
    @inline(__always)
    package func didSet(_ properties: Tracked) {
        if !properties.isEmpty, let observation { properties.didSet(self, observation) }
    }

    /// Adds a new request to the list, and reports the change of `isRequesting`, if any.
    func begin(own request: any Request) {
        let tracked = running.hasOwn ? [] : readProperties.intersection(.isRequesting)
        willSet(tracked)
        running.begin(own: request)
        didSet(tracked)
    }

    /// Removes a completed request from the list, and reports the change of `isRequesting`, if any.
    func endOwn(_ request: any Request) {
        let tracked = running.hasSeveralOwnRequests ? [] : readProperties.intersection(.isRequesting)
        willSet(tracked)
        running.endOwn(request)
        didSet(tracked)
    }
}
