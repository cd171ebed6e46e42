import Foundation

/// What the resources of one service share: clock, network, configuration, and the register of them all.
///
/// The service owns it, and the resources hold on to it, so that a resource somebody kept works on after its service is
/// gone, while a service nobody refers to is released together with its unused resources.
@MainActor
final class ResourceContext {
    let baseURL: URL?
    let networking: any NetworkingProvider
    let starter: RequestStarter
    let clock: SiestaClock
    let heartbeat: ProgressHeartbeat
    private(set) var rules = ConfigurationRules()
    /// Whether tests of URLs, or configurers for the sake of their caches, are running: code of the app, whose
    /// questions must not make them run again.
    private(set) var isMatchingRules = false
    private var isListingCaches = false
    /// The last wipe of everything, caches included, and its time on the wall clock.
    private(set) var lastWipe = WipeCount.none
    private(set) var lastWipeTime = -TimeInterval.infinity
    /// What the app's caches have not been told yet.
    let unfinishedWrites = UnfinishedWrites()
    /// Requests that are in no resource's list, since they repeat others, and responses that are being streamed.
    var repeatedRequests = RunningRequests()
    var streams: [ObjectIdentifier: ByteStream] = [:]
    private var registry = RecencyRegistry<Resource> { $0.address }
    /// Resources that were in use when the service went; empty as long as it lives.
    private var survivors: [String: WeakResource] = [:]
    /// The service as long as it lives.
    private(set) weak var currentService: Service?
    private var hasHintedAtQuery = false

    var countLimit = 2048 {
        didSet { trimCompletely(to: max(0, countLimit)) }
    }

    init(baseURL: URL?, networking: any NetworkingProvider, clock: SiestaClock) {
        self.baseURL = baseURL
        self.networking = networking
        starter = RequestStarter(networking)
        self.clock = clock
        heartbeat = .shared(for: clock)
    }

    /// The service; a new one of the same configuration if the app has let go of the original.
    var service: Service {
        get {
            if let currentService { return currentService }
            let replacement = Service(context: self)
            currentService = replacement
            return replacement
        }
        set { currentService = newValue }
    }

    var now: Resource.State.Moment {
        Resource.State.Moment(wallTime: clock.wallTime, monotonicTime: clock.monotonicTime)
    }

    /// All resources, those that have outlived the service included.
    var resources: [Resource] { registry.elements + survivors.values.compactMap(\.resource) }

    /// Wipes everything: from now on nothing that was requested before is shown or stored.
    ///
    /// The caches come first, so that code of the app that hears of the wipe finds nothing there.
    func wipeIncludingCaches() {
        for storage in storages { storage.removeAll() }
        lastWipe = .advance()
        lastWipeTime = clock.wallTime
        unfinishedWrites.revoke()
        for stream in streams.values { stream.abandon() }
        Resource.wipe(resources, and: repeatedRequests.own, includingCaches: true)
    }

    /// The storages of all caches that resources have, have had or may have, by the configuration.
    var storages: [StorageInUse] {
        caches.compactMap { StorageInUse($0) } + rules.register.storages
    }

    /// The resource at `address`, an absolute URL in canonical form; made if there is none.
    func resource(at address: String, url: @autoclosure () -> URL? = nil) -> Resource {
        known(at: address) ?? newResource(at: address, url: url())
    }

    /// The resource at `path` below `base`; made if there is none.
    func resource(at path: String, below base: PathBase) -> Resource {
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
                "Hint: the question mark in resource(\"\(PreparedText.url(path))\") is taken for a part of the path, and escaped.",
                "For query parameters use withParam(_:_:), or relative(_:).",
            ])
    }

    /// The resource at `address`, if there is one.
    func known(at address: String) -> Resource? {
        address.withUTF8Bytes { known(at: $0) }
    }

    private func known(at address: UnsafeRawBufferPointer) -> Resource? {
        registry.use(address) ?? (survivors.isEmpty ? nil : survivor(at: String(decoding: address, as: UTF8.self)))
    }

    private func survivor(at address: String) -> Resource? {
        guard let survivor = survivors.removeValue(forKey: address)?.resource else { return nil }
        registry.insert(survivor)
        return survivor
    }

    private func newResource(at address: String, url: URL? = nil) -> Resource {
        let resource = Resource(context: self, address: address, url: url)
        registry.insert(resource)
        if registry.count > countLimit, !trim() { _ = trim() }
        return resource
    }

    /// Drops all resources that nobody uses.
    func flushUnused() {
        trimCompletely(to: 0)
    }

    /// Drops some resources that nobody uses; tells whether that went without letting go of observers.
    ///
    /// These come first, since they may hold what they observe. Like all that is dropped, they are released when the
    /// registry is not being changed, for that may run any code.
    private func trim() -> Bool {
        let trimmed = registry.trim(to: countLimit, standing: \.standing)
        guard let unsettled = trimmed.unsettled else { return true }
        _ = unsettled.isObserved
        return false
    }

    private func trimCompletely(to limit: Int) {
        settleObservers()
        _ = registry.trimCompletely(to: limit) { $0.standing == .unused ? .unused : .kept }
    }

    /// Lets go of the observers that have lost their owners.
    private func settleObservers() {
        for resource in registry.elements where resource.standing == .unsettled { _ = resource.isObserved }
    }

    /// Lets all resources go, since the service is gone; those that somebody uses are still found as long as they live.
    ///
    /// What nobody but its observers uses is gone with the service, and they are told.
    func serviceWasReleased() {
        var used = registry.elements
        registry = RecencyRegistry { $0.address }
        for resource in used { survivors[resource.address] = WeakResource(resource: resource) }
        let lost = used.indices.filter { isKnownUniquelyReferenced(&used[$0]) && used[$0].isObserved }.map { used[$0] }
        guard !lost.isEmpty else { return }
        MainQueue.async {
            for resource in lost where self.survivors[resource.address]?.resource === resource {
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
        _ = rules.add(rule)
    }

    /// Makes all configuration closures run again.
    func invalidateConfiguration() {
        _ = rules.invalidate()
    }

    /// The configurations of the resource at `address`; `url` is evaluated only if a rule needs it.
    ///
    /// Tests of URLs are code of the app, and so are asked while nothing is being changed. What rules they add applies
    /// from the next use.
    func configurations(for address: String, url: () -> URL) -> ConfigurationSet {
        if let configurations = rules.configurationsWithoutPredicates(for: address) { return configurations }
        var match = rules.match(address)
        let outer = exchange(&isMatchingRules, with: true)
        defer { isMatchingRules = outer }
        for predicate in rules.predicates where predicate.matches(url()) { match.insert(predicate.rule) }
        return rules.configurations(for: match)
    }

    /// All caches that GET requests of any resource may have; see ``ConfigurationRules/caches``. None for a configurer
    /// that asks while it runs for this.
    var caches: [any StageCache] {
        guard !isListingCaches else { return [] }
        isListingCaches = true
        defer { isListingCaches = false }
        return rules.caches
    }
}
