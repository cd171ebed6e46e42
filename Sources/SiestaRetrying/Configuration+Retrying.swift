public import SiestaCore

extension Configuration {
    /// The policy for sending failed requests again. The default is ``RetryPolicy/none``.
    public var retry: RetryPolicy {
        get { self[RetryKey.self] }
        set { self[RetryKey.self] = newValue }
    }

    /// The limits on concurrent requests and on the request rate for an origin. The default is ``Pacing/none``.
    public var pacing: Pacing {
        get { self[PacingKey.self] }
        set { self[PacingKey.self] = newValue }
    }

    /// The priority of requests that wait because of ``pacing``. The default is ``RequestPriority/normal``.
    public var priority: RequestPriority {
        get { self[PriorityKey.self] }
        set { self[PriorityKey.self] = newValue }
    }

    /// The behavior of requests whose attempts fail because there is no network. The default is
    /// ``OfflinePolicy/attempt``.
    public var offline: OfflinePolicy {
        get { self[OfflineKey.self] }
        set { self[OfflineKey.self] = newValue }
    }
}

private struct RetryKey: StepKey {
    static let defaultValue = RetryPolicy.none
    static let place = StepPlace.retry

    static func step(of configuration: Configuration) -> (any ExchangeStep)? {
        configuration.retry.isOn ? RetryStep(configuration.retry) : nil
    }

    static func text(of policy: RetryPolicy) -> String { policy.isOn ? "\(policy.retryLimit)" : "off" }
}

private struct PacingKey: StepKey {
    static let defaultValue = Pacing.none
    static let place = StepPlace.pacing

    static func step(of configuration: Configuration) -> (any ExchangeStep)? {
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

    static func step(of configuration: Configuration) -> (any ExchangeStep)? {
        configuration.offline.limit.map(OfflineStep.init(limit:))
    }
}
