extension CacheSequence {
    /// Requests for a part of the content (RFC 9111 §3.3 and §3.4, RFC 9110 §14).
    static let parts: [CacheSequence] = [
        CacheSequence(
            "part.of-complete", "9111 §3.4", .expected, .get(.ok("Cache-Control: max-age=3600", body: "01234567890")),
            .send("GET", .ok(), ["Range": "bytes=0-1"], after: 1, then: .cached.status(206).body("01"))),
        CacheSequence(
            "part.of-complete.no-end", "9110 §14.1.2", .expected,
            .get(.ok("Cache-Control: max-age=3600", body: "01234567890")),
            .send("GET", .ok(), ["Range": "bytes=1-"], after: 1, then: .cached.status(206).body("1234567890"))),
        CacheSequence(
            "part.of-complete.suffix", "9110 §14.1.2", .expected,
            .get(.ok("Cache-Control: max-age=3600", body: "01234567890")),
            .send("GET", .ok(), ["Range": "bytes=-1"], after: 1, then: .cached.status(206).body("0"))),
        CacheSequence(
            "part.of-complete.fields", "9110 §15.3.7", .expected,
            .get(.ok("Cache-Control: max-age=3600", "ETag: \"a\"", "X-A: 1", body: "01234567890")),
            .send(
                "GET", .ok(), ["Range": "bytes=2-3"], after: 1,
                then: .cached.has("Content-Range", "bytes 2-3/11").has("ETag", "\"a\"").has("X-A", "1"))),
        CacheSequence(
            "part.of-stale", "9111 §3.4", .required, .get(.ok("Cache-Control: max-age=1", body: "01234567890")),
            .send(
                "GET", .status(206, "Content-Range: bytes 0-1/11", body: "xy"), ["Range": "bytes=0-1"], after: 3,
                then: .asked.body("xy"))),
        CacheSequence(
            "part.if-range.same", "9110 §13.1.5", .expected,
            .get(.ok("Cache-Control: max-age=3600", "ETag: \"a\"", body: "01234567890")),
            .send("GET", .ok(), ["Range": "bytes=0-1", "If-Range": "\"a\""], after: 1, then: .cached.body("01"))),
        CacheSequence(
            "part.if-range.other", "9110 §13.1.5", .expected,
            .get(.ok("Cache-Control: max-age=3600", "ETag: \"a\"", body: "01234567890")),
            .send(
                "GET", .ok(body: "whole"), ["Range": "bytes=0-1", "If-Range": "\"b\""], after: 1,
                then: .asked.body("whole"))),
        CacheSequence(
            "part.outside", "9110 §14.1.1", .expected, .get(.ok("Cache-Control: max-age=3600", body: "01234567890")),
            .send("GET", .status(416), ["Range": "bytes=100-"], after: 1, then: .any.status(416))),
        CacheSequence(
            "part.unknown-unit", "9110 §14.2", .required, .get(.ok("Cache-Control: max-age=3600", body: "0123")),
            .send("GET", .ok(body: "0123"), ["Range": "foo=0-1"], after: 1, then: .any.status(200).body("0123"))),
        CacheSequence(
            "part.not-for-whole", "9111 §3.3", .required,
            .send(
                "GET", .status(206, "Cache-Control: max-age=3600", "Content-Range: bytes 0-1/11", body: "01"),
                ["Range": "bytes=0-1"]),
            .get(.ok(body: "01234567890"), after: 1, then: .asked.status(200).body("01234567890"))),
        CacheSequence(
            "part.unasked", "9111 §3.3", .required,
            .get(.status(206, "Cache-Control: max-age=3600", "Content-Range: bytes 0-1/11", body: "01")),
            .get(.ok(body: "01234567890"), after: 1, then: .asked.status(200).body("01234567890"))),
        CacheSequence(
            "part.of-other-part", "9111 §3.3", .required,
            .send(
                "GET", .status(206, "Cache-Control: max-age=3600", "Content-Range: bytes 0-1/11", body: "01"),
                ["Range": "bytes=0-1"]),
            .send(
                "GET", .status(206, "Content-Range: bytes 5-6/11", body: "56"), ["Range": "bytes=5-6"], after: 1,
                then: .asked.body("56"))),
        CacheSequence(
            "part.keeps-whole", "9111 §3.3", .required, .get(.ok("Cache-Control: max-age=3600", "ETag: \"a\"")),
            .send(
                "GET", .status(206, "Content-Range: bytes 0-1/11", "ETag: \"b\"", body: "01"),
                ["Range": "bytes=0-1", "Cache-Control": "no-cache"], after: 1, then: .asked),
            .get(after: 1, then: .any)),
        CacheSequence(
            "part.part-of-part", "9111 §3.3", .chosen,
            .send(
                "GET", .status(206, "Cache-Control: max-age=3600", "Content-Range: bytes 0-4/11", body: "01234"),
                ["Range": "bytes=0-4"]),
            .send(
                "GET", .status(206, "Content-Range: bytes 0-1/11", body: "01"), ["Range": "bytes=0-1"], after: 1,
                then: .any.status(206).body("01"))),
    ]
}
