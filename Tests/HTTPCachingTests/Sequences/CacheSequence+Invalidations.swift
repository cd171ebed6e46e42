extension CacheSequence {
    /// The effect of unsafe requests on stored responses (RFC 9111 §4.4), and responses to other methods.
    static let invalidations: [CacheSequence] =
        methods.map(invalidating) + methods.map(failing) + methods.map(invalidatingLocation)
        + methods.map(invalidatingContentLocation) + methods.map(keepingOtherOrigin) + ["OPTIONS", "HEAD"].map(keeping)
        + particularMethods

    private static let methods = ["POST", "PUT", "DELETE", "PATCH", "FOO", "M-SEARCH"]

    private static func invalidating(_ method: String) -> CacheSequence {
        CacheSequence(
            "invalidate.\(method)", "9111 §4.4", .required, .get(lasting),
            .send(method, .ok(), after: 1, then: .asked), .get(after: 1, then: .asked.response(3)))
    }

    private static func failing(_ method: String) -> CacheSequence {
        CacheSequence(
            "invalidate.\(method).failed", "9111 §4.4", .expected, .get(lasting),
            .send(method, .status(500), after: 1, then: .asked), .get(after: 1, then: .cached.response(1)))
    }

    private static func invalidatingLocation(_ method: String) -> CacheSequence {
        CacheSequence(
            "invalidate.\(method).location", "9111 §4.4", .expected, .get(lasting, at: "/b"),
            .send(method, .ok("Location: /thing/b"), after: 1, then: .asked), .get(at: "/b", after: 1, then: .asked))
    }

    private static func invalidatingContentLocation(_ method: String) -> CacheSequence {
        CacheSequence(
            "invalidate.\(method).content-location", "9111 §4.4", .expected, .get(lasting, at: "/b"),
            .send(method, .ok("Content-Location: {origin}/thing/b"), after: 1, then: .asked),
            .get(at: "/b", after: 1, then: .asked))
    }

    private static func keepingOtherOrigin(_ method: String) -> CacheSequence {
        CacheSequence(
            "invalidate.\(method).other-origin", "9111 §4.4", .required, .get(lasting, at: "/b"),
            .send(method, .ok("Content-Location: http://other.test/thing/b"), after: 1, then: .asked),
            .get(at: "/b", after: 1, then: .cached))
    }

    private static func keeping(_ method: String) -> CacheSequence {
        CacheSequence(
            "invalidate.\(method).not", "9110 §9.2.1", .expected, .get(lasting),
            .send(method, .ok("Content-Length: 10"), after: 1, then: .asked), .get(after: 1, then: .cached.response(1)))
    }

    private static let particularMethods = [
        CacheSequence(
            "invalidate.other-port", "9111 §4.4", .required, .get(lasting, at: "/b"),
            .send("POST", .ok("Location: http://127.0.0.1:1/thing/b"), after: 1, then: .asked),
            .get(at: "/b", after: 1, then: .cached)),
        CacheSequence(
            "invalidate.query", "9111 §4.4", .chosen, .get(lasting, at: "?a=1"), .send("POST", .ok(), after: 1),
            .get(at: "?a=1", after: 1, then: .cached)),
        CacheSequence(
            "invalidate.relative-location", "9111 §4.4", .expected, .get(lasting, at: "/b"),
            .send("POST", .status(201, "Location: b"), at: "/", after: 1), .get(at: "/b", after: 1, then: .asked)),
        CacheSequence(
            "invalidate.error-too", "9111 §4.4", .required, .get(.status(404, "Cache-Control: max-age=3600")),
            .send("PUT", .status(201), after: 1, then: .asked), .get(after: 1, then: .asked.response(3))),
        CacheSequence(
            "invalidate.swr", "9111 §4.4", .required, .get(.ok("Cache-Control: max-age=1, stale-while-revalidate=60")),
            .send("POST", .ok(), after: 3), .get(after: 1, then: .asked.response(3))),
        CacheSequence(
            "invalidate.close", "9111 §4.4", .required, .get(lasting), .send("POST", .ok(), after: 1),
            .get(.closes, after: 1, then: .any.status(0))),
        CacheSequence(
            "invalidate.max-stale", "9111 §4.4", .required, .get(lasting), .send("POST", .ok(), after: 1),
            .get(.ok(), ["Cache-Control": "max-stale"], after: 1, then: .asked.response(3))),
        CacheSequence(
            "invalidate.redirect", "9111 §4.4", .required, .get(lasting),
            .send("POST", .status(303, "X-A: 1"), after: 1, then: .asked), .get(after: 1, then: .asked)),
        CacheSequence(
            "invalidate.404", "9111 §4.4", .expected, .get(lasting),
            .send("DELETE", .status(404), after: 1, then: .asked), .get(after: 1, then: .cached)),
        CacheSequence(
            "invalidate.stale-if-error", "9111 §4.4", .required,
            .get(.ok("Cache-Control: max-age=3600, stale-if-error=3600")), .send("POST", .ok(), after: 1, then: .asked),
            .get(.status(503), after: 1, then: .asked.status(503))),
        CacheSequence(
            "invalidate.confirmed", "9111 §4.4", .expected, .get(.ok("Cache-Control: max-age=3600", "ETag: \"a\"")),
            .send("POST", .ok(), after: 1),
            .get(.confirms("Cache-Control: max-age=3600", "ETag: \"a\""), after: 1, then: .asked),
            .get(after: 1, then: .cached)),
        CacheSequence(
            "invalidate.clear-site-data", "9111 §4.4", .expected, .get(lasting),
            .get(.ok("Clear-Site-Data: \"cache\""), at: "/b", after: 1), .get(after: 1, then: .asked)),
        CacheSequence(
            "method.POST.not-reused", "9110 §9.3.3", .required,
            .send("POST", .ok("Cache-Control: max-age=3600")), .send("POST", .ok(), after: 1, then: .asked.response(2))),
        CacheSequence(
            "method.POST.not-for-get", "9110 §9.3.3", .required,
            .send("POST", .ok("Cache-Control: max-age=3600")), .get(after: 1, then: .asked.response(2))),
        CacheSequence(
            "method.PUT.not-for-get", "9110 §9.3.4", .required,
            .send("PUT", .ok("Cache-Control: max-age=3600")), .get(after: 1, then: .asked.response(2))),
        CacheSequence(
            "method.DELETE.not-for-get", "9110 §9.3.5", .required,
            .send("DELETE", .ok("Cache-Control: max-age=3600")), .get(after: 1, then: .asked.response(2))),
        CacheSequence(
            "method.OPTIONS.not-for-get", "9110 §9.3.7", .required,
            .send("OPTIONS", .ok("Cache-Control: max-age=3600")), .get(after: 1, then: .asked.response(2))),
        CacheSequence(
            "method.FOO.not-for-get", "9111 §3", .required,
            .send("FOO", .ok("Cache-Control: max-age=3600")), .get(after: 1, then: .asked.response(2))),
        CacheSequence(
            "method.POST.content-location", "9110 §9.3.3", .chosen,
            .send("POST", .ok("Cache-Control: max-age=3600", "Content-Location: {origin}/thing")),
            .get(after: 1, then: .asked)),
    ]

    private static let lasting = Reply.ok("Cache-Control: max-age=3600")
}
