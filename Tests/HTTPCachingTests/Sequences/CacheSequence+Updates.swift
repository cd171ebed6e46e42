extension CacheSequence {
    /// The update of stored header fields by a 304 (RFC 9111 §3.2 and §4.3.4) or by the response to a HEAD (§4.3.5).
    static let updates: [CacheSequence] =
        replaced.map { replacing($0, "etag", "ETag: \"a\"") }
        + replaced.map { replacing($0, "date", "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT") }
        + keeping + omitted.map(omitting) + others304 + heads

    private static func replacing(_ name: String, _ kind: String, _ validator: String) -> CacheSequence {
        CacheSequence(
            "update.\(kind).\(name)", "9111 §3.2", .required,
            .get(.ok("Cache-Control: max-age=1", validator, "\(name): old")),
            .get(
                .confirms("Cache-Control: max-age=3600", validator, "\(name): new"), after: 3,
                then: .asked.response(1).has(name, "new")),
            .get(after: 3, then: .cached.response(1).has(name, "new")))
    }

    private static let keeping = [
        keeping("Content-Length: 5", .required, .cached.has("Content-Length", "10")),
        keeping("Content-Encoding: foo", .chosen, .cached.lacks("Content-Encoding")),
        keeping("Content-Range: bytes 0-1/9", .chosen, .cached.lacks("Content-Range")),
        keeping("Content-MD5: x", .chosen, .cached.lacks("Content-MD5")),
        keeping("Repr-Digest: x", .chosen, .cached.lacks("Repr-Digest")),
        CacheSequence(
            "update.Content-Type.kept", "9111 §3.2", .chosen,
            .get(.ok("Cache-Control: max-age=1", "ETag: \"a\"", "Content-Type: text/plain")),
            .get(
                .confirms("Cache-Control: max-age=3600", "ETag: \"a\"", "Content-Type: text/html"), after: 3,
                then: .asked.response(1)),
            .get(after: 3, then: .cached.has("Content-Type", "text/plain"))),
    ]

    private static func keeping(_ line: String, _ kind: Kind, _ outcome: Outcome) -> CacheSequence {
        CacheSequence(
            "update.\(name(line)).kept", "9111 §3.2", kind, .get(.ok("Cache-Control: max-age=1", "ETag: \"a\"")),
            .get(
                .confirms("Cache-Control: max-age=3600", "ETag: \"a\"", line), after: 3, then: .asked.response(1)),
            .get(after: 3, then: outcome))
    }

    private static let omitted = ["Keep-Alive: timeout=9", "Proxy-Authenticate: x", "Upgrade: x/1"]

    private static func omitting(_ line: String) -> CacheSequence {
        CacheSequence(
            "update.\(name(line)).omitted", "9111 §3.2", .required,
            .get(.ok("Cache-Control: max-age=1", "ETag: \"a\"")),
            .get(
                .confirms("Cache-Control: max-age=3600", "ETag: \"a\"", line), after: 3, then: .asked.response(1)),
            .get(after: 3, then: .cached.lacks(name(line))))
    }

    private static let replaced = [
        "X-Test", "Test-Header", "Content-Location", "Content-Language", "Content-Security-Policy", "Link", "Server",
        "X-Frame-Options", "X-XSS-Protection", "Set-Cookie", "Warning", "Retry-After", "Content-Foo", "Location",
        "Access-Control-Allow-Origin", "Strict-Transport-Security", "Pragma", "WWW-Authenticate",
        "Content-Disposition", "Clear-Site-Data", "Allow", "Via", "Alt-Svc",
        "Public-Key-Pins",
    ]

    private static let others304 = [
        CacheSequence(
            "update.header.Expires", "9111 §3.2", .required,
            .get(.ok("Cache-Control: max-age=1", "ETag: \"a\"", "Expires: Sun, 06 Nov 1994 08:49:37 GMT")),
            .get(
                .confirms("ETag: \"a\"", "Expires: Sun, 06 Nov 2094 08:49:37 GMT"), after: 3,
                then: .asked.response(1).has("Expires", "Sun, 06 Nov 2094 08:49:37 GMT"))),
        CacheSequence(
            "update.header.Cache-Control", "9111 §3.2", .required,
            .get(.ok("Cache-Control: max-age=1", "ETag: \"a\"")),
            .get(
                .confirms("ETag: \"a\"", "Cache-Control: max-age=77"), after: 3,
                then: .asked.response(1).has("Cache-Control", "max-age=77")),
            .get(after: 3, then: .cached.has("Cache-Control", "max-age=77"))),
        CacheSequence(
            "update.header.Date", "9111 §3.2", .required,
            .get(.ok("Cache-Control: max-age=1", "ETag: \"a\"", "Date: Sun, 06 Nov 1994 08:49:37 GMT")),
            .get(
                .confirms("ETag: \"a\"", "Date: Sun, 06 Nov 2094 08:49:37 GMT"), after: 3,
                then: .asked.response(1).has("Date", "Sun, 06 Nov 2094 08:49:37 GMT"))),
        CacheSequence(
            "update.header.Vary", "9111 §4.1", .required,
            .get(.ok("Cache-Control: max-age=1", "ETag: \"a\""), ["Foo": "1"]),
            .get(
                .confirms("ETag: \"a\"", "Vary: Foo", "Cache-Control: max-age=60"), ["Foo": "1"], after: 3,
                then: .asked.response(1)),
            .get(.ok(), ["Foo": "2"], after: 3, then: .asked)),
        CacheSequence(
            "update.header.Vary.same-request", "9111 §4.1", .expected,
            .get(.ok("Cache-Control: max-age=1", "ETag: \"a\""), ["Foo": "0"]),
            .get(
                .confirms("ETag: \"a\"", "Vary: Foo", "Cache-Control: max-age=60"), ["Foo": "1"], after: 3,
                then: .asked.response(1)),
            .get(.ok(), ["Foo": "1"], after: 3, then: .cached.response(1)),
            .get(.ok(), ["Foo": "0"], after: 3, then: .asked)),
        CacheSequence(
            "update.header.Vary.longer", "9111 §4.1", .required,
            .get(.ok("Cache-Control: max-age=1", "ETag: \"a\"", "Vary: Foo"), ["Foo": "1", "Bar": "1"]),
            .get(
                .confirms("ETag: \"a\"", "Vary: Foo, Bar", "Cache-Control: max-age=60"), ["Foo": "1", "Bar": "1"],
                after: 3, then: .asked.response(1)),
            .get(.ok(), ["Foo": "1", "Bar": "2"], after: 3, then: .asked)),
        CacheSequence(
            "update.header.Vary.any", "9111 §4.1", .required,
            .get(.ok("Cache-Control: max-age=1", "ETag: \"a\"")),
            .get(
                .confirms("ETag: \"a\"", "Vary: *", "Cache-Control: max-age=60"), after: 3, then: .asked.response(1)),
            .get(.ok(), after: 3, then: .asked)),
        CacheSequence(
            "update.header.removed-by-connection", "9111 §3.2", .required,
            .get(.ok("Cache-Control: max-age=1", "ETag: \"a\"", "X-A: old")),
            .get(
                .confirms("ETag: \"a\"", "Cache-Control: max-age=60", "Connection: X-A", "X-A: new"), after: 3,
                then: .asked.response(1)),
            .get(after: 3, then: .cached.has("X-A", "old"))),
        CacheSequence(
            "update.date-differs", "9111 §4.3.4", .required,
            .get(.ok("Cache-Control: max-age=1", "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT", "X-A: 1")),
            .get(.confirms("Last-Modified: Sun, 06 Nov 2004 08:49:37 GMT", "X-A: 2"), after: 3, then: .response(2))),
        CacheSequence(
            "update.others-stay", "9111 §3.2", .required,
            .get(.ok("Cache-Control: max-age=1", "ETag: \"a\"", "X-A: 1", "X-B: 1")),
            .get(.confirms("ETag: \"a\"", "X-B: 2"), after: 3, then: .asked.has("X-A", "1").has("X-B", "2"))),
        CacheSequence(
            "update.lifetime", "9111 §4.3.4", .required, .get(.ok("Cache-Control: max-age=1", "ETag: \"a\"")),
            .get(.confirms("Cache-Control: max-age=100", "ETag: \"a\""), after: 3, then: .asked),
            .get(after: 90, then: .cached.response(1)), .get(after: 20, then: .asked)),
        CacheSequence(
            "update.shorter-lifetime", "9111 §4.3.4", .required, .get(.ok("Cache-Control: max-age=10", "ETag: \"a\"")),
            .get(.confirms("Cache-Control: max-age=1", "ETag: \"a\""), after: 11, then: .asked),
            .get(after: 3, then: .asked)),
        CacheSequence(
            "update.expires", "9111 §4.3.4", .required, .get(.ok("Expires: {now+1}", "ETag: \"a\"")),
            .get(.confirms("Expires: {now+100}", "ETag: \"a\""), after: 3, then: .asked),
            .get(after: 50, then: .cached.response(1)),
            .get(after: 60, then: .asked)),
        CacheSequence(
            "update.no-lifetime-in-304", "9111 §4.3.4", .expected,
            .get(.ok("Cache-Control: max-age=10", "ETag: \"a\"")),
            .get(.confirms("ETag: \"a\""), after: 11, then: .asked), .get(after: 5, then: .cached.response(1))),
        CacheSequence(
            "update.date-of-304", "9111 §4.3.4", .expected, .get(.ok("Cache-Control: max-age=10", "ETag: \"a\"")),
            .get(.confirms("ETag: \"a\"", "Date: {now}"), after: 11, then: .asked),
            .get(after: 5, then: .cached.response(1))),
        CacheSequence(
            "update.date-missing-in-304", "9110 §6.6.1", .required,
            .get(.ok("Cache-Control: max-age=10", "ETag: \"a\"")),
            .get(.confirms("ETag: \"a\"", "Date:"), after: 11, then: .asked.response(1)),
            .get(after: 5, then: .cached.response(1))),
        CacheSequence(
            "update.to-no-store", "9111 §5.2.2.5", .required, .get(.ok("Cache-Control: max-age=1", "ETag: \"a\"")),
            .get(.confirms("Cache-Control: no-store", "ETag: \"a\""), after: 3, then: .asked.response(1)),
            .get(after: 1, then: .asked)),
        CacheSequence(
            "update.to-no-cache", "9111 §5.2.2.4", .required, .get(.ok("Cache-Control: max-age=1", "ETag: \"a\"")),
            .get(.confirms("Cache-Control: no-cache", "ETag: \"a\""), after: 3, then: .asked.response(1)),
            .get(after: 1, then: .asked)),
        CacheSequence(
            "update.other-etag", "9111 §4.3.4", .required,
            .get(.ok("Cache-Control: max-age=1", "ETag: \"a\"", "X-A: 1")),
            .get(.confirms("ETag: \"b\"", "X-A: 2", "Cache-Control: max-age=3600"), after: 3, then: .response(2))),
        CacheSequence(
            "update.weak-etag", "9111 §4.3.4", .expected,
            .get(.ok("Cache-Control: max-age=1", "ETag: W/\"a\"", "X-A: 1")),
            .get(.confirms("ETag: W/\"a\"", "X-A: 2"), after: 3, then: .asked.response(1).has("X-A", "2"))),
        CacheSequence(
            "update.without-etag-in-304", "9111 §4.3.4", .expected,
            .get(.ok("Cache-Control: max-age=1", "ETag: \"a\"", "X-A: 1")),
            .get(.confirms("X-A: 2"), after: 3, then: .asked.response(1).has("X-A", "2"))),
        CacheSequence(
            "update.age-removed", "9111 §4.3.4", .chosen,
            .get(.ok("Cache-Control: max-age=10", "ETag: \"a\"", "Age: 8")),
            .get(.confirms("ETag: \"a\""), after: 11, then: .asked.response(1)),
            .get(after: 5, then: .cached.response(1))),
    ]

    private static let heads = [
        CacheSequence(
            "head.update", "9111 §4.3.5", .expected,
            .get(.ok("Cache-Control: max-age=3600", "ETag: \"a\"", "X-A: 1")),
            .send(
                "HEAD", .ok("Cache-Control: max-age=3600", "ETag: \"a\"", "X-A: 2", "Content-Length: 10"), after: 1,
                then: .asked),
            .get(after: 1, then: .cached.response(1).has("X-A", "2"))),
        CacheSequence(
            "head.lifetime", "9111 §4.3.5", .expected,
            .get(.ok("Cache-Control: max-age=1", "ETag: \"a\"")),
            .send(
                "HEAD", .ok("Cache-Control: max-age=3600", "ETag: \"a\"", "Content-Length: 10"), after: 3, then: .asked),
            .get(after: 1, then: .cached.response(1))),
        CacheSequence(
            "head.shorter-lifetime", "9111 §4.3.5", .expected,
            .get(.ok("Cache-Control: max-age=3600", "ETag: \"a\"")),
            .send("HEAD", .ok("Cache-Control: max-age=1", "ETag: \"a\"", "Content-Length: 10"), after: 3, then: .asked),
            .get(after: 3, then: .asked)),
        CacheSequence(
            "head.other-etag", "9111 §4.3.5", .expected,
            .get(.ok("Cache-Control: max-age=3600", "ETag: \"a\"")),
            .send(
                "HEAD", .ok("Cache-Control: max-age=3600", "ETag: \"b\"", "Content-Length: 10"), after: 1, then: .asked),
            .get(after: 1, then: .asked.response(3))),
        CacheSequence(
            "head.other-length", "9111 §4.3.5", .expected,
            .get(.ok("Cache-Control: max-age=3600")),
            .send("HEAD", .ok("Cache-Control: max-age=3600", "Content-Length: 999"), after: 1, then: .asked),
            .get(after: 1, then: .asked.response(3))),
        CacheSequence(
            "head.410", "9111 §4.3.5", .chosen, .get(.ok("Cache-Control: max-age=3600")),
            .send("HEAD", .status(410, "Cache-Control: max-age=3600"), after: 1, then: .asked),
            .get(after: 1, then: .any)),
        CacheSequence(
            "head.content", "9111 §4", .required,
            .send("HEAD", .ok("Cache-Control: max-age=3600", "Content-Length: 10"), then: .asked),
            .get(after: 1, then: .asked.response(2))),
        CacheSequence(
            "head.write-through", "9111 §4", .required, .get(.ok("Cache-Control: max-age=1")),
            .send("HEAD", .ok("Cache-Control: max-age=1"), after: 3, then: .asked)),
        CacheSequence(
            "head.from-get", "9110 §9.3.2", .chosen, .get(.ok("Cache-Control: max-age=3600")),
            .send("HEAD", .ok(), after: 3, then: .any.status(200))),
    ]
}
