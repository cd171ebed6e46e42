public import Foundation
import Observation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// One URL of a service, together with its latest data, its latest error, its running loads, and its observers.
///
/// Get a resource from ``Service/resource(_:)``. While a resource is in use, the service returns the same object for
/// its URL. Therefore all parts of an app see the same state. Use a resource on the main actor. Any thread may read its
/// ``snapshot``.
///
/// A resource is in use while it has observers or running requests, or while the app references it. The service keeps
/// unused resources in memory until the number of resources exceeds ``Service/cachedResourceCountLimit``.
#if Swift5Clients
@preconcurrency
#endif
@MainActor
public final class Resource {
    /// A closure that changes the `URLRequest` of a ``Request`` before the request is sent.
    public typealias RequestMutation = (inout URLRequest) -> Void

    package let context: ResourceContext

    /// The text by which resources are compared: the absolute URL in canonical form, for a resource whose loads have a
    /// body followed by ``LoadBody/suffix``.
    nonisolated package let address: String

    // Accesses to these two properties, `hasNewObserver`, `observation` and `extensions` run no other code. Therefore they are not
    // checked.
    @exclusivity(unchecked) private var cachedURL: URL?
    @exclusivity(unchecked) private var configurations: ConfigurationSet?
    // Only the main actor writes this property, under the lock. The main actor reads it without the lock.
    @exclusivity(unchecked) nonisolated(unsafe) private var published = Published()
    /// The last wipe of this resource that included caches. Wipes of all resources do not count; see
    /// ``ResourceContext/lastWipe``. Declared here because it fits into padding, as the next five properties together do.
    var lastWipe = WipeCount.none
    @exclusivity(unchecked) package var readProperties: Tracked = []
    package nonisolated let isPeculiar: Bool
    /// The reason of the last load.
    @exclusivity(unchecked) package var loadReason = ActivityEvent.LoadReason.none
    /// True if an observer was added since the last load began.
    @exclusivity(unchecked) var hasNewObserver = false
    /// The number of the index that contains this resource under its tags; 0 if none does.
    var invalidationIndex: UInt32 = 0
    @exclusivity(unchecked) var observation: ObservationRegistrar?
    /// The observers; nil before the first one. Set once, and read for each event; therefore the exclusivity of an access is
    /// not checked.
    @exclusivity(unchecked) package var observerList: ObserverList?
    // Only the main actor writes this property, under the lock. The main actor reads it without the lock.
    @exclusivity(unchecked) nonisolated(unsafe) var extensions: [any ResourceExtension] = []
    @exclusivity(unchecked) package var cacheReading = CacheReading.notStarted
    var cacheLane: CacheLane?
    @exclusivity(unchecked) package var running = RunningRequests()

    init(context: ResourceContext, address: String, url: URL?) {
        self.context = context
        self.address = address
        cachedURL = url
        isPeculiar = false
    }

    /// Creates a resource that differs from an ordinary one. If it is invalid, all of its requests fail.
    init(context: ResourceContext, location: String, peculiarity: Peculiarity) {
        self.context = context
        isPeculiar = true
        extensions = [PeculiarityExtension(peculiarity)]
        if case .body(let body) = peculiarity {
            address = location + body.suffix
        } else {
            address = location
            cacheReading = .ended
        }
    }

    /// Creates a resource without a usable URL. All of its requests fail.
    init(context: ResourceContext, invalidURL source: (any URLConvertible)?) {
        (self.context, address, cacheReading, isPeculiar) = (context, ":", .ended, true)
        extensions = source.map { [PeculiarityExtension(.invalidURL($0))] } ?? Self.noURL
    }

    private static let noURL: [any ResourceExtension] = [PeculiarityExtension(.invalidURL(nil))]

    /// The clock of the service.
    package nonisolated var clock: SiestaClock { context.clock }

    /// The service that this resource belongs to.
    public var service: Service { context.service }

    /// The absolute URL of the resource.
    public var url: URL {
        if let cachedURL { return cachedURL }
        let url = URL(string: location) ?? Self.invalidURL
        cachedURL = url
        return url
    }

    private static let invalidURL = URL(string: ":") ?? URL(fileURLWithPath: "/")

