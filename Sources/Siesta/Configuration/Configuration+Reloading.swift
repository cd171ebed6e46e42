import Foundation

/// The occasions on which the library loads a resource without being asked.
///
/// On each occasion, the library calls ``Resource/loadIfNeeded()`` on the observed resources with this option. It starts
/// such a load at most once in 5 seconds for each resource, and skips occasions within this time. If there are many
/// resources, their loads are spread over up to 5 seconds.
public struct ReloadTriggers: OptionSet, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// An observer was added to the resource.
    public static let observed = ReloadTriggers(rawValue: 1 << 0)
    /// The app came to the foreground, and there is a network; see ``AppActivity``.
    public static let foreground = ReloadTriggers(rawValue: 1 << 1)
    /// The network is available again, also if the app is in the background; see ``NetworkStatus``.
    public static let reconnected = ReloadTriggers(rawValue: 1 << 2)
}

extension Configuration {
    /// Sets what most apps want:
    ///
    /// | option | value |
    /// |---|---|
    /// | ``retry`` | ``RetryPolicy/standard`` |
    /// | ``reload`` | ``ReloadTriggers/observed``, ``ReloadTriggers/foreground``, ``ReloadTriggers/reconnected`` |
    ///
    /// All other options keep their values. Call this method in a rule for all resources; later rules can change single
    /// options:
    ///
    ///     service.configure { $0.useRecommendedReloading() }
    ///     service.configure("/feed/**") { $0.reload = [.reconnected] }
    public mutating func useRecommendedReloading() {
        retry = .standard
        reload = [.observed, .foreground, .reconnected]
    }
}

/// The options for retries, pacing and reloads.
struct SendingOptions {
    var retry = RetryPolicy.none
    var idempotencyKeys = IdempotencyKeys.none
    var pacing = Pacing.none
    var priority = RequestPriority.normal
    var offline = OfflinePolicy.attempt
    var reload: ReloadTriggers = []
    var cancelDelay: TimeInterval?
    var isPersonal = true
    var dependencies = DependencyOptions()
    var sendsTraceContext = false
    var negotiatesContent = false
    var usesFoundationJSON = false
    var changeDetection = ChangeDetection.always
    var retention: TimeInterval?
    var freshness = FreshnessRule.fixed
    var precondition = Precondition.none
}

extension ChangeDetection {
    /// False if each response is new data.
    var isOn: Bool {
        if case .always = self { false } else { true }
    }
}

/// The options that decide when a request is sent, and how often. Nil in a configuration if all of them are off.
struct AttemptOptions {
    let retry: RetryPolicy
    let pacing: Pacing
    let priority: RequestPriority
    /// The longest wait for the network in seconds; nil if requests do not wait for it.
    let offlineLimit: TimeInterval?

    init?(_ options: SendingOptions) {
        (retry, pacing, priority) = (options.retry, options.pacing, options.priority)
        offlineLimit = options.offline.limit
        guard retry.isOn || pacing.isOn || offlineLimit != nil else { return nil }
    }
}
