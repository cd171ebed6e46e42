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

    var resources: [Resource] { registry.elements }

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
    func serviceWasReleased() {
        let used = registry.elements
        registry = RecencyRegistry { $0.address }
        for resource in used { survivors[resource.address] = WeakResource(resource: resource) }
    }

    private struct WeakResource {
        weak var resource: Resource?
    }
}
