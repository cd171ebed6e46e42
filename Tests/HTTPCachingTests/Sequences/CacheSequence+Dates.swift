extension CacheSequence {
    /// The forms of dates (RFC 9110 §5.6.7), and dates that do not parse (RFC 9111 §5.3).
    static let dates: [CacheSequence] = [
        expires("rfc850", .required, "EEEE, dd-MMM-yy HH:mm:ss 'GMT'", .cached),
        expires("asctime", .required, "EEE MMM dd HH:mm:ss yyyy", .cached),
        expires("lower-case", .expected, "'thu, 'dd' aug '2030' 'HH:mm:ss' gmt'", .cached),
        expires("upper-case", .expected, "'THU, 'dd' AUG '2030' 'HH:mm:ss' GMT'", .cached),
        expires("wrong-weekday", .chosen, "'Sun, 'dd MMM yyyy HH:mm:ss 'GMT'", .cached),
        expires("no-weekday", .expected, "dd MMM yyyy HH:mm:ss 'GMT'", .asked),
        expires("long-weekday", .expected, "EEEE, dd MMM yyyy HH:mm:ss 'GMT'", .asked),
        expires("no-comma", .expected, "EEE dd MMM yyyy HH:mm:ss 'GMT'", .asked),
        expires("no-zone", .expected, "EEE, dd MMM yyyy HH:mm:ss", .asked),
        expires("utc", .expected, "EEE, dd MMM yyyy HH:mm:ss 'UTC'", .asked),
        expires("other-zone", .required, "EEE, dd MMM yyyy HH:mm:ss 'EST'", .asked),
        expires("offset", .expected, "EEE, dd MMM yyyy HH:mm:ss '+0000'", .asked),
        expires("two-digit-year", .expected, "EEE, dd MMM yy HH:mm:ss 'GMT'", .asked),
        expires("dashes", .expected, "EEE, dd-MMM-yyyy HH:mm:ss 'GMT'", .asked),
        expires("dots-in-time", .expected, "EEE, dd MMM yyyy HH.mm.ss 'GMT'", .asked),
        expires("no-seconds", .expected, "EEE, dd MMM yyyy HH:mm 'GMT'", .asked),
        expires("two-spaces", .expected, "EEE, dd  MMM yyyy HH:mm:ss 'GMT'", .asked),
        expires("iso8601", .expected, "yyyy-MM-dd'T'HH:mm:ss'Z'", .asked),
        expires("seconds", .expected, "'1893456000'", .asked),
        expires("one-digit-hour", .expected, "EEE, dd MMM yyyy '1':mm:ss 'GMT'", .asked),
        expires("day-31-of-february", .chosen, "EEE, '31 Feb 2030' HH:mm:ss 'GMT'", .asked),
        expires("parameter", .expected, "EEE, dd MMM yyyy HH:mm:ss 'GMT; foo=bar'", .asked),
        CacheSequence(
            "expires.two-lines", "9111 §5.3", .chosen, .get(.ok("Expires: {now+3600}", "Expires: {now-3600}")),
            .get(after: 0, then: .asked)),
        CacheSequence(
            "expires.far", "9111 §1.2.2", .expected, .get(.ok("Expires: Fri, 31 Dec 9999 23:59:59 GMT")),
            .get(after: 3, then: .cached)),
        CacheSequence(
            "expires.1970", "9111 §5.3", .required, .get(.ok("Expires: Thu, 01 Jan 1970 00:00:00 GMT")),
            .get(after: 0, then: .asked)),
        CacheSequence(
            "date.invalid", "9110 §6.6.1", .expected, .get(.ok("Cache-Control: max-age=3600", "Date: foo")),
            .get(after: 3, then: .cached)),
        CacheSequence(
            "date.rfc850.old", "9111 §4.2.3", .required,
            .get(.ok("Cache-Control: max-age=3600", "Date: {now-7200|EEEE, dd-MMM-yy HH:mm:ss 'GMT'}")),
            .get(after: 3, then: .asked)),
    ]

    private static func expires(_ id: String, _ kind: Kind, _ pattern: String, _ outcome: Outcome) -> CacheSequence {
        CacheSequence(
            "expires.\(id)", kind == .required ? "9110 §5.6.7" : "9111 §5.3", kind,
            .get(.ok("Expires: {now+200000000|\(pattern)}")), .get(after: 3, then: outcome))
    }
}
