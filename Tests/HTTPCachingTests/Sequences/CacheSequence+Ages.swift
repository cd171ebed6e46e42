extension CacheSequence {
    /// The field `Age`, received and generated (RFC 9111 §4.2.3 and §5.1).
    static let ages: [CacheSequence] =
        received + [
            CacheSequence(
                "age.generated", "9111 §5.1", .required, .get(.ok("Cache-Control: max-age=3600")),
                .get(after: 5, then: .cached.age(atLeast: 5))),
            CacheSequence(
                "age.added", "9111 §4.2.3", .required, .get(.ok("Cache-Control: max-age=3600", "Age: 30")),
                .get(after: 5, then: .cached.age(atLeast: 35))),
            CacheSequence(
                "age.from-date", "9111 §4.2.3", .expected, .get(.ok("Cache-Control: max-age=3600", "Date: {now-30}")),
                .get(after: 5, then: .cached.age(atLeast: 35))),
            CacheSequence(
                "age.first-response", "9111 §5.1", .expected,
                .get(.ok("Cache-Control: max-age=3600"), then: .asked.lacks("Age"))),
            CacheSequence(
                "age.of-transfer", "9111 §4.2.3", .required,
                .get(.ok("Cache-Control: max-age=10", "Age: 4"), delay: 4), .get(after: 3, then: .asked)),
            CacheSequence(
                "age.of-transfer.generated", "9111 §4.2.3", .required,
                .get(.ok("Cache-Control: max-age=100", "Age: 4"), delay: 4),
                .get(after: 3, then: .cached.age(atLeast: 11))),
            CacheSequence(
                "age.after-confirmation", "9111 §4.3.4", .expected,
                .get(.ok("Cache-Control: max-age=10", "ETag: \"a\"")),
                .get(.confirms("Cache-Control: max-age=10", "ETag: \"a\""), after: 12, then: .asked.response(1)),
                .get(after: 9, then: .cached.response(1)), .get(after: 2, then: .asked)),
            CacheSequence(
                "age.confirmed-by-old", "9111 §4.3.4", .required,
                .get(.ok("Cache-Control: max-age=10", "ETag: \"a\"")),
                .get(.confirms("ETag: \"a\"", "Cache-Control: max-age=10", "Age: 8"), after: 12, then: .asked),
                .get(after: 3, then: .asked)),
        ]

    private static func received(_ id: String, _ kind: Kind, _ ages: String..., then outcome: Outcome) -> CacheSequence
    {
        CacheSequence(
            "age.\(id)", "9111 §5.1", kind,
            .get(Reply(fields: ["Cache-Control: max-age=3600"] + ages.map { "Age: \($0)" })),
            .get(after: 3, then: outcome))
    }

    private static let received = [
        received("negative", .expected, "-7200", then: .cached),
        received("text", .expected, "abc", then: .cached),
        received("decimal", .expected, "7200.0", then: .cached),
        received("suffix", .expected, "7200s", then: .cached),
        received("prefix", .expected, "s7200", then: .cached),
        received("quoted", .expected, "\"7200\"", then: .cached),
        received("empty", .expected, "", then: .cached),
        received("huge", .required, "9999999999", then: .asked),
        received("2147483648", .required, "2147483648", then: .asked),
        received("enormous", .required, "99999999999999999999999999", then: .asked),
        received("leading-zero", .required, "007200", then: .asked),
        received("parameter", .chosen, "7200;foo=bar", then: .cached),
        received("list.old-first", .expected, "7200, 0", then: .asked),
        received("list.young-first", .expected, "0, 7200", then: .cached),
        received("lines.old-first", .expected, "7200", "0", then: .asked),
        received("lines.young-first", .expected, "0", "7200", then: .cached),
    ]
}
