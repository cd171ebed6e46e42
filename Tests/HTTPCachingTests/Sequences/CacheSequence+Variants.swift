extension CacheSequence {
    /// The selection of responses by `Vary` (RFC 9111 §4.1).
    static let variants: [CacheSequence] = [
        varying("match", .expected, "Foo", ["Foo": "1"], ["Foo": "1"], .cached),
        varying("no-match", .required, "Foo", ["Foo": "1"], ["Foo": "2"], .asked.response(2)),
        varying("missing-in-second", .required, "Foo", ["Foo": "1"], [:], .asked),
        varying("missing-in-first", .required, "Foo", [:], ["Foo": "1"], .asked),
        varying("missing-in-both", .expected, "Foo", [:], ["Bar": "1"], .cached),
        varying("empty-is-not-missing", .chosen, "Foo", ["Foo": "1"], ["Foo": ""], .asked),
        varying("star", .required, "*", ["Foo": "1"], ["Foo": "1"], .asked),
        varying("star.first", .required, "*, Foo", ["Foo": "1"], ["Foo": "1"], .asked),
        varying("star.last", .required, "Foo, *", ["Foo": "1"], ["Foo": "1"], .asked),
        varying("star.twice", .required, "*, *", ["Foo": "1"], ["Foo": "1"], .asked),
        varying("star.after-empty", .required, ", *", ["Foo": "1"], ["Foo": "1"], .asked),
        varying("star.in-name", .chosen, "Foo*", ["Foo": "1"], ["Foo": "1"], .cached),
        varying("names.case", .expected, "fOO", ["Foo": "1"], ["Foo": "1"], .cached),
        varying("names.case.no-match", .required, "fOO", ["Foo": "1"], ["Foo": "2"], .asked),
        varying("two.match", .expected, "Foo, Bar", ["Foo": "1", "Bar": "a"], ["Foo": "1", "Bar": "a"], .cached),
        varying("two.no-match", .required, "Foo, Bar", ["Foo": "1", "Bar": "a"], ["Foo": "1", "Bar": "b"], .asked),
        varying(
            "three.match", .expected, "Foo, Bar, Baz", ["Foo": "1", "Bar": "a", "Baz": "x"],
            ["Foo": "1", "Bar": "a", "Baz": "x"], .cached),
        varying(
            "three.no-match", .required, "Foo, Bar, Baz", ["Foo": "1", "Bar": "a", "Baz": "x"],
            ["Foo": "1", "Bar": "a", "Baz": "y"], .asked),
        varying(
            "three.missing", .required, "Foo, Bar, Baz", ["Foo": "1", "Bar": "a", "Baz": "x"],
            ["Foo": "1", "Bar": "a"],
            .asked),
        varying("other-field", .expected, "Foo", ["Foo": "1", "Other": "2"], ["Foo": "1", "Other": "3"], .cached),
        varying("values.spaces", .expected, "Foo", ["Foo": "1,2"], ["Foo": "1, 2"], .cached),
        varying("values.case", .required, "Foo", ["Foo": "a"], ["Foo": "A"], .asked),
        varying(
            "language.spaces", .expected, "Accept-Language", ["Accept-Language": "en,de"],
            ["Accept-Language": "en,  de"], .cached),
        varying(
            "language.case", .expected, "Accept-Language", ["Accept-Language": "en, de"], ["Accept-Language": "eN, De"],
            .cached),
        varying(
            "language.order", .chosen, "Accept-Language", ["Accept-Language": "en, de"], ["Accept-Language": "de, en"],
            .asked),
        varying(
            "language.other", .required, "Accept-Language", ["Accept-Language": "en"], ["Accept-Language": "de"], .asked
        ),
        CacheSequence(
            "vary.two-fields", "9110 §5.3", .required,
            .get(.ok("Cache-Control: max-age=3600", "Vary: Foo", "Vary: Bar"), ["Foo": "1", "Bar": "a"]),
            .get(.ok(), ["Foo": "1", "Bar": "b"], after: 1, then: .asked)),
        CacheSequence(
            "vary.two-fields.star", "9110 §5.3", .required,
            .get(.ok("Cache-Control: max-age=3600", "Vary: Foo", "Vary: *"), ["Foo": "1"]),
            .get(.ok(), ["Foo": "1"], after: 1, then: .asked)),
        CacheSequence(
            "vary.several", "9111 §4.1", .expected,
            .get(.ok("Cache-Control: max-age=3600", "Vary: Foo"), ["Foo": "1"]),
            .get(.ok("Cache-Control: max-age=3600", "Vary: Foo"), ["Foo": "2"], after: 1, then: .asked.response(2)),
            .get(.ok("Cache-Control: max-age=3600", "Vary: Foo"), ["Foo": "1"], after: 1, then: .cached.response(1)),
            .get(.ok(), ["Foo": "2"], after: 1, then: .cached.response(2))),
        CacheSequence(
            "vary.changes-to-none", "9111 §4.1", .required,
            .get(.ok("Cache-Control: max-age=1", "Vary: Foo"), ["Foo": "1"]),
            .get(.ok("Cache-Control: max-age=3600"), ["Foo": "1"], after: 3, then: .asked),
            .get(.ok(), ["Foo": "1"], after: 1, then: .any.response(2))),
        CacheSequence(
            "vary.appears", "9111 §4.1", .required,
            .get(.ok("Cache-Control: max-age=3600"), ["Foo": "1"]),
            .get(
                .ok("Cache-Control: max-age=3600", "Vary: Foo"), ["Foo": "2", "Cache-Control": "no-cache"], after: 1,
                then: .asked),
            .get(.ok(), ["Foo": "3"], after: 1, then: .asked.response(3))),
        CacheSequence(
            "vary.invalidated", "9111 §4.4", .required,
            .get(.ok("Cache-Control: max-age=3600", "Vary: Foo"), ["Foo": "1"]),
            .get(.ok("Cache-Control: max-age=3600", "Vary: Foo"), ["Foo": "2"], after: 1),
            .send("POST", .ok(), after: 1), .get(.ok(), ["Foo": "1"], after: 1, then: .asked.response(4))),
        CacheSequence(
            "vary.condition", "9111 §4.1", .chosen,
            .get(.ok("Cache-Control: max-age=3600", "Vary: Foo", "ETag: \"a\""), ["Foo": "1"]),
            .get(.ok(), ["Foo": "2"], after: 1, then: .asked.response(2))),
        CacheSequence(
            "vary.condition.other-variant", "9111 §4.3.4", .required,
            .get(.ok("Cache-Control: max-age=3600", "Vary: Foo", "ETag: \"a\""), ["Foo": "1"]),
            .get(
                .ok("Cache-Control: max-age=3600", "Vary: Foo", "ETag: \"b\""), ["Foo": "2"], after: 1,
                then: .asked.response(2)),
            .get(.ok(), ["Foo": "2"], after: 1, then: .cached.response(2))),
        CacheSequence(
            "vary.stale-if-error", "9111 §4.1", .required,
            .get(.ok("Cache-Control: max-age=1, stale-if-error=600", "Vary: Foo"), ["Foo": "1"]),
            .get(.status(503), ["Foo": "2"], after: 3, then: .any.status(503))),
    ]

    /// A response with `Vary` to a request, and the outcome of a second request.
    private static func varying(
        _ id: String, _ kind: Kind, _ vary: String, _ first: [String: String], _ second: [String: String],
        _ outcome: Outcome
    ) -> CacheSequence {
        CacheSequence(
            "vary.\(id)", "9111 §4.1", kind, .get(.ok("Cache-Control: max-age=3600", "Vary: \(vary)"), first),
            .get(.ok(), second, after: 1, then: outcome))
    }
}