    /// The options for loads of this resource, which are the options for the method GET.
    public var configuration: Configuration { configuration(for: .get) }

    /// Returns the options for requests with the given method.
    ///
    /// The options are computed when they are first needed, and again after the configuration of the service has
    /// changed.
    public func configuration(for method: RequestMethod) -> Configuration {
        MainQueue.checkInDebug("Resource.configuration(for:)")
        return resolvedConfiguration(for: method).configuration
    }

    @inline(__always)
    package func resolvedConfiguration(for method: RequestMethod) -> ConfigurationSet.Resolved {
        if let configurations, configurations.isCurrent {
            guard method == .get else { return configurations[method] }
            // Nil if only the configurations of other methods were needed so far.
            if let loadConfiguration = published.loadConfiguration { return loadConfiguration }
        }
        return newConfiguration(for: method)
    }

    private func newConfiguration(for method: RequestMethod) -> ConfigurationSet.Resolved {
        guard !context.rules.isMatching else { return .provisional }
        // An ordinary resource passes its address without a copy.
        let matching =
            isPeculiar
            ? context.configurations(for: location, url: { url }) : context.configurations(for: address, url: { url })
        let resolved = matching[method]
        guard !resolved.isProvisional else { return resolved }
        // Released after the change, because the release may run code of the app.
        extendLifetime(exchange(&configurations, with: matching))
        var old = method == .get ? resolved : nil  // Released outside the lock.
        context.stateLock.withLock { swap(&published.loadConfiguration, &old) }
        if method == .get {
            context.prepare(for: resolved)
            removeFromCachesIfDue(resolved)
        }
        return resolved
    }

    // MARK: State

    /// The newest data, fresh or stale, from a load, a persistent cache, or a local override. The data includes the
    /// edits of ``pendingChanges``.
    ///
    /// Reading this property for the first time starts a read of the persistent caches.
    public var latestData: Entity<Any>? {
        MainQueue.checkInDebug("Resource.latestData")
        track(.latestData, \.latestData)
        beginReadingCache()
        return shownData
    }

    /// The error of the last load; nil if that load succeeded, or if there was none. A failed load does not remove
    /// ``latestData``.
    public var latestError: RequestError? {
        MainQueue.checkInDebug("Resource.latestError")
        track(.latestError, \.latestError)
        return state.error
    }

    /// The time at which the data or the error was last known to be current, in seconds since the reference date (1
    /// January 2001). The value is 0 if there is neither data nor an error.
    public var timestamp: TimeInterval {
        MainQueue.checkInDebug("Resource.timestamp")
        track(.timestamp, \.timestamp)
        beginReadingCache()
        return state.timestamp
    }

    /// The time at which the data or the error was last known to be current: ``timestamp`` as a `Date`. Nil if there is
    /// neither data nor an error.
    public var date: Date? { Self.date(ofTimestamp: timestamp) }

    nonisolated static func date(ofTimestamp timestamp: TimeInterval) -> Date? {
        timestamp == 0 ? nil : Date(timeIntervalSinceReferenceDate: timestamp)
    }

    /// The running loads, in the order in which they started.
    public var loadRequests: [any Request] { running.loads }

    /// All running requests that this resource has made, including those of its loads. A load that waits for a persistent
    /// cache has not made its request yet. A request of another resource that was passed to ``load(using:)`` is only in
    /// ``loadRequests``.
    public var allRequests: [any Request] { running.own }

    /// True if a load is running.
    public var isLoading: Bool {
        MainQueue.checkInDebug("Resource.isLoading")
        track(.isLoading, \.isLoading)
        return state.isLoading
    }

    /// True if a request that this resource has made is running; see ``allRequests``.
    public var isRequesting: Bool {
        MainQueue.checkInDebug("Resource.isRequesting")
        track(.isRequesting, \.isRequesting)
        return running.hasOwn
    }

