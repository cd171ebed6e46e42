extension CacheSequence {
    /// Fields and responses that no correct server sends.
    static let badInput: [CacheSequence] = [
        CacheSequence(
            "bad.long-directive", "9111 §5.2.3", .expected,
            .get(.ok("Cache-Control: foo=\"\(String(repeating: "x", count: 60_000))\", max-age=3600")),
            .get(after: 3, then: .cached)),
        CacheSequence(
            "bad.many-directives", "9111 §5.2.3", .required,
            .get(.ok("Cache-Control: \(String(repeating: "x,", count: 30_000)) no-store, max-age=3600")),
            .get(after: 3, then: .asked)),
        CacheSequence(
            "bad.long-vary", "9111 §4.1", .required,
            .get(.ok("Cache-Control: max-age=3600", "Vary: \((0..<10_000).map { "f\($0)" }.joined(separator: ","))")),
            .get(.ok(), ["F9999": "1"], after: 3, then: .asked)),
        CacheSequence(
            "bad.vary-text", "9111 §4.1", .chosen, .get(.ok("Cache-Control: max-age=3600", "Vary: a b")),
            .get(after: 3, then: .asked)),
        CacheSequence(
            "bad.open-quote", "9111 §4.2.1", .required, .get(.ok("Cache-Control: foo=\"max-age=3600, no-store")),
            .get(after: 31, then: .asked)),
        CacheSequence(
            "bad.304-first", "9110 §15.4.5", .required, .get(.status(304, "Cache-Control: max-age=3600"), then: .asked),
            .get(after: 1, then: .asked.status(200))),
        CacheSequence(
            "bad.304-for-none", "9111 §4.3.4", .chosen, .get(.ok("Cache-Control: max-age=1", "X-A: 1")),
            .get(.status(304, "Cache-Control: max-age=60", "X-A: 2"), after: 3, then: .asked.response(1))),
        CacheSequence(
            "bad.304-always", "9111 §4.3.4", .required, .get(.ok("Cache-Control: max-age=1", "ETag: \"a\"")),
            .get(.status(304, "ETag: \"b\""), after: 3, then: .asked), .get(after: 3, then: .asked)),
        CacheSequence(
            "bad.age-and-date", "9111 §4.2.3", .required,
            .get(.ok("Cache-Control: max-age=3600", "Age: -1", "Date: {now-7200}")), .get(after: 3, then: .asked)),
        CacheSequence(
            "bad.conflict", "9111 §4.2.1", .required,
            .get(.ok("Cache-Control: public, private, no-store, max-age=3600")),
            .get(after: 3, then: .asked)),
        CacheSequence(
            "bad.empty-cache-control", "9111 §5.2", .chosen, .get(.ok("Cache-Control:")), .get(after: 3, then: .cached)),
        CacheSequence(
            "bad.empty-etag", "9110 §8.8.3", .chosen, .get(.ok("Cache-Control: max-age=1", "ETag:")),
            .get(after: 3, then: .asked.response(2))),
        CacheSequence(
            "bad.last-modified", "9110 §8.8.2", .chosen, .get(.ok("Cache-Control: max-age=1", "Last-Modified: foo")),
            .get(after: 3, then: .asked.response(2))),
        CacheSequence(
            "bad.status-700", "9110 §15", .required, .get(.status(700, "Cache-Control: max-age=3600")),
            .get(after: 3, then: .asked)),
    ]

    /// Wall clocks that are set forward or back (RFC 9111 §4.2.3).
    static let clocks: [CacheSequence] = [
        CacheSequence(
            "clock.back", "9111 §4.2.3", .required, .get(.ok("Cache-Control: max-age=10")),
            .get(after: 20, wallShift: -15, then: .asked)),
        CacheSequence(
            "clock.back.years", "9111 §4.2.3", .required, .get(.ok("Cache-Control: max-age=10")),
            .get(after: 20, wallShift: -100_000_000, then: .asked)),
        CacheSequence(
            "clock.back.heuristic", "9111 §4.2.3", .required, .get(.ok("Last-Modified: {now-100}")),
            .get(after: 20, wallShift: -100_000_000, then: .asked)),
        CacheSequence(
            "clock.back.swr", "5861 §3", .required, .get(.ok("Cache-Control: max-age=10, stale-while-revalidate=20")),
            .get(after: 60, wallShift: -50, then: .asked.response(2))),
        CacheSequence(
            "clock.forward", "9111 §4.2.3", .required, .get(.ok("Cache-Control: max-age=10")),
            .get(after: 20, wallShift: 100_000_000, then: .asked)),
        CacheSequence(
            "clock.forward.then-back", "9111 §4.2.3", .required, .get(.ok("Cache-Control: max-age=10")),
            .get(after: 5, wallShift: 100_000_000), .get(after: 16, wallShift: -100_000_000, then: .asked)),
    ]
}
