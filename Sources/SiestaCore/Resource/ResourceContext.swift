package import Foundation
import HTTPRules

/// The objects that the resources of one service share: clock, network, configuration, and the registry of all
/// resources.
///
/// The service and its resources hold the context. Therefore a resource that the app keeps continues to work after the
/// release of its service. A service that nothing references is released together with its unused resources.
@MainActor
package final class ResourceContext {
    let baseURL: URL?
    package let transport: ServiceTransport
    package let clock: SiestaClock
    package let heartbeat: ProgressHeartbeat
    /// The lock of ``Resource/publishedValues`` of all resources. It is held for short times only; a lock for each
    /// resource would need much memory.
    package nonisolated let stateLock = NSLock()
    @exclusivity(unchecked) package private(set) var rules = ConfigurationRules()
    /// The last wipe of all resources that included caches, and its ``orderTime``.
    @exclusivity(unchecked) package var lastWipe = (count: WipeCount.none, time: -TimeInterval.infinity)
    /// The ``orderTime`` of the last change of user; minus infinity if there was none.
    @exclusivity(unchecked) package var lastPrincipalChange = -TimeInterval.infinity
    /// The greatest difference between the wall time and the monotonic time so far, in seconds.
    @exclusivity(unchecked) private var clockLead: TimeInterval
    /// The wipe count at the last end of a user's session.
    @exclusivity(unchecked) var lastSessionEnd = WipeCount.none
    /// Writes to caches of types that the app defines, as far as they are not complete.
    package let unfinishedWrites = UnfinishedWrites()
    /// The operations of dropped resources on these caches, as far as they are not complete.
    @exclusivity(unchecked) var unfinishedLanes = UnfinishedLanes()
    /// The running requests that are in no resource's list, because they repeat others.
    @exclusivity(unchecked) package var repeatedRequests = RunningRequests()
    /// The session whose credential requests carry, and the URLs to which they carry it; nil without a session.
    @exclusivity(unchecked) package var authentication: (any Authentication)?
    var registry = RecencyRegistry<Resource> { $0.address }
    /// The resources that were in use when the service was released; empty while the service exists.
    private var remainingResources: [String: WeakResource] = [:]
    /// True after the service was released for the first time.
    private var hasLostService = false
    /// True if the registry will be emptied in the next turn of the main queue, because there is no service.
    private var isReleaseScheduled = false
    /// The service; nil after its release.
    private(set) weak var currentService: Service?
    private var hasHintedAtQuery = false
    // Accesses to these two properties run no other code. Therefore they are not checked.
    /// The numbering of events while there are listeners; nil without them, so that nothing is recorded.
    @exclusivity(unchecked) var activity: ActivityHub?
    /// The reason of the load that is about to begin; `none` if a function of the app was called.
    @exclusivity(unchecked) var loadReason = ActivityEvent.LoadReason.none
    /// True while mutations of the app run to decide about freshness; see ``Resource/suitsRequest(_:)``.
    var isMakingHeaders = false
    /// The features in use, in the order of their first use.
    @exclusivity(unchecked) package var extensions: [any ServiceExtension] = []

    var countLimit = 2048 {
        didSet { trimCompletely(to: max(0, countLimit)) }
    }

    init(
        baseURL: URL?, networking: any NetworkingProvider, cookies: CookieStorage = .inMemory, clock: SiestaClock
    ) {
        self.baseURL = baseURL
        transport = ServiceTransport(networking, cookies: cookies)
        self.clock = clock
        clockLead = clock.wallTime - clock.monotonicTime
        heartbeat = .shared(for: clock)
    }

    /// The service. If the app has released the service, a new service with the same configuration.
    package var service: Service {
        get {
            if let currentService { return currentService }
            let replacement = Service(context: self)
            currentService = replacement
            return replacement
        }
        set { currentService = newValue }
    }

    /// Prepares the features that the options of a configuration for GET need.
    func prepare(for resolved: ConfigurationSet.Resolved) {
        guard resolved.hasOptions else { return }
        for option in resolved.configuration.options {
            (option.key as? any FeatureKey.Type)?.prepare(self, for: resolved.configuration)
        }
    }

    package var now: Resource.State.Moment {
        let now = Resource.State.Moment(wallTime: clock.wallTime, monotonicTime: clock.monotonicTime)
        clockLead = max(clockLead, now.wallTime - now.monotonicTime)
        return now
    }

    /// The time of an event that makes stored data older than itself: the wall time, or, after the wall clock was set back,
    /// the time that it would show otherwise. Data that was stored before never counts as newer than the event, even when
    /// the clock has reached the data's timestamp. Until the clock has reached the time of the event, data that is stored
    /// after it counts as older, too, because the timestamps do not tell the difference.
    package var orderTime: TimeInterval {
        let now = now
        let time = clockLead + now.monotonicTime
        return time - now.wallTime > 0.01 ? time : now.wallTime  // The clocks are read one after the other.
    }

    /// All resources, including those that are still in use after the release of the service.
    package var resources: [Resource] { registry.elements + remaining }

    /// The resources that are still in use after the release of the service, and that are not in the registry.
    var remaining: [Resource] { remainingResources.values.compactMap(\.resource) }
    var hasRemaining: Bool { !remainingResources.isEmpty }

    /// Wipes all resources and caches. Responses to earlier requests are neither shown nor stored afterwards.
    ///
    /// The caches are wiped first. Code of the app that reacts to the wipe of a resource must find no data in them.
    func wipeIncludingCaches() {
        for storage in storages { storage.removeAll(ofSession: authentication?.currentPrincipal) }
        lastWipe = (.advance(), orderTime)
        clock.whileCalling {
            unfinishedWrites.revoke()
            for feature in extensions { feature.wiped() }
            Resource.wipe(resources, and: repeatedRequests.own, .caches)
        }
    }

    /// False if no configuration that was needed so far follows HTTP. Avoids computing configurations only to find this out.
    var followsHTTP: Bool { rules.register.followsHTTP }

    /// The storages of all caches that resources use, used before, or may use with the current configuration.
    package var storages: [StorageInUse] {
        caches.compactMap { StorageInUse($0) } + rules.register.storages
    }

    /// Returns the resource at `address`, an absolute URL in canonical form. Creates it if it does not exist.
    package func resource(at address: String, url: @autoclosure () -> URL? = nil) -> Resource {
        known(at: address) ?? newResource(at: address, url: url())
    }

    /// Returns the resource whose loads send `body` to `location`. `address` is its address. Creates it if it does not
    /// exist.
    func resource(at address: String, location: String, body: LoadBody) -> Resource {
        if let known = known(at: address) { return known }
        return newResource(Resource(context: self, location: location, peculiarity: .body(body)))
    }

    /// Returns the resource at `path` below `base`. Creates it if it does not exist.
    func resource(at path: String, below base: BaseURL) -> Resource {
        base.withAddress(of: path) { address, isEscaped in
            if isEscaped { hintAtQuery(path) }
            return known(at: address) ?? newResource(at: String(decoding: address, as: UTF8.self))
        }
    }

    private func hintAtQuery(_ path: String) {
        guard !hasHintedAtQuery, path.utf8.contains(UInt8(ascii: "?")) else { return }
        hasHintedAtQuery = true
        SiestaLog.log(
            .network,
            [
                "Hint: the question mark in resource(\"\(PreparedText.url(path))\") is escaped, because it is a part of the path.",
                "For query parameters use withParam(_:_:), or relative(_:).",
            ])
    }

    /// Returns the resource at `address`; nil if it does not exist.
    package func known(at address: String) -> Resource? {
        address.withUTF8Bytes { known(at: $0) }
    }

    private func known(at address: UnsafeRawBufferPointer) -> Resource? {
        registry.use(address)
            ?? (remainingResources.isEmpty ? nil : remainingResource(at: String(decoding: address, as: UTF8.self)))
    }

    private func remainingResource(at address: String) -> Resource? {
        guard let resource = remainingResources.removeValue(forKey: address)?.resource else { return nil }
        insert(resource)
        return resource
    }

    private func newResource(at address: String, url: URL? = nil) -> Resource {
        newResource(Resource(context: self, address: address, url: url))
    }

    @inline(__always)
    private func newResource(_ resource: Resource) -> Resource {
        insert(resource)
        if registry.count > countLimit, !trim() { _ = trim() }
        return resource
    }

    /// Adds a resource to the registry. Resources hold this object, and without a service, nothing else would ever remove
    /// them from its registry. Therefore the registry is then emptied in the next turn.
    @inline(__always)
    private func insert(_ resource: Resource) {
        registry.insert(resource)
        if hasLostService { scheduleRelease() }
    }

    private func scheduleRelease() {
        guard currentService == nil, !isReleaseScheduled else { return }
        isReleaseScheduled = true
        MainQueue.async { [self] in
            isReleaseScheduled = false
            if currentService == nil { releaseResources() }
        }
    }

    func serviceWasReleased() {
        hasLostService = true
        for feature in extensions { feature.serviceWasReleased() }
        releaseResources()
    }

    /// Removes all resources from the registry after the release of the service. Resources in use can still be found
    /// while they exist.
    ///
    /// If only observers use a resource, the resource is dropped, and the observers are told.
    private func releaseResources() {
        let living = remaining
        remainingResources = [:]  // Forgets those that do not exist any more.
        for resource in living { remainingResources[resource.address] = WeakResource(resource: resource) }
        extendLifetime(living)
        var used = registry.elements
        registry = RecencyRegistry { $0.address }
        known(Dependencies.self)?.resetIndex()
        for resource in used { remainingResources[resource.address] = WeakResource(resource: resource) }
        let lost = used.indices.filter { isKnownUniquelyReferenced(&used[$0]) && used[$0].isObserved }.map { used[$0] }
        guard !lost.isEmpty else { return }
        MainQueue.async {
            for resource in lost where self.remainingResources[resource.address]?.resource === resource {
                resource.endObservations()
            }
        }
    }

    private struct WeakResource {
        weak var resource: Resource?
    }
}

