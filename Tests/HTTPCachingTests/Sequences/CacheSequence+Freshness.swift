extension CacheSequence {
    /// The lifetime that a response states (RFC 9111 §4.2.1, §5.2.2.1 and §5.3).
    static let freshness: [CacheSequence] =
        lifetimes + expiry + numbers + [
            CacheSequence(
                "freshness.none", "9111 §4.2.2", .chosen, .get(.ok()), .get(after: 29, then: .cached),
                .get(after: 2, then: .asked)),
            CacheSequence(
                "freshness.two-fields.fresh-stale", "9111 §4.2.1", .chosen,
                .get(.ok("Cache-Control: max-age=3600", "Cache-Control: max-age=1")), .get(after: 3, then: .asked)),
            CacheSequence(
                "freshness.two-fields.stale-fresh", "9111 §4.2.1", .chosen,
                .get(.ok("Cache-Control: max-age=1", "Cache-Control: max-age=3600")), .get(after: 3, then: .asked)),
            CacheSequence(
                "freshness.two-directives.fresh-stale", "9111 §4.2.1", .chosen,
                .get(.ok("Cache-Control: max-age=3600, max-age=1")), .get(after: 3, then: .asked)),
            CacheSequence(
                "freshness.two-directives.stale-fresh", "9111 §4.2.1", .chosen,
                .get(.ok("Cache-Control: max-age=1, max-age=3600")), .get(after: 3, then: .asked)),
            CacheSequence(
                "freshness.other-address", "9111 §4", .required, .get(.ok("Cache-Control: max-age=3600")),
                .get(at: "?a=1", then: .asked.response(2)), .get(then: .cached.response(1))),
        ]

    /// A response that is or is not fresh after three seconds.
    private static func lifetime(
        _ id: String, _ section: String, _ kind: Kind, _ fields: String..., after pause: Double = 3,
        then outcome: Outcome
    ) -> CacheSequence {
        CacheSequence(
            "freshness.\(id)", section, kind, .get(Reply(fields: fields)), .get(after: pause, then: outcome))
    }

    private static let lifetimes = [
        lifetime("max-age", "9111 §5.2.2.1", .expected, "Cache-Control: max-age=3600", then: .cached.response(1)),
        lifetime("max-age.stale", "9111 §4.2", .required, "Cache-Control: max-age=2", then: .asked.response(2)),
        lifetime(
            "max-age.zero", "9111 §4.2", .required, "Cache-Control: max-age=0", after: 0, then: .asked.response(2)),
        lifetime(
            "max-age.end", "9111 §4.2", .required, "Cache-Control: max-age=3", after: 3, then: .asked.response(2)),
        lifetime("max-age.age", "9111 §4.2.3", .required, "Cache-Control: max-age=3600", "Age: 7200", then: .asked),
        lifetime(
            "max-age.little-age", "9111 §4.2.3", .expected, "Cache-Control: max-age=3600", "Age: 20", then: .cached),
        lifetime(
            "max-age.old-date", "9111 §4.2.3", .required, "Cache-Control: max-age=3600", "Date: {now-7200}",
            then: .asked),
        lifetime(
            "max-age.date-in-future", "9111 §4.2.3", .expected, "Cache-Control: max-age=3600", "Date: {now+60}",
            then: .cached),
        lifetime(
            "max-age.before-expires", "9111 §4.2.1", .expected, "Cache-Control: max-age=3600", "Expires: {now-7200}",
            then: .cached),
        lifetime(
            "max-age.zero.before-expires", "9111 §4.2.1", .required, "Cache-Control: max-age=0", "Expires: {now+3600}",
            then: .asked),
        lifetime(
            "max-age.before-invalid-expires", "9111 §4.2.1", .expected, "Cache-Control: max-age=3600", "Expires: 0",
            then: .cached),
        lifetime(
            "s-maxage.is-for-others", "9111 §5.2.2.10", .required, "Cache-Control: max-age=1, s-maxage=3600",
            then: .asked),
        lifetime(
            "s-maxage.is-for-others.fresh", "9111 §5.2.2.10", .expected, "Cache-Control: max-age=3600, s-maxage=1",
            then: .cached),
        lifetime("private", "9111 §5.2.2.7", .expected, "Cache-Control: private, max-age=3600", then: .cached),
        lifetime("private.stale", "9111 §5.2.2.7", .required, "Cache-Control: private, max-age=1", then: .asked),
        lifetime("unknown-directive", "9111 §5.2.3", .expected, "Cache-Control: foobar, max-age=3600", then: .cached),
        lifetime("unknown-argument", "9111 §5.2.3", .expected, "Cache-Control: foobar=1, max-age=3600", then: .cached),
        lifetime("no-date", "9110 §6.6.1", .expected, "Cache-Control: max-age=3600", "Date:", then: .cached),
        lifetime(
            "cdn", "9213 §3.1", .expected, "Cache-Control: max-age=1", "CDN-Cache-Control: max-age=3600", then: .asked),
        lifetime(
            "cdn.no-store", "9213 §3.1", .expected, "Cache-Control: max-age=3600", "CDN-Cache-Control: no-store",
            then: .cached),
        lifetime(
            "surrogate", "9111 §5.2.3", .expected, "Surrogate-Control: max-age=3600", "Cache-Control: max-age=1",
            then: .asked),
    ]

    private static let expiry = [
        lifetime("expires", "9111 §5.3", .expected, "Expires: {now+3600}", then: .cached),
        lifetime("expires.past", "9111 §5.3", .required, "Expires: {now-3600}", after: 0, then: .asked),
        lifetime("expires.now", "9111 §5.3", .required, "Expires: {now}", after: 0, then: .asked),
        lifetime("expires.reached", "9111 §5.3", .required, "Expires: {now+2}", then: .asked),
        lifetime(
            "expires.old-date", "9111 §4.2.3", .required, "Date: {now-7200}", "Expires: {now-3600}", then: .asked),
        lifetime(
            "expires.fast-origin", "9111 §4.2.1", .expected, "Date: {now+3600}", "Expires: {now+7200}", then: .cached),
        lifetime(
            "expires.fast-origin.passed", "9111 §4.2.1", .required, "Date: {now+3600}", "Expires: {now+3602}",
            then: .asked),
        lifetime(
            "expires.slow-origin", "9111 §4.2.3", .required, "Date: {now-3600}", "Expires: {now-1800}", then: .asked),
        lifetime("expires.age", "9111 §4.2.3", .required, "Expires: {now+3600}", "Age: 7200", then: .asked),
        lifetime("expires.zero", "9111 §5.3", .required, "Expires: 0", after: 0, then: .asked),
        lifetime("expires.text", "9111 §5.3", .required, "Expires: foo", after: 0, then: .asked),
        lifetime("expires.empty", "9111 §5.3", .chosen, "Expires:", after: 0, then: .asked),
        lifetime("expires.no-date", "9111 §4.2.1", .expected, "Expires: {now+3600}", "Date:", then: .cached),
        lifetime(
            "expires.no-cache-control-lifetime", "9111 §4.2.1", .expected, "Expires: {now+3600}",
            "Cache-Control: public",
            then: .cached),
    ]

    private static let numbers = [
        lifetime("max-age.2147483647", "9111 §1.2.2", .expected, "Cache-Control: max-age=2147483647", then: .cached),
        lifetime("max-age.2147483648", "9111 §1.2.2", .expected, "Cache-Control: max-age=2147483648", then: .cached),
        lifetime("max-age.4294967296", "9111 §1.2.2", .expected, "Cache-Control: max-age=4294967296", then: .cached),
        lifetime(
            "max-age.huge", "9111 §1.2.2", .expected, "Cache-Control: max-age=99999999999999999999999", then: .cached),
        lifetime("max-age.leading-zero", "9111 §1.2.2", .expected, "Cache-Control: max-age=003600", then: .cached),
        lifetime("max-age.negative", "9111 §4.2.1", .expected, "Cache-Control: max-age=-3600", after: 0, then: .asked),
        lifetime("max-age.decimal", "9111 §4.2.1", .chosen, "Cache-Control: max-age=3600.0", after: 0, then: .asked),
        lifetime("max-age.suffix", "9111 §4.2.1", .chosen, "Cache-Control: max-age=3600a", after: 0, then: .asked),
        lifetime("max-age.prefix", "9111 §4.2.1", .expected, "Cache-Control: max-age=a3600", after: 0, then: .asked),
        lifetime("max-age.empty", "9111 §4.2.1", .expected, "Cache-Control: max-age=", after: 0, then: .asked),
        lifetime("max-age.missing", "9111 §4.2.1", .expected, "Cache-Control: max-age", after: 0, then: .asked),
        lifetime("max-age.quoted", "9111 §5.2", .expected, "Cache-Control: max-age=\"3600\"", then: .cached),
        lifetime("max-age.quoted.stale", "9111 §5.2", .required, "Cache-Control: max-age=\"1\"", then: .asked),
        lifetime(
            "max-age.single-quoted", "9111 §5.2", .expected, "Cache-Control: max-age='3600'", after: 0, then: .asked),
        lifetime(
            "max-age.space-before", "9111 §5.2", .expected, "Cache-Control: max-age =3600", after: 0, then: .asked),
        lifetime("max-age.space-after", "9111 §5.2", .expected, "Cache-Control: max-age= 3600", after: 0, then: .asked),
        lifetime("max-age.upper-case", "9111 §5.2", .expected, "Cache-Control: MAX-AGE=3600", then: .cached),
        lifetime("max-age.mixed-case", "9111 §5.2", .required, "Cache-Control: mAx-AgE=1", then: .asked),
        lifetime(
            "max-age.in-quotes", "9110 §5.6.4", .required, "Cache-Control: foo=\"max-age=3600\", max-age=1",
            then: .asked),
        lifetime(
            "max-age.in-quotes.comma", "9110 §5.6.4", .required, "Cache-Control: foo=\", max-age=3600, \", max-age=1",
            then: .asked),
        lifetime(
            "max-age.after-quotes", "9110 §5.6.4", .expected, "Cache-Control: foo=\"max-age=1\", max-age=3600",
            then: .cached),
        lifetime(
            "max-age.escaped-quote", "9110 §5.6.4", .required, "Cache-Control: foo=\"\\\", max-age=3600\", max-age=1",
            then: .asked),
        lifetime("max-age.empty-members", "9110 §5.6.1", .expected, "Cache-Control: ,, ,max-age=3600,,", then: .cached),
        lifetime("max-age.tabs", "9110 §5.6.3", .expected, "Cache-Control: \tpublic\t,\tmax-age=3600", then: .cached),
        lifetime(
            "max-age.other-field", "9110 §5.3", .expected, "Cache-Control: public", "Cache-Control: max-age=3600",
            then: .cached),
        lifetime(
            "max-age.semicolon", "9111 §5.2", .expected, "Cache-Control: public; max-age=3600", after: 31, then: .asked),
    ]
}