    /// True if no load is necessary.
    ///
    /// After a successful load, the value is true as long as the data is fresh, according to
    /// ``Configuration/expirationTime`` or ``Configuration/freshness``. After a failed load, the value is true until
    /// ``Configuration/retryTime`` has passed. If the value is true, ``loadIfNeeded()`` starts no load. A running load
    /// does not change the value.
    ///
    /// After a call to ``invalidate()``, the value is false until new data, a confirmation of the data, or a new error
    /// arrives.
    public var isUpToDate: Bool {
        MainQueue.checkInDebug("Resource.isUpToDate")
        track(.isUpToDate, \.isUpToDate)
        beginReadingCache()
        return isUpToDateNow
    }

    /// The opposite of ``isUpToDate``: true if the data is missing, invalidated, or no longer fresh.
    ///
    /// After a failed load, the value is false until ``Configuration/retryTime`` has passed, and then true, regardless
    /// of the age of the data.
    public var isStale: Bool { !isUpToDate }

    /// The value of ``isUpToDate`` for use inside the library. Neither tracks the property nor reads the caches.
    package var isUpToDateNow: Bool {
        let freshness = state.freshness
        guard freshness.isPlain else { return isUpToDateByHTTP }
        return freshness.isPlainUpToDate(at: context.clock.monotonicTime, within: currentLimits)
    }

    private var isUpToDateByHTTP: Bool {
        let resolved = resolvedConfiguration(for: .get)
        return published.state.freshness.isUpToDate(at: context.clock.monotonicTime, within: resolved.freshnessLimits)
            && suitsRequest(resolved)
    }

    private var currentLimits: Freshness.Limits {
        if let configurations, configurations.isCurrent, let limits = published.loadConfiguration?.freshnessLimits {
            return limits
        }
        return resolvedConfiguration(for: .get).freshnessLimits
    }

    /// The values of a resource that all threads can read. They are written and read as a whole.
    struct Published {
        /// The configuration for loads that was computed last; nil before the first use.
        fileprivate(set) var loadConfiguration: ConfigurationSet.Resolved?
        fileprivate(set) var state = State()
    }

    /// The published values of a resource at one point in time, with the values that only some resources have.
    struct PublishedValues {
        let state: State
        let limits: Freshness.Limits?
        let retry: Retry?
        /// The values of features; see ``ResourceExtension/snapshotValue``.
        let features: [any Sendable]
    }

    package var state: State { published.state }

    // The following properties copy no state.

    /// The data that readers see; see ``State/shown``.
    package var shownData: Entity<Any>? { published.state.shown }

    package var hasShownData: Bool { published.state.hasShown }

    /// A number that changes whenever the content of ``shownData`` changes.
    package var contentRevision: UInt64 { published.state.shownContentRevision }

    /// Returns true if there is data, and if its response had a header field.
    func dataHasField(_ name: String) -> Bool { published.state.dataHasField(name) }

    /// The state, the limits of its freshness, and the wait of a request, for any thread. The configuration itself never
    /// leaves the main actor, because its release may run code of the app.
    nonisolated var publishedValues: PublishedValues {
        context.stateLock.withLock {
            PublishedValues(
                state: published.state, limits: published.loadConfiguration?.freshnessLimits,
                retry: known(RetryWaits.self)?.last, features: extensions.compactMap { $0.snapshotValue })
        }
    }

    /// The retention of the configuration for loads that was computed last. Reading it runs no code of the app.
    var knownRetention: TimeInterval? { published.loadConfiguration?.configuration.retention }

    /// Changes the state. Tells Observation before and after the change. Other threads see the state before or after
    /// the whole change, and nothing in between.
    ///
    /// An observer may react to the announcement with another change, which is then made first. Therefore `change` is
    /// only tried before the announcement, and made after it. It must have no side effects.
    package func change<Result>(_ change: (inout State) -> Result) -> Result {
        var announced: Tracked = []
        guard !published.state.needsEdits else { return changeWithEdits(change, &announced) }
        var new = state
        var result = change(&new)
        while let missing = changesToAnnounce(to: new, without: announced) {
            announced.formUnion(missing)
            willSet(missing)
            if published.state.needsEdits { return changeWithEdits(change, &announced) }
            new = state
            result = change(&new)
        }
        context.stateLock.lock()
        swap(&published.state, &new)
        context.stateLock.unlock()  // The old state is released later, because the release may run code of the app.
        noteChange(since: new)
        didSet(announced)
        return result
    }

