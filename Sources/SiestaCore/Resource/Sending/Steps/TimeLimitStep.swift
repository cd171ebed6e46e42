public import Foundation

extension Configuration {
    /// The maximum time from the start of a request to its response, in seconds. The default is nil, which means no
    /// limit. An infinite time also means no limit.
    ///
    /// The time includes all attempts of the request, and its waits: for a retry, for ``pacing``, for the network, and
    /// for a credential. The time does not include the periods in which a load reads caches, or in which a download
    /// waits for another download to the same file.
    ///
    /// A request that reaches the limit is stopped, and fails with the code ``RequestError/Code/timeLimitExceeded``. If
    /// the request had already been sent, the server may have carried it out.
    ///
    /// The limit applies to all kinds of requests. For a download, it applies until the file is complete, and for
    /// ``Resource/bytes``, until the end of the response. For an `EventStream` that reconnects, the limit applies to
    /// each connection, until the response begins. The limit does not change the time-outs of the networking provider,
    /// which limit how long a server may be silent during one attempt.
    public var timeLimit: TimeInterval? {
        get { self[TimeLimitKey.self] }
        set { self[TimeLimitKey.self] = newValue }
    }
}

private struct TimeLimitKey: StepKey {
    static let defaultValue: TimeInterval? = nil
    static let place = StepPlace.timeLimit

    static func step(of configuration: Configuration) -> (any ExchangeStep)? {
        configuration.timeLimit.flatMap { $0.isFinite ? TimeLimitStep(max(0, $0)) : nil }
    }

    static func text(of limit: TimeInterval?) -> String { limit.map { "\($0.formatted(decimals: 3)) s" } ?? "none" }
}

/// Ends an exchange that takes too long; see ``Configuration/timeLimit``.
@MainActor
final class TimeLimitStep: ExchangeStep {
    private let limit: TimeInterval

    init(_ limit: TimeInterval) {
        self.limit = limit
    }

    func prepare(_ exchange: Exchange, _ index: Int) -> Preparation {
        guard exchange[memory: index] == 0 else { return .proceed }
        exchange[memory: index] = 1
        exchange.clock.schedule(after: limit) { [weak exchange, limit] in
            guard let exchange, exchange[memory: index] == 1 else { return }
            exchange.stop {
                RequestError(.init(.timeLimitExceeded, reason: "after \(limit) s"))
            }
        }
        return .proceed
    }

    func streamBegan(_ advice: ServerAdvice?, isEndless: Bool, of exchange: Exchange, _ index: Int) {
        if isEndless { exchange[memory: index] = 2 }  // There is no limit any longer.
    }
}
