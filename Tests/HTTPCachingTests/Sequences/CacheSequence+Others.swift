extension CacheSequence {
    /// Credentials, cookies, queries, interim responses and redirects.
    static let others: [CacheSequence] =
        redirects + credentialsAndMore + [102, 103].map(interim) + [102, 103].map(interimLifetime)

    private static let credentialsAndMore = [
        CacheSequence(
            "authorization.private", "9111 §3.5", .expected,
            .get(.ok("Cache-Control: max-age=3600"), ["Authorization": "FOO"]),
            .get(.ok(), ["Authorization": "FOO"], after: 3, then: .cached)),
        CacheSequence(
            "authorization.must-revalidate", "9111 §3.5", .expected,
            .get(.ok("Cache-Control: max-age=3600, must-revalidate"), ["Authorization": "FOO"]),
            .get(.ok(), ["Authorization": "FOO"], after: 3, then: .cached)),
        CacheSequence(
            "cookie.set", "9111 §7.3", .expected, .get(.ok("Cache-Control: max-age=3600", "Set-Cookie: a=b")),
            .get(after: 3, then: .cached)),
        CacheSequence(
            "cookie.sent", "9111 §4", .expected, .get(.ok("Cache-Control: max-age=3600"), ["Cookie": "a=1"]),
            .get(.ok(), ["Cookie": "a=2"], after: 3, then: .cached)),
        CacheSequence(
            "query.same", "9111 §4", .expected, .get(.ok("Cache-Control: max-age=3600"), at: "?a=b"),
            .get(at: "?a=b", after: 3, then: .cached)),
        CacheSequence(
            "query.other", "9111 §4", .required, .get(.ok("Cache-Control: max-age=3600"), at: "?a=b"),
            .get(at: "?a=c", after: 3, then: .asked.response(2))),
        CacheSequence(
            "disposition.attachment", "9111 §4", .expected,
            .get(.ok("Cache-Control: max-age=3600", "Content-Disposition: attachment; filename=foo")),
            .get(after: 3, then: .cached)),
        CacheSequence(
            "date.kept", "9110 §6.6.1", .required,
            .get(.ok("Cache-Control: max-age=3600", "Date: Fri, 31 Dec 2100 00:00:00 GMT")),
            .get(after: 3, then: .cached.has("Date", "Fri, 31 Dec 2100 00:00:00 GMT"))),
        CacheSequence(
            "content-type.missing", "9110 §8.3", .expected, .get(.ok("Cache-Control: max-age=3600")),
            .get(after: 3, then: .cached.lacks("Content-Type"))),
        CacheSequence(
            "content.empty", "9111 §4", .expected, .get(.ok("Cache-Control: max-age=3600", body: "")),
            .get(after: 3, then: .cached.status(200).body(""))),
        CacheSequence(
            "content.coding.unknown", "9110 §8.4", .expected,
            .get(.ok("Cache-Control: max-age=3600", "Content-Encoding: foo", body: "bytes")),
            .get(after: 3, then: .cached.body("bytes").has("Content-Encoding", "foo"))),
    ]

    private static func interim(_ status: Int) -> CacheSequence {
        CacheSequence(
            "interim.\(status)", "9110 §15.2", .expected,
            .get(
                .ok("Cache-Control: max-age=3600").after(interim: "\(status) Interim\r\nX-I: 1"),
                then: .any.lacks("X-I")),
            .get(after: 3, then: .cached.status(200).response(1).lacks("X-I")))
    }

    private static func interimLifetime(_ status: Int) -> CacheSequence {
        CacheSequence(
            "interim.\(status).its-lifetime", "9111 §3", .required,
            .get(
                .ok("Cache-Control: no-store").after(interim: "\(status) Interim\r\nCache-Control: max-age=3600")),
            .get(after: 3, then: .asked.response(2)))
    }

    /// Redirects to `/target`, whose response is fresh for an hour, and to `/target/short`, for a second. The response of
    /// `/target/swr` may then be used for another minute, and that of `/target/old` has a `Date` of antiquity.
    private static let redirects =
        [
            redirect(301, .expected, ["Cache-Control: max-age=3600"], .cached.body("target")),
            redirect(302, .expected, ["Cache-Control: max-age=3600"], .cached.body("target")),
            redirect(303, .expected, ["Cache-Control: max-age=3600"], .cached.body("target")),
            redirect(307, .expected, ["Cache-Control: max-age=3600"], .cached.body("target")),
            redirect(308, .expected, ["Cache-Control: max-age=3600"], .cached.body("target")),
            redirect(301, .expected, [], .cached.body("target")), redirect(308, .expected, [], .cached.body("target")),
            redirect(302, .required, [], .asked), redirect(303, .required, [], .asked),
            redirect(307, .required, [], .asked),
            redirect(301, .required, ["Cache-Control: no-store"], .asked),
            redirect(302, .required, ["Cache-Control: no-cache"], .asked),
            redirect(301, .required, ["Cache-Control: max-age=1"], .asked),
            redirect(302, .required, ["Cache-Control: max-age=1"], .asked),
            redirect(302, .required, ["Expires: {now+1}"], .asked),
            redirect(301, .required, ["Cache-Control: max-age=3600"], to: "/target/short", .asked),
            redirect(301, .required, ["Cache-Control: max-age=3600"], to: "/hop", .asked),
            redirect(301, .required, ["Cache-Control: max-age=3600", "Age: 3600"], .asked),
        ]
        + [
            CacheSequence(
                "redirect.POST.303", "9110 §15.4.4", .required,
                .send("POST", .status(303, "Cache-Control: max-age=3600")), .get(after: 1, then: .asked)),
            CacheSequence(
                "redirect.302.vary.no-match", "9111 §4.1", .required,
                .get(varyingRedirect, ["Foo": "1"], then: .any.body("target")),
                .get(varyingRedirect, ["Foo": "2"], after: 3, then: .asked.body("target"))),
            CacheSequence(
                "redirect.302.vary.match", "9111 §4.1", .expected,
                .get(varyingRedirect, ["Foo": "1"], then: .any.body("target")),
                .get(.ok(), ["Foo": "1"], after: 3, then: .cached.body("target"))),
            CacheSequence(
                "redirect.302.must-revalidate", "9111 §5.2.2.2", .required,
                .get(
                    .status(302, "Cache-Control: max-age=2, must-revalidate", "Location: /target"),
                    then: .any.body("target")),
                .get(.closes, after: 5, then: .any.status(0))),
            CacheSequence(
                "redirect.302.stale-while-revalidate", "5861 §3", .required,
                .get(.status(302, "Cache-Control: max-age=2", "Location: /target/swr"), then: .any.body("target")),
                .get(.ok(), after: 5, then: .asked.response(2))),
            CacheSequence(
                "redirect.302.date.ancient", "9111 §4.2.3", .required,
                .get(.status(302, "Location: /target/old"), then: .any.body("target")),
                .get(.ok(), after: 3, then: .asked.response(2))),
        ]

    private static let varyingRedirect = Reply.status(
        302, "Cache-Control: max-age=3600", "Vary: Foo", "Location: /target")

    private static func redirect(
        _ status: Int, _ kind: Kind, _ fields: [String], to target: String = "/target", _ outcome: Outcome
    ) -> CacheSequence {
        CacheSequence(
            "redirect.\(status).\(fields.joined(separator: ".").lowercased().filter { $0 != " " })\(target)",
            "9110 §15.4", kind,
            .get(Reply(status: status, fields: fields + ["Location: \(target)"]), then: .any.body("target")),
            .get(Reply(status: status, fields: fields + ["Location: \(target)"]), after: 3, then: outcome))
    }
}