    /// Makes a change of numbers, which releases no object. If nobody tracks the resource, the state is not copied.
    func changeNumbers<Result>(_ change: (inout State) -> Result) -> Result {
        guard readProperties.isEmpty, !published.state.needsEdits else { return self.change(change) }
        context.stateLock.lock()
        defer { context.stateLock.unlock() }
        return change(&published.state)
    }

    @inline(__always)
    private func noteChange(since old: State) {
        guard old.dataRevision != published.state.dataRevision, !context.extensions.isEmpty else { return }
        context.known(Dependencies.self)?.noteData(of: self)
    }

    /// Does the same for a resource with pending changes, which are replayed over the new state.
    @inline(never)
    private func changeWithEdits<Result>(_ change: (inout State) -> Result, _ announced: inout Tracked) -> Result {
        var new = state
        var result = change(&new)
        var replays = 0
        // The edits, and code that is told of the change, are code of the app, which may have changed the state.
        while true {
            if !replayChanges(over: new, &replays) {
                pendingEdits?.show(in: &new)
                guard let missing = changesToAnnounce(to: new, without: announced) else { break }
                announced.formUnion(missing)
                willSet(missing)
            }
            new = state
            result = change(&new)
        }
        context.stateLock.lock()
        swap(&published.state, &new)
        let ended = removeEmptyEdits()
        context.stateLock.unlock()
        noteChange(since: new)
        didSet(announced)
        extendLifetime(ended)
        return result
    }

    /// Notes that there are pending edits. They become visible by ``showEdits()``.
    package func beginEdits() {
        var new = state
        new.beginEdits()
        context.stateLock.withLock { swap(&published.state, &new) }
    }

    /// Makes the result of pending edits visible. The caller holds the lock of the states. It releases the values that are no
    /// longer shown outside of the lock, because their release may run code of the app.
    package func showEdits() -> (Indirect<State.Rest>, (any PendingEdits)?) {
        // As all writes of the state are instantaneous, reads need no check for exclusive access.
        var new = state
        pendingEdits?.show(in: &new)
        swap(&published.state, &new)
        return (new.rest, removeEmptyEdits())
    }

    /// Removes edits of which none is left. The caller holds the lock of the states.
    private func removeEmptyEdits() -> (any PendingEdits)? {
        guard !published.state.needsEdits, let edits = pendingEdits, edits.isEmpty else { return nil }
        extensions = extensions.filter { $0 !== edits }
        return edits
    }

    /// Replays the pending changes, a limited number of times, because an edit may change the state each time.
    private func replayChanges(over new: State, _ replays: inout Int) -> Bool {
        guard replays < 16, let pendingEdits else { return false }
        replays += 1
        return pendingEdits.replay(over: new)
    }

    @inline(__always)
    private func changesToAnnounce(to new: State, without announced: Tracked) -> Tracked? {
        guard !readProperties.isEmpty else { return nil }
        let changes = Tracked.changes(from: state, to: new).intersection(readProperties).subtracting(announced)
        return changes.isEmpty ? nil : changes
    }
}

extension Resource: nonisolated Hashable {
    /// Returns true if both operands are the same object.
    public nonisolated static func == (left: Resource, right: Resource) -> Bool { left === right }

    /// Hashes the identity of the resource.
    public nonisolated func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}

#if Swift5Clients
extension Resource: @preconcurrency TypedContentAccessors {}
#else
extension Resource: @MainActor TypedContentAccessors {}
#endif

extension Resource {
    /// The entity that `text` and the other typed accessors read: ``latestData``.
    public var entityForTypedContentAccessors: Entity<Any>? { latestData }

    /// The latest content as a JSON object; empty if there is no content or the content has another type.
    public var jsonDict: [String: Any] { typedContent(ifNone: [:]) }

    /// The latest content as a JSON array; empty if there is no content or the content has another type.
    public var jsonArray: [Any] { typedContent(ifNone: []) }

    /// The latest content as text; empty if there is no content or the content has another type.
    public var text: String { typedContent(ifNone: "") }
}
