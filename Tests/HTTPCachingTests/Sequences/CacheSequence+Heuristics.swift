extension CacheSequence {
    /// Lifetimes that the server does not state (RFC 9111 §4.2.2, RFC 9110 §15.1).
    static let heuristics: [CacheSequence] =
        allowing.map { heuristic($0, "9110 §15.1", .expected, .cached.status($0)) }
        + forbidding.map { heuristic($0, "9111 §4.2.2", .required, .asked) } + lifetimesWithoutStatement

    private static func heuristic(_ status: Int, _ section: String, _ kind: Kind, _ outcome: Outcome) -> CacheSequence {
        CacheSequence(
            "heuristic.\(status)", section, kind, .get(.status(status, "Last-Modified: {now-100000}")),
            .get(after: 3, then: outcome))
    }

    private static let allowing = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]
    private static let forbidding = [201, 202, 299, 302, 303, 307, 400, 403, 499, 500, 502, 503, 504, 599]

    private static let lifetimesWithoutStatement = [
        CacheSequence(
            "heuristic.599.public", "9111 §3", .expected,
            .get(.status(599, "Last-Modified: {now-100000}", "Cache-Control: public")), .get(after: 3, then: .cached)),
        CacheSequence(
            "heuristic.tenth", "9111 §4.2.2", .expected, .get(.ok("Last-Modified: {now-1000}")),
            .get(after: 98, then: .cached), .get(after: 4, then: .asked)),
        CacheSequence(
            "heuristic.day", "9111 §4.2.2", .chosen, .get(.ok("Last-Modified: {now-100000000}")),
            .get(after: 86_000, then: .cached), .get(after: 500, then: .asked)),
        CacheSequence(
            "heuristic.not-with-lifetime", "9111 §4.2.2", .required,
            .get(.ok("Last-Modified: {now-100000}", "Cache-Control: max-age=1")), .get(after: 3, then: .asked)),
        CacheSequence(
            "heuristic.not-with-expires", "9111 §4.2.2", .required,
            .get(.ok("Last-Modified: {now-100000}", "Expires: {now-1}")), .get(then: .asked)),
        CacheSequence(
            "heuristic.not-with-invalid-expires", "9111 §5.3", .required,
            .get(.ok("Last-Modified: {now-100000}", "Expires: 0")), .get(then: .asked)),
        CacheSequence(
            "heuristic.future", "9110 §8.8.2", .expected, .get(.ok("Last-Modified: {now+3600}")),
            .get(after: 1, then: .asked)),
        CacheSequence(
            "heuristic.query", "9111 §4.2.2", .expected, .get(.ok("Last-Modified: {now-100000}"), at: "?a=b"),
            .get(at: "?a=b", after: 3, then: .cached)),
        CacheSequence(
            "heuristic.attachment", "9111 §4.2.2", .expected,
            .get(.ok("Last-Modified: {now-100000}", "Content-Disposition: attachment")), .get(after: 3, then: .cached)),
    ]
}
