extension CacheSequence {
    /// Stale responses that may or must not be used (RFC 9111 §4.2.4, RFC 5861).
    static let staleness: [CacheSequence] = [
        CacheSequence(
            "stale.sie.no-cache-request", "9111 §5.2.1.4", .required,
            .get(.ok("Cache-Control: max-age=2, stale-if-error=60")),
            .get(.status(503), ["Cache-Control": "no-cache"], after: 5, then: .any.status(503))),
        CacheSequence(
            "stale.swr.min-fresh", "9111 §5.2.1.3", .required,
            .get(.ok("Cache-Control: max-age=1, stale-while-revalidate=60")),
            .get(.ok(), ["Cache-Control": "min-fresh=1"], after: 3, then: .asked.response(2))),
        CacheSequence(
            "stale.swr.max-age-request", "9111 §5.2.1.1", .required,
            .get(.ok("Cache-Control: max-age=1, stale-while-revalidate=60")),
            .get(.ok(), ["Cache-Control": "max-age=1"], after: 3, then: .asked.response(2))),
        CacheSequence(
            "stale.swr.vary", "9111 §4.1", .required,
            .get(.ok("Cache-Control: max-age=1, stale-while-revalidate=60", "Vary: Foo"), ["Foo": "1"]),
            .get(.ok(), ["Foo": "2"], after: 3, then: .asked.response(2))),
        CacheSequence(
            "stale.swr.heuristic", "5861 §3", .expected,
            .get(.ok("Cache-Control: stale-while-revalidate=60", "Last-Modified: {now-100}")),
            .get(after: 20, then: .asked.response(1))),
        CacheSequence(
            "stale.swr.404", "5861 §3", .chosen,
            .get(.status(404, "Cache-Control: max-age=1, stale-while-revalidate=60")), .get(after: 3, then: .asked)),
        CacheSequence(
            "incomplete.not-stored", "9111 §3.3", .required, .get(.incomplete("Cache-Control: max-age=3600")),
            .get(after: 1, then: .asked.response(2))),
        CacheSequence(
            "incomplete.keeps-stored", "9111 §3.3", .required, .get(.ok("Cache-Control: max-age=1, stale-if-error=60")),
            .get(.incomplete("Cache-Control: max-age=3600"), after: 3, then: .response(1)),
            .get(after: 1, then: .asked.response(3))),
        failing("close", "9111 §4.2.4", .chosen, "max-age=2", .closes, .response(1)),
        failing(
            "close.must-revalidate", "9111 §5.2.2.2", .required, "max-age=2, must-revalidate", .closes, .any.status(0)),
        failing("close.no-cache", "9111 §5.2.2.4", .required, "max-age=2, no-cache", .closes, .any.status(0)),
        failing("close.no-store", "9111 §5.2.2.5", .required, "no-store", .closes, .any.status(0)),
        failing(
            "close.proxy-revalidate", "9111 §5.2.2.8", .chosen, "max-age=2, proxy-revalidate", .closes, .response(1)),
        failing("close.s-maxage", "9111 §5.2.2.10", .chosen, "max-age=2, s-maxage=2", .closes, .response(1)),
        failing("close.sie", "5861 §4", .expected, "max-age=2, stale-if-error=60", .closes, .response(1)),
        failing("close.sie.passed", "5861 §4", .required, "max-age=2, stale-if-error=1", .closes, .any.status(0)),
        failing("503", "5861 §4", .chosen, "max-age=2", .status(503), .asked.status(503).response(2)),
        failing(
            "503.must-revalidate", "9111 §5.2.2.2", .required, "max-age=2, must-revalidate", .status(503),
            .any.status(503)),
        failing("503.no-cache", "9111 §5.2.2.4", .required, "max-age=2, no-cache", .status(503), .any.status(503)),
        failing(
            "503.sie", "5861 §4", .expected, "max-age=2, stale-if-error=60", .status(503), .any.status(200).response(1)),
        failing(
            "500.sie", "5861 §4", .expected, "max-age=2, stale-if-error=60", .status(500), .any.status(200).response(1)),
        failing(
            "502.sie", "5861 §4", .expected, "max-age=2, stale-if-error=60", .status(502), .any.status(200).response(1)),
        failing(
            "504.sie", "5861 §4", .expected, "max-age=2, stale-if-error=60", .status(504), .any.status(200).response(1)),
        failing("404.sie", "5861 §4", .required, "max-age=2, stale-if-error=60", .status(404), .any.status(404)),
        failing("503.sie.passed", "5861 §4", .required, "max-age=2, stale-if-error=1", .status(503), .any.status(503)),
        failing(
            "503.sie.must-revalidate", "9111 §5.2.2.2", .required, "max-age=2, stale-if-error=60, must-revalidate",
            .status(503), .any.status(503)),
        failing(
            "503.sie.no-cache", "5861 §4", .required, "no-cache, stale-if-error=60", .status(503), .any.status(503)),
        failing(
            "503.sie.quoted", "9111 §5.2", .expected, "max-age=2, stale-if-error=\"60\"", .status(503), .response(1)),
        failing("503.sie.invalid", "5861 §4", .expected, "max-age=2, stale-if-error=x", .status(503), .any.status(503)),
        CacheSequence(
            "stale.sie.warned", "9111 §5.1", .expected, .get(.ok("Cache-Control: max-age=2, stale-if-error=60")),
            .get(.status(503), after: 10, then: .response(1).age(atLeast: 10))),
        CacheSequence(
            "stale.sie.recovered", "5861 §4", .required, .get(.ok("Cache-Control: max-age=2, stale-if-error=60")),
            .get(.status(503), after: 10, then: .response(1)), .get(after: 1, then: .asked.response(3))),
        CacheSequence(
            "stale.swr", "5861 §3", .expected, .get(.ok("Cache-Control: max-age=1, stale-while-revalidate=60")),
            .get(after: 3, then: .asked.response(1))),
        CacheSequence(
            "stale.swr.then-new", "5861 §3", .expected,
            .get(.ok("Cache-Control: max-age=1, stale-while-revalidate=60")),
            .get(.ok("Cache-Control: max-age=60"), after: 3, then: .response(1)),
            .get(after: 3, then: .cached.response(2))),
        CacheSequence(
            "stale.swr.passed", "5861 §3", .required, .get(.ok("Cache-Control: max-age=1, stale-while-revalidate=4")),
            .get(after: 15, then: .asked.response(2))),
        CacheSequence(
            "stale.swr.must-revalidate", "9111 §5.2.2.2", .required,
            .get(.ok("Cache-Control: max-age=1, stale-while-revalidate=60, must-revalidate")),
            .get(after: 3, then: .asked.response(2))),
        CacheSequence(
            "stale.swr.no-cache", "9111 §5.2.2.4", .required,
            .get(.ok("Cache-Control: no-cache, stale-while-revalidate=60")), .get(after: 3, then: .asked.response(2))),
        CacheSequence(
            "stale.swr.confirmed", "5861 §3", .expected,
            .get(.ok("Cache-Control: max-age=1, stale-while-revalidate=60", "ETag: \"a\"")),
            .get(
                .confirms("ETag: \"a\"", "Cache-Control: max-age=60"), after: 3,
                then: .asked(with: "If-None-Match").response(1)),
            .get(after: 3, then: .cached.response(1))),
        CacheSequence(
            "stale.swr.failing", "5861 §3", .expected,
            .get(.ok("Cache-Control: max-age=1, stale-while-revalidate=60")),
            .get(.status(503), after: 3, then: .response(1)), .get(after: 3, then: .response(1))),
        CacheSequence(
            "stale.swr.no-cache-request", "9111 §5.2.1.4", .required,
            .get(.ok("Cache-Control: max-age=1, stale-while-revalidate=60")),
            .get(.ok(), ["Cache-Control": "no-cache"], after: 3, then: .asked.response(2))),
        CacheSequence(
            "stale.validator-only", "9111 §4.2.4", .required, .get(.ok("ETag: \"a\"", "Cache-Control: max-age=0")),
            .get(.ok(), after: 1, then: .asked(with: "If-None-Match").response(2))),
    ]

    /// A response that is stale when the origin fails.
    private static func failing(
        _ id: String, _ section: String, _ kind: Kind, _ control: String, _ reply: Reply, _ outcome: Outcome
    ) -> CacheSequence {
        CacheSequence(
            "stale.\(id)", section, kind, .get(.ok("Cache-Control: \(control)")), .get(reply, after: 5, then: outcome))
    }
}
