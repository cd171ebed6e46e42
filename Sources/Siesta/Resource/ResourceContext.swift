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
    var rules = ConfigurationRules()
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
        didSet { registry.trimCompletely(to: max(0, countLimit), isKept: \.isKeptByObservers) }
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
        let rules = rules  // A copy, since the app's closures run.
        return rules.caches.compactMap { StorageInUse($0) } + rules.register.storages
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
        registry.trim(to: countLimit, isKept: \.isKeptByObservers)
        return resource
    }

    /// Drops all resources that nobody uses.
    func flushUnused() {
        registry.trimCompletely(to: 0, isKept: \.isKeptByObservers)
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
