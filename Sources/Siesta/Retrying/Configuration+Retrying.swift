import Foundation

extension Configuration {
    /// The rules by which failed requests are sent again. The default is ``RetryPolicy/none``.
    public var retry: RetryPolicy {
        get { self[RetryKey.self] }
        set { self[RetryKey.self] = newValue }
    }

    /// The requests that receive an `Idempotency-Key` header. The default is ``IdempotencyKeys/none``.
    public var idempotencyKeys: IdempotencyKeys {
        get { self[IdempotencyKeysKey.self] }
        set { self[IdempotencyKeysKey.self] = newValue }
    }

    /// The limits within which requests are sent to an origin. The default is ``Pacing/none``.
    public var pacing: Pacing {
        get { self[PacingKey.self] }
        set { self[PacingKey.self] = newValue }
    }

    /// The priority of requests that wait because of ``pacing``. The default is ``RequestPriority/normal``.
    public var priority: RequestPriority {
        get { self[PriorityKey.self] }
        set { self[PriorityKey.self] = newValue }
    }

    /// The behaviour of requests that fail because there is no network. The default is ``OfflinePolicy/attempt``.
    public var offline: OfflinePolicy {
        get { self[OfflineKey.self] }
        set { self[OfflineKey.self] = newValue }
    }
}

private struct RetryKey: ConfigurationKey {
    static let defaultValue = RetryPolicy.none
    static func text(of policy: RetryPolicy) -> String { policy.isOn ? "\(policy.retryLimit)" : "off" }
}

private struct IdempotencyKeysKey: ConfigurationKey { static let defaultValue = IdempotencyKeys.none }

private struct PacingKey: ConfigurationKey { static let defaultValue = Pacing.none }
private struct PriorityKey: ConfigurationKey { static let defaultValue = RequestPriority.normal }
private struct OfflineKey: ConfigurationKey { static let defaultValue = OfflinePolicy.attempt }

/// The options that decide when a request is sent, and how often. Nil in a configuration if all of them are off.
struct AttemptOptions {
    let retry: RetryPolicy
    let pacing: Pacing
    let priority: RequestPriority
    /// The longest wait for the network in seconds; nil if requests do not wait for it.
    let offlineLimit: TimeInterval?

    init?(_ configuration: Configuration) {
        (retry, pacing, priority) = (configuration.retry, configuration.pacing, configuration.priority)
        offlineLimit = configuration.offline.limit
        guard retry.isOn || pacing.isOn || offlineLimit != nil else { return nil }
    }
}
