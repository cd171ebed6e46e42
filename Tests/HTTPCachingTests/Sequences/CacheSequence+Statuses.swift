extension CacheSequence {
    /// Responses of all statuses with a lifetime (RFC 9111 §3 and §4).
    static let statuses: [CacheSequence] =
        reusable.map(fresh) + reusable.map(stale) + unstorable.map(unstored) + particular

    private static let particular = [
        CacheSequence(
            "status.404.no-store", "9111 §5.2.2.5", .required,
            .get(.status(404, "Cache-Control: max-age=3600, no-store")), .get(after: 3, then: .asked.response(2))),
        CacheSequence(
            "status.404.no-cache", "9111 §5.2.2.4", .required,
            .get(.status(404, "Cache-Control: no-cache")), .get(after: 3, then: .asked.response(2))),
        CacheSequence(
            "status.404.vary", "9111 §4.1", .required,
            .get(.status(404, "Cache-Control: max-age=3600", "Vary: Foo"), ["Foo": "1"]),
            .get(.ok(), ["Foo": "2"], after: 3, then: .asked.response(2))),
        CacheSequence(
            "status.404.after-200", "9111 §4", .required,
            .get(.ok("Cache-Control: max-age=2")),
            .get(.status(404, "Cache-Control: max-age=3600"), after: 3, then: .asked.status(404)),
            .get(after: 3, then: .any.status(404))),
        CacheSequence(
            "status.404.condition", "9111 §4.3.1", .chosen,
            .get(.status(404, "Cache-Control: max-age=1", "ETag: \"a\"")),
            .get(.ok(body: "found"), after: 3, then: .asked.status(200).body("found"))),
    ]

    private static func fresh(_ status: Int) -> CacheSequence {
        CacheSequence(
            "status.\(status).fresh", "9111 §4.2", .expected,
            .get(.status(status, "Cache-Control: max-age=3600", "X-Test: 1")),
            .get(
                after: 3,
                then: .cached.status(status).has("X-Test", "1").body(status == 204 ? "" : "response 1")))
    }

    private static func stale(_ status: Int) -> CacheSequence {
        CacheSequence(
            "status.\(status).stale", "9111 §4.2", .required, .get(.status(status, "Cache-Control: max-age=2")),
            .get(after: 3, then: .asked.response(2)))
    }

    private static func unstored(_ status: Int) -> CacheSequence {
        CacheSequence(
            "status.\(status).not-stored", "6585 §3", .required,
            .get(.status(status, "Cache-Control: max-age=3600")), .get(after: 3, then: .asked.response(2)))
    }

    private static let unstorable = [428, 429, 431, 511]

    private static let reusable = [
        200, 203, 204, 299, 301, 302, 303, 307, 308, 400, 404, 410, 451, 499, 500, 502, 503, 504, 599,
    ]
}
