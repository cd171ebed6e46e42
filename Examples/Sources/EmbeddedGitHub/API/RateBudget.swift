/// How many requests an hour are left, counted separately with and without a token.
///
/// Generous: the count goes down to 1 and stays there, so that a demo never trips by itself. Only the behaviour switch
/// exhausts it.
struct RateBudget: Sendable, Equatable {
    /// What the headers of one answer say.
    struct Standing: Sendable, Equatable {
        var limit: Int
        var remaining: Int
        var reset: Moment

        /// How many requests of this hour are spent.
        var used: Int { limit - remaining }
    }

    private struct Window: Sendable, Equatable {
        let limit: Int
        var used = 0
        var reset = Moment(seconds: 0)
    }

    private var anonymous = Window(limit: 60)
    private var authorised = Window(limit: 5000)

    /// Counts one request and tells what is left; the hour begins with the first request after the last one ended.
    mutating func spend(_ cost: Int = 1, authorised isAuthorised: Bool, at now: Moment) -> Standing {
        let path = isAuthorised ? \RateBudget.authorised : \.anonymous
        var window = self[keyPath: path]
        if window.reset <= now { window = Window(limit: window.limit, reset: now.adding(seconds: 3600)) }
        window.used = min(window.used + cost, window.limit - 1)
        self[keyPath: path] = window
        return Standing(limit: window.limit, remaining: window.limit - window.used, reset: window.reset)
    }
}

extension RateBudget.Standing {
    /// The same hour with nothing left. If `reset` is not nil, the hour ends then.
    func exhausted(until reset: Moment?) -> Self {
        var result = self
        result.remaining = 0
        if let reset { result.reset = reset }
        return result
    }

    /// The headers that every answer carries.
    var headers: [HTTPHeaders.Field] {
        [
            ("X-RateLimit-Limit", String(limit)), ("X-RateLimit-Remaining", String(remaining)),
            ("X-RateLimit-Reset", String(reset.seconds)), ("X-RateLimit-Used", String(used)),
            ("X-RateLimit-Resource", "core"),
        ].map { HTTPHeaders.Field(name: $0.0, value: $0.1) }
    }

    /// The answer of `/rate_limit`.
    var json: JSON {
        let core: JSON = [
            "limit": .integer(limit), "used": .integer(used), "remaining": .integer(remaining),
            "reset": .integer(reset.seconds),
        ]
        return ["resources": ["core": core, "search": core], "rate": core]
    }
}
