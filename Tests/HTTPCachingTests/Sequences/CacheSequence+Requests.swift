extension CacheSequence {
    /// The directives of requests (RFC 9111 §5.2.1 and §5.4).
    static let requests: [CacheSequence] = [
        asked("max-age.zero", .required, "max-age=0", then: .asked),
        asked("max-age.one", .required, "max-age=1", then: .asked),
        asked("max-age.large", .expected, "max-age=3600", then: .cached),
        asked("max-age.below-age", .required, "max-age=600", ["Age: 1800"], then: .asked),
        asked("max-age.case", .expected, "MAX-AGE=0", then: .asked),
        asked("max-age.invalid", .chosen, "max-age=x", then: .asked),
        asked("max-stale", .expected, "max-stale=10", stale: true, then: .cached),
        asked("max-stale.exceeded", .required, "max-stale=1", stale: true, then: .asked),
        asked("max-stale.any", .expected, "max-stale", stale: true, then: .cached),
        asked(
            "max-stale.must-revalidate", .required, "max-stale=10", ["Cache-Control: must-revalidate"], stale: true,
            then: .asked),
        asked("max-stale.no-cache", .required, "max-stale=10", ["Cache-Control: no-cache"], stale: true, then: .asked),
        asked("max-stale.age", .expected, "max-stale=1000", ["Age: 500"], stale: true, then: .cached),
        asked("min-fresh", .expected, "min-fresh=10", then: .cached),
        asked("min-fresh.missed", .required, "min-fresh=3599", then: .asked),
        asked("min-fresh.age", .required, "min-fresh=1000", ["Age: 2900"], then: .asked),
        asked("no-cache", .required, "no-cache", then: .asked),
        asked("no-cache.etag", .expected, "no-cache", ["ETag: \"a\""], then: .asked(with: "If-None-Match", "\"a\"")),
        asked(
            "no-cache.last-modified", .expected, "no-cache", ["Last-Modified: {now-3600}"],
            then: .asked(with: "If-Modified-Since")),
        asked("no-store.not-answered-by-store", .chosen, "no-store", then: .cached),
        CacheSequence(
            "request.no-store", "9111 §5.2.1.5", .required,
            .get(.ok("Cache-Control: max-age=3600"), ["Cache-Control": "no-store"]), .get(after: 3, then: .asked)),
        CacheSequence(
            "request.only-if-cached", "9111 §5.2.1.7", .expected,
            .get(.ok(), ["Cache-Control": "only-if-cached"], then: .cached.status(504))),
        asked("only-if-cached.fresh", .expected, "only-if-cached", then: .cached.status(200)),
        asked("only-if-cached.stale", .expected, "only-if-cached", stale: true, then: .cached.status(504)),
        asked(
            "only-if-cached.max-stale", .expected, "only-if-cached, max-stale=60", stale: true,
            then: .cached.status(200)),
        asked("unknown", .expected, "foo=bar", then: .cached),
        CacheSequence(
            "request.pragma", "9111 §5.4", .expected, .get(.ok("Cache-Control: max-age=3600")),
            .get(.ok(), ["Pragma": "no-cache"], after: 3, then: .asked)),
        CacheSequence(
            "request.pragma.cache-control", "9111 §5.4", .chosen, .get(.ok("Cache-Control: max-age=3600")),
            .get(.ok(), ["Pragma": "no-cache", "Cache-Control": "max-age=3600"], after: 3, then: .cached)),
        CacheSequence(
            "request.pragma.other", "9111 §5.4", .expected, .get(.ok("Cache-Control: max-age=3600")),
            .get(.ok(), ["Pragma": "foo"], after: 3, then: .cached)),
        CacheSequence(
            "request.stale-if-error", "5861 §4", .expected, .get(.ok("Cache-Control: max-age=1")),
            .get(.status(503), ["Cache-Control": "stale-if-error=60"], after: 3, then: .response(1))),
    ]

    /// A response, and a request with directives three seconds later.
    private static func asked(
        _ id: String, _ kind: Kind, _ directives: String, _ fields: [String] = [], stale: Bool = false,
        then outcome: Outcome
    ) -> CacheSequence {
        let lifetime = "Cache-Control: max-age=\(stale ? 1 : 3600)"
        return CacheSequence(
            "request.\(id)", "9111 §5.2.1", kind, .get(Reply(fields: [lifetime] + fields)),
            .get(.ok(), ["Cache-Control": directives], after: 3, then: outcome))
    }
}
