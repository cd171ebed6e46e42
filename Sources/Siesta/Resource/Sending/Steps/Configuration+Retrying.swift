public import Foundation

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

    /// The longest time from the start of a request to its response, in seconds, with all its attempts and waits: retries,
    /// ``pacing``, waits for the network and for a credential. The default is nil: there is no limit.
    ///
    /// A request that reaches the limit is stopped, and fails with the cause ``RequestError/Cause/TimeLimitExceeded``. If it
    /// was sent, the server may have carried it out. The limit holds for all kinds of requests: loads, writes, uploads,
    /// downloads until the file is complete, and ``Resource/bytes`` until the end of the response. It does not change
    /// the time-outs of the networking, which limit the silence of a server during one attempt. The time during which a load
    /// reads caches, or a download waits for another download to the same file, does not count. An infinite time is no limit.
    public var timeLimit: TimeInterval? {
        get { self[TimeLimitKey.self] }
        set { self[TimeLimitKey.self] = newValue }
    }

    /// The behaviour of requests that fail because there is no network. The default is ``OfflinePolicy/attempt``.
    public var offline: OfflinePolicy {
        get { self[OfflineKey.self] }
        set { self[OfflineKey.self] = newValue }
    }
}

private struct RetryKey: StepKey {
    static let defaultValue = RetryPolicy.none
    static let place = StepPlace.retry

    static func step(of configuration: Configuration) -> (any ConfiguredStep)? {
        configuration.retry.isOn ? RetryStep(configuration.retry) : nil
    }

    static func text(of policy: RetryPolicy) -> String { policy.isOn ? "\(policy.retryLimit)" : "off" }
}

private struct IdempotencyKeysKey: ConfigurationKey {
    static let defaultValue = IdempotencyKeys.none
}

private struct PacingKey: StepKey {
    static let defaultValue = Pacing.none
    static let place = StepPlace.pacing

    static func step(of configuration: Configuration) -> (any ConfiguredStep)? {
        configuration.pacing.isOn ? PacingStep(configuration.pacing, configuration.priority) : nil
    }

    static func text(of pacing: Pacing) -> String { pacing.isOn ? "on" : "off" }
}

private struct PriorityKey: ConfigurationKey {
    static let defaultValue = RequestPriority.normal
}

private struct OfflineKey: StepKey {
    static let defaultValue = OfflinePolicy.attempt
    static let place = StepPlace.offline

    static func step(of configuration: Configuration) -> (any ConfiguredStep)? {
        configuration.offline.limit.map(OfflineStep.init(limit:))
    }
}

private struct TimeLimitKey: StepKey {
    static let defaultValue: TimeInterval? = nil
    static let place = StepPlace.timeLimit

    static func step(of configuration: Configuration) -> (any ConfiguredStep)? {
        configuration.timeLimit.flatMap { $0.isFinite ? TimeLimitStep(max(0, $0)) : nil }
    }

    static func text(of limit: TimeInterval?) -> String { limit.map { "\($0.formatted(decimals: 3)) s" } ?? "none" }
}