// MARK: Configuration

extension ResourceContext {
    func add(_ rule: ConfigurationRules.Rule) {
        extendLifetime(rules.add(rule))
        for feature in extensions { feature.configurationChanged() }
    }

    /// Makes all configuration closures run again when a configuration is needed.
    func invalidateConfiguration() {
        extendLifetime(rules.invalidate())
        for feature in extensions { feature.configurationChanged() }
    }

    /// Returns the configurations of the resource at `address`. `url` is evaluated only if a rule needs it.
    ///
    /// URL predicates are code of the app. They are called while no change is in progress; rules that they add apply
    /// from the next use.
    package func configurations(for address: String, url: () -> URL) -> ConfigurationSet {
        if let configurations = rules.configurationsWithoutPredicates(for: address) { return configurations }
        var match = rules.match(address)
        let outer = exchange(&rules.isMatching, with: true)
        defer { rules.isMatching = outer }
        for predicate in rules.predicates where predicate.matches(url()) { match.insert(predicate.rule) }
        return rules.configurations(for: match)
    }

    /// The caches that GET requests of any resource may have; see ``ConfigurationRules/caches``. Empty if a configurer
    /// reads this property during the computation of this property.
    var caches: [any StageCache] {
        guard !rules.isListingCaches else { return [] }
        rules.isListingCaches = true
        defer { rules.isListingCaches = false }
        return rules.caches
    }
}
