public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// One URL of a service: the latest data, the latest error, whether a load is running — and whom to tell when that changes.
///
/// Get one from ``Service/resource(_:)``. As long as anybody uses it there is exactly one resource for a URL in a service, so everybody
/// sees the same state, whoever caused a change. To be used on the main actor alone.
///
/// A resource that is observed, or that somebody refers to, stays; others stay until the service has too many
/// (``Service/cachedResourceCountLimit``). A running request keeps its resource.
@preconcurrency @MainActor
public final class Resource {
    /// Changes the underlying request of a ``Request`` before it is sent.
    public typealias RequestMutation = (inout URLRequest) -> Void

    let context: ResourceContext

    /// The absolute URL as text, in the form that tells resources apart.
    nonisolated let address: String

    /// What was given as the URL, if that was not one.
    let invalidURLSource: Boxed<any URLConvertible>

    private var cachedURL: URL?
    private var configurations: ConfigurationSet?
    var state = State()
    var observerList: ObserverList?
    var cacheReading = CacheReading.notStarted
    var cacheLane: CacheLane?
    var isInvalid = false

    var running = RunningRequests()

    init(context: ResourceContext, address: String, url: URL?) {
        self.context = context
        self.address = address
        cachedURL = url
        invalidURLSource = .none
    }

    /// A resource without a usable URL, every request of which fails.
    init(context: ResourceContext, invalidURL source: (any URLConvertible)?) {
        self.context = context
        address = ":"
        invalidURLSource = Boxed(source)
        isInvalid = true
        cacheReading = .ended
    }

    /// The service that this resource belongs to.
    public var service: Service { context.service }

    /// The absolute URL.
    public var url: URL {
        if let cachedURL { return cachedURL }
        let url = URL(string: address) ?? Self.invalidURL
        cachedURL = url
        return url
    }

    private static let invalidURL = URL(string: ":") ?? URL(fileURLWithPath: "/")

    /// The options for GET, that is for loads.
    public var configuration: Configuration { configuration(for: .get) }

    /// The options for requests with the given method.
    ///
    /// Computed when first asked for, and again after the service's configuration has changed.
    public func configuration(for method: RequestMethod) -> Configuration {
        resolvedConfiguration(for: method).configuration
    }

    @inline(__always)
    func resolvedConfiguration(for method: RequestMethod) -> ConfigurationSet.Resolved {
        if let configurations, configurations.isCurrent { return configurations[method] }
        return newConfigurations()[method]
    }

    private func newConfigurations() -> ConfigurationSet {
        let matching = context.rules.configurations(for: address, url: { url })
        configurations = matching
        return matching
    }

    // MARK: State

    /// The newest data, whatever its age: from a load, a persistent cache, or a local override.
    ///
    /// Asking for the first time makes the resource look into its persistent caches.
    public var latestData: Entity<Any>? {
        beginReadingCache()
        return state.data
    }

    /// Why the last load failed; nil once one has succeeded. A failure does not remove ``latestData``.
    public var latestError: RequestError? { state.error }

    /// When data or error was last known to be current, in seconds since the reference date (1 January 2001); 0 without either.
    public var timestamp: TimeInterval {
        beginReadingCache()
        return state.timestamp
    }

    /// The loads that are running, in the order in which they started.
    public var loadRequests: [any Request] { running.loads }

    /// All requests of this resource that are running, loads included.
    public var allRequests: [any Request] { running.own }

    /// Whether a load is running.
    public var isLoading: Bool { running.hasLoad }

    /// Whether any request is running.
    public var isRequesting: Bool { running.hasOwn }

    /// Whether `loadIfNeeded()` would do without the network: the data is younger than ``Configuration/expirationTime``, or the
    /// last failure is more recent than ``Configuration/retryTime``, and ``invalidate()`` has not been called since.
    public var isUpToDate: Bool {
        beginReadingCache()
        let configuration = resolvedConfiguration(for: .get)
        return state.freshness.isUpToDate(
            at: context.clock.monotonicTime, expirationTime: configuration.expirationTime,
            retryTime: configuration.retryTime)
    }
}

extension Resource: nonisolated Hashable {
    /// Whether both are the same object.
    public nonisolated static func == (left: Resource, right: Resource) -> Bool { left === right }

    /// Hashes the identity.
    public nonisolated func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}

extension Resource: nonisolated CustomStringConvertible, nonisolated CustomDebugStringConvertible {
    /// The URL, shortened by the service's base, and letters for loading, data and error: `Resource(…/users/42)[LD]`.
    ///
    /// Off the main thread the letters are left out.
    public nonisolated var description: String {
        MainQueue.isCurrent ? MainActor.assumeIsolated { descriptionWithState } : "Resource(\(address))"
    }

    /// The same as ``description``.
    public nonisolated var debugDescription: String { description }

    private var descriptionWithState: String {
        var location = address
        if let base = context.baseURL?.absoluteString, address.hasPrefix(base) {
            location = "…/" + address.dropFirst(base.count)
        }
        let flags = (isLoading ? "L" : "") + (state.hasData ? "D" : "") + (state.error != nil ? "E" : "")
        return "Resource(\(isInvalid ? "invalid URL" : location))[\(flags)]"
    }
}

extension Resource: @preconcurrency TypedContentAccessors {
    /// The latest data.
    public var entityForTypedContentAccessors: Entity<Any>? { latestData }

    /// The latest content as a JSON object; empty if there is none or it is of another type.
    public var jsonDict: [String: Any] { typedContent(ifNone: [:]) }

    /// The latest content as a JSON array; empty if there is none or it is of another type.
    public var jsonArray: [Any] { typedContent(ifNone: []) }

    /// The latest content as text; empty if there is none or it is of another type.
    public var text: String { typedContent(ifNone: "") }
}
