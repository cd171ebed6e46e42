public import Foundation
import Observation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// One URL of a service: the latest data, the latest error, whether a load is running — and whom to tell when that
/// changes.
///
/// Get one from ``Service/resource(_:)``. As long as anybody uses it there is exactly one resource for a URL in a
/// service, so everybody sees the same state, whoever caused a change. To be used on the main actor alone.
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
    // Both are written on the main actor alone and under their lock: any thread may read them under the lock, the main
    // actor without.
    nonisolated(unsafe) private(set) var state = State()
    nonisolated(unsafe) private(set) var loadConfiguration: ConfigurationSet.Resolved?
    /// What ``state`` says about it, apart from the rest since it is asked so often.
    private var freshness = Freshness()
    /// How often the state has changed.
    private var changeNumber: UInt32 = 0
    var observation: ObservationRegistrar?
    var readProperties: Tracked = []
    var observerList: ObserverList?
    var cacheReading = CacheReading.notStarted
    var cacheLane: CacheLane?
    var isInvalid = false
    /// The last wipe of this resource alone that included caches.
    var lastWipe = WipeCount.none

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
        MainQueue.checkInDebug("Resource.configuration(for:)")
        return resolvedConfiguration(for: method).configuration
    }

    @inline(__always)
    func resolvedConfiguration(for method: RequestMethod) -> ConfigurationSet.Resolved {
        if let configurations, configurations.isCurrent { return configurations[method] }
        return newConfiguration(for: method)
    }

    private func newConfiguration(for method: RequestMethod) -> ConfigurationSet.Resolved {
        guard !context.isMatchingRules else { return .provisional }
        let matching = context.configurations(for: address, url: { url })
        let resolved = matching[method]
        guard !resolved.isProvisional else { return resolved }
        _ = exchange(&configurations, with: matching)  // Released after the change, since that may run any code.
        var old = method == .get ? resolved : nil  // Released without the lock.
        lock.withLock { swap(&loadConfiguration, &old) }
        return resolved
    }

    // MARK: State

    /// The newest data, whatever its age: from a load, a persistent cache, or a local override.
    ///
    /// Asking for the first time makes the resource look into its persistent caches.
    public var latestData: Entity<Any>? {
        MainQueue.checkInDebug("Resource.latestData")
        track(.latestData, \.latestData)
        beginReadingCache()
        return state.data
    }

    /// Why the last load failed; nil once one has succeeded. A failure does not remove ``latestData``.
    public var latestError: RequestError? {
        MainQueue.checkInDebug("Resource.latestError")
        track(.latestError, \.latestError)
        return state.error
    }

    /// When data or error was last known to be current, in seconds since the reference date (1 January 2001); 0 without
    /// either.
    public var timestamp: TimeInterval {
        MainQueue.checkInDebug("Resource.timestamp")
        track(.timestamp, \.timestamp)
        beginReadingCache()
        return state.timestamp
    }

    /// The loads that are running, in the order in which they started.
    public var loadRequests: [any Request] { running.loads }

    /// All requests of this resource that are running, loads included.
    public var allRequests: [any Request] { running.own }

    /// Whether a load is running.
    public var isLoading: Bool {
        MainQueue.checkInDebug("Resource.isLoading")
        track(.isLoading, \.isLoading)
        return state.isLoading
    }

    /// Whether any request is running.
    public var isRequesting: Bool {
        MainQueue.checkInDebug("Resource.isRequesting")
        track(.isRequesting, \.isRequesting)
        return running.hasOwn
    }

    /// Whether `loadIfNeeded()` would do without the network: the data is younger than
    /// ``Configuration/expirationTime``, or the last failure is more recent than ``Configuration/retryTime``, and
    /// ``invalidate()`` has not been called since.
    public var isUpToDate: Bool {
        MainQueue.checkInDebug("Resource.isUpToDate")
        track(.isUpToDate, \.isUpToDate)
        beginReadingCache()
        return isUpToDateNow
    }

    /// The same, for the library's own use.
    var isUpToDateNow: Bool {
        freshness.isUpToDate(at: context.clock.monotonicTime, within: currentLimits)
    }

    private var currentLimits: Freshness.Limits {
        if let configurations, configurations.isCurrent, let loadConfiguration {
            return loadConfiguration.freshnessLimits
        }
        return resolvedConfiguration(for: .get).freshnessLimits
    }

    /// Changes the state: whoever tracks what changes hears of it before and after, other threads see all of the change
    /// or nothing.
    ///
    /// `change` may be applied twice, and must have no other effect.
    func change<Result>(_ change: (inout State) -> Result) -> Result {
        var new = state
        var result = change(&new)
        let tracked = readProperties.isEmpty ? [] : Tracked.changes(from: state, to: new).intersection(readProperties)
        let number = changeNumber
        willSet(tracked)
        if number != changeNumber {  // Whoever heard of it has changed the state in turn.
            new = state
            result = change(&new)
        }
        changeNumber &+= 1
        freshness = new.freshness
        lock.lock()
        swap(&state, &new)
        lock.unlock()  // What the old state refers to is released after this, since that may run any code.
        didSet(tracked)
        return result
    }

    nonisolated var lock: NSLock { StateLocks.lock(of: self) }
}

/// The locks of all resources' states: few, since they are held for moments, and each resource would need much memory
/// for its own.
private enum StateLocks {
    private static let locks = (0..<64).map { _ in NSLock() }

    static func lock(of resource: Resource) -> NSLock {
        locks[Int(bitPattern: ObjectIdentifier(resource)) >> 6 & 63]
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
    /// Off the main thread the letters are left out. Of the URL's query only harmless values are shown; see
    /// ``SiestaLog/shownQueryItems``.
    public nonisolated var description: String {
        MainQueue.isCurrent
            ? MainActor.assumeIsolated { descriptionWithState } : "Resource(\(PreparedText.url(address)))"
    }

    /// The same as ``description``.
    public nonisolated var debugDescription: String { description }

    private var descriptionWithState: String {
        var location = PreparedText.url(address)
        if let base = context.baseURL.map({ PreparedText.url($0) }), location.hasPrefix(base) {
            location = "…/" + location.dropFirst(base.count)
        }
        let flags = (state.isLoading ? "L" : "") + (state.hasData ? "D" : "") + (state.error != nil ? "E" : "")
        return "Resource(\(isInvalid ? "invalid URL" : location))[\(flags)]"
    }
}

extension Resource: nonisolated CustomReflectable {
    /// No children: `dump` shows the ``description`` alone.
    public nonisolated var customMirror: Mirror { Mirror(self, children: [:]) }
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
