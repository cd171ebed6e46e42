extension CacheSequence {
    /// The directives of responses (RFC 9111 §5.2.2, RFC 8246).
    static let directives: [CacheSequence] = [
        second("no-store", "9111 §5.2.2.5", .required, "Cache-Control: no-store", then: .asked.response(2)),
        second("no-store.lifetime", "9111 §5.2.2.5", .required, "Cache-Control: max-age=3600, no-store", then: .asked),
        second(
            "no-store.expires", "9111 §5.2.2.5", .required, "Cache-Control: no-store", "Expires: {now+3600}",
            then: .asked),
        second("no-store.case", "9111 §5.2", .required, "Cache-Control: No-StOrE, max-age=3600", then: .asked),
        second(
            "no-store.argument", "9111 §5.2.2.5", .chosen, "Cache-Control: no-store=\"x\", max-age=3600", then: .asked),
        second("no-cache", "9111 §5.2.2.4", .required, "Cache-Control: no-cache", then: .asked.response(2)),
        second("no-cache.lifetime", "9111 §5.2.2.4", .required, "Cache-Control: max-age=3600, no-cache", then: .asked),
        second(
            "no-cache.expires", "9111 §5.2.2.4", .required, "Cache-Control: no-cache", "Expires: {now+3600}",
            then: .asked),
        second("no-cache.case", "9111 §5.2", .required, "Cache-Control: No-CaChE, max-age=3600", then: .asked),
        second(
            "no-cache.etag", "9111 §5.2.2.4", .expected, "Cache-Control: no-cache", "ETag: \"a\"",
            then: .asked(with: "If-None-Match", "\"a\"")),
        second(
            "no-cache.last-modified", "9111 §5.2.2.4", .expected, "Cache-Control: no-cache, max-age=3600",
            "Last-Modified: {now-3600}", then: .asked(with: "If-Modified-Since")),
        second(
            "no-cache.field", "9111 §5.2.2.4", .required, "Cache-Control: max-age=3600, no-cache=\"x-a\"", "X-A: 1",
            "X-B: 2", then: .any.lacks("X-A")),
        second(
            "no-cache.field.others", "9111 §5.2.2.4", .expected, "Cache-Control: max-age=3600, no-cache=\"x-a\"",
            "X-A: 1", "X-B: 2", then: .cached.has("X-B", "2")),
        second(
            "private.field", "9111 §5.2.2.7", .expected, "Cache-Control: max-age=3600, private=\"x-a\"", "X-A: 1",
            then: .cached),
        second("public", "9111 §5.2.2.9", .expected, "Cache-Control: public, max-age=3600", then: .cached),
        second(
            "must-revalidate.fresh", "9111 §5.2.2.2", .expected, "Cache-Control: max-age=3600, must-revalidate",
            then: .cached),
        second(
            "must-revalidate.stale", "9111 §5.2.2.2", .required, "Cache-Control: max-age=1, must-revalidate",
            then: .asked),
        second(
            "proxy-revalidate.fresh", "9111 §5.2.2.8", .expected, "Cache-Control: max-age=3600, proxy-revalidate",
            then: .cached),
        second("no-transform", "9111 §5.2.2.6", .expected, "Cache-Control: max-age=3600, no-transform", then: .cached),
        second(
            "must-understand", "9111 §5.2.2.3", .expected, "Cache-Control: max-age=3600, must-understand, no-store",
            then: .cached),
        CacheSequence(
            "directive.must-understand.unknown", "9111 §5.2.2.3", .required,
            .get(.status(299, "Cache-Control: max-age=3600, must-understand, no-store")), .get(after: 1, then: .asked)),
        CacheSequence(
            "directive.must-understand.unknown.alone", "9111 §5.2.2.3", .required,
            .get(.status(299, "Cache-Control: max-age=3600, must-understand")), .get(after: 1, then: .asked)),
        second("immutable.fresh", "8246 §2", .expected, "Cache-Control: max-age=3600, immutable", then: .cached),
        second("immutable.stale", "8246 §2", .required, "Cache-Control: max-age=1, immutable", then: .asked),
        CacheSequence(
            "directive.immutable.reload", "8246 §2", .expected, .get(.ok("Cache-Control: max-age=3600, immutable")),
            .get(.ok(), ["Cache-Control": "max-age=0"], after: 3, then: .cached)),
        CacheSequence(
            "directive.no-store.then-others", "9111 §5.2.2.5", .required,
            .get(.ok("Cache-Control: max-age=1", "ETag: \"a\"")),
            .get(.ok("Cache-Control: no-store", "ETag: \"b\""), after: 3, then: .asked.response(2)),
            .get(after: 1, then: .asked.response(3))),
        CacheSequence(
            "directive.no-store.stale-if-error", "9111 §5.2.2.5", .required,
            .get(.ok("Cache-Control: no-store, stale-if-error=3600")),
            .get(.status(503), after: 1, then: .asked.status(503))),
        second(
            "pragma.no-cache", "9111 §5.4", .chosen, "Cache-Control: max-age=3600", "Pragma: no-cache", then: .cached),
        second(
            "pragma.no-cache.expires", "9111 §5.4", .chosen, "Expires: {now+3600}", "Pragma: no-cache", then: .cached),
        second("pragma.other", "9111 §5.4", .expected, "Cache-Control: max-age=3600", "Pragma: foo", then: .cached),
        CacheSequence(
            "pragma.heuristic", "9111 §5.4", .chosen, .get(.ok("Last-Modified: {now-100000}", "Pragma: no-cache")),
            .get(after: 3, then: .cached)),
    ]

    /// A response with these fields, and the outcome of the same request three seconds later.
    static func second(
        _ id: String, _ section: String, _ kind: Kind, _ fields: String..., after pause: Double = 3,
        then outcome: Outcome
    ) -> CacheSequence {
        let prefix = id.hasPrefix("pragma") ? "" : "directive."
        return CacheSequence(
            "\(prefix)\(id)", section, kind, .get(Reply(fields: fields)), .get(after: pause, then: outcome))
    }
}
