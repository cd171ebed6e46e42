import Foundation
import TestKit
import Testing

@testable import HTTPRules

@Suite(.timeLimit(.test))
struct RateLimitFieldsTests {
    private static let now = Date(timeIntervalSince1970: 1_700_000_000)  // Tue, 14 Nov 2023 22:13:20 GMT

    private func opening(_ fields: [String: String]) -> TimeInterval? {
        RateLimitFields { fields[$0] }.opening(now: Self.now)
    }

    @Test(
        arguments: [
            (#""default";r=0;t=30"#, nil, 30),
            (#""default";t=30;r=0"#, nil, 30),
            (#"  "default" ;r=0"#, nil, nil),
            (#""default"; r=0;  t=30"#, nil, 30),
            (#""default";r=50;t=30"#, nil, nil),
            (#""a";r=0;t=30,"b";r=0;t=60 ,\#t"c";r=0;t=5"#, nil, 60),
            (#""a";r=0;t=30, "b";r=9;t=60"#, nil, 30),
            (#""a";r=0;t=0"#, nil, 0),
            (#""a";r=0;t=999999999999999"#, nil, 86_400),
            (#""a";r=0;t=9999999999999999"#, nil, nil),
            (#""a";r=1;r=0;t=30"#, nil, 30),  // the last parameter counts
            (#""a";r=0;t=30;pk=:cHsdsRa894==:;x=?1;y=1.5;z=token/a:b;*u;v="\"\\;, ""#, nil, 30),
            // The window of the policy of the same name.
            (#""a";r=0"#, #""a";q=100;w=60"#, 60),
            (#""a";r=0"#, #""b";q=100;w=30, "a";q=100;w=60"#, 60),
            (#""a";r=0"#, #""a";w=60, "a";w=90, "a";w=30"#, 90),
            (#""a\"\\";r=0"#, #""a\"\\";w=60"#, 60),
            (#""a";r=0;t=5"#, #""a";w=60"#, 5),
            (#""a";r=0, "b";r=0;t=70"#, #""a";w=60"#, 70),
            (#""a";r=0"#, #""b";w=60"#, nil),
            (#""a";r=0"#, #"a;w=60"#, nil),
            (#""a";r=0"#, #""a";w=-60"#, nil),
            (#""a";r=0"#, #""a";w=60,"#, nil),
            (#""a";r=0"#, #""a";w="60""#, nil),
            (#""a";r=0"#, "", nil),
            // Items that are ignored.
            (#""a";r=0;t=-5"#, #""a";w=60"#, nil),
            (#""a";r=0;t=1.5"#, nil, nil),
            (#""a";r=0;t="30""#, nil, nil),
            (#""a";r=0;t"#, nil, nil),
            (#""a";r=-1;t=30"#, nil, nil),
            (#""a";r=0.0;t=30"#, nil, nil),
            (#""a";t=30"#, nil, nil),
            (#"a;r=0;t=30"#, nil, nil),
            (#"1;r=0;t=30"#, nil, nil),
            (#"?1;r=0;t=30, "b";r=0;t=20"#, nil, 20),
            // Texts that are no lists.
            ("", nil, nil), (" ", nil, nil), (",", nil, nil), ("\"", nil, nil), (#""a;r=0;t=30"#, nil, nil),
            (#"a";r=0;t=30"#, nil, nil), (#""a\";r=0;t=30"#, nil, nil), (#""a\b";r=0;t=30"#, nil, nil),
            (#""ä";r=0;t=30"#, nil, nil), ("\"a\u{7F}\";r=0;t=30", nil, nil), (#""a";r=0;t=30,"#, nil, nil),
            (#""a";r=0;t=30,,"b";r=5"#, nil, nil), (#""a";r=0;t=30 "b";r=5"#, nil, nil),
            (#""a";R=0;T=30"#, nil, nil), (#""a";r=0;t= 30"#, nil, nil), (#""a";r=0;t=+30"#, nil, nil),
            (#""a";r=0;t=30;"#, nil, nil), (#""a";r=0;t=30;x=?2"#, nil, nil), (#""a";r=0;t=30;x=:a"#, nil, nil),
            (#""a";r=0;t=30;x=1."#, nil, nil), (#""a";r=0;t=30;x=1.2345"#, nil, nil), (#""a";r=0;t=30;x=-"#, nil, nil),
            (#""a";r=0;t=30;x=1234567890123.1"#, nil, nil), (#"("a";r=0);r=0;t=30"#, nil, nil),
            (#""a";r=NaN;t=30"#, nil, nil), (#""a";r=0;t=inf"#, nil, nil), (#""a";r=0;t=1e3"#, nil, nil),
            (#""a";r=0;t=30;1x"#, nil, nil),
            ("soon", nil, nil), ("-1", nil, nil), ("99999999999", nil, nil),
        ] as [(String, String?, Double?)])
    func `The current draft`(_ value: String, _ policy: String?, _ expected: Double?) {
        var fields = ["ratelimit": value]
        fields["ratelimit-policy"] = policy
        #expect(opening(fields) == expected)
    }

    @Test(
        arguments: [
            ("limit=100, remaining=0, reset=50", 50),
            ("limit=100,remaining=0,reset=50", 50),
            ("reset=50;x=1, remaining=0;y, limit", 50),
            ("remaining=5, remaining=0, reset=50", 50),
            ("limit=100, remaining=50, reset=50", nil),
            ("limit=100, remaining=0", nil), ("limit=100, reset=50", nil), ("remaining, reset=50", nil),
            ("remaining=-1, reset=50", nil), ("remaining=0, reset=-50", nil), ("remaining=0, reset=1.5", nil),
            ("remaining=0, reset=soon", nil), ("remaining=0, reset=\"50\"", nil), ("remaining=0, reset=50,", nil),
            ("Remaining=0, Reset=50", nil), ("remaining=0; reset=50", nil), ("remaining = 0, reset=50", nil),
            ("remaining=0, reset=99999999999", 86_400), ("remaining=0, reset=nan", nil), ("remaining=\"0", nil),
        ] as [(String, Double?)])
    func `An older draft in one field`(_ value: String, _ expected: Double?) {
        #expect(opening(["ratelimit": value]) == expected)
    }

    @Test(
        arguments: [
            ("0", "50", 50), (" 0\t", " 50 ", 50), ("000", "050", 50), ("0", "0", 0), ("0", "86401", 86_400),
            ("5", "50", nil), ("1", nil, nil), ("0", nil, nil), (nil, "50", nil), ("", "50", nil), ("0", "", nil),
            ("-1", "50", nil), ("0", "-1", nil), ("0", "+1", nil), ("0", "soon", nil), ("0", "nan", nil),
            ("0", "NaN", nil), ("0", "inf", nil), ("0", "infinity", nil), ("0", "1e3", nil), ("0", "0x10", nil),
            ("nan", "50", nil), ("0, 0", "50", nil), ("0", "50, 60", nil), ("0", "50s", nil),
            ("0", "\"50", nil), ("0", "1000000000", 86_400), ("0", "99999999999", 86_400),
            ("0", "1700000060", 60), ("0", "1700000060000", 60), ("0", "1000000001", 0), ("0", "1699999999", 0),
            ("0", "1000000000000", 86_400), ("0", "1000000000001", 0), ("0", "1700000060999", 60.999),
            ("0", String(repeating: "9", count: 400), 86_400),
            (String(repeating: "0", count: 400), "50", 50),
        ] as [(String?, String?, Double?)])
    func `Two fields`(_ remaining: String?, _ reset: String?, _ expected: Double?) {
        for prefix in ["ratelimit", "x-ratelimit", "x-rate-limit"] {
            var fields: [String: String] = [:]
            fields["\(prefix)-remaining"] = remaining
            fields["\(prefix)-reset"] = reset
            let result = opening(fields)
            #expect(result == nil && expected == nil || abs((result ?? -1) - (expected ?? -2)) < 0.001, "\(prefix)")
        }
    }

    @Test(
        arguments: [
            ("0", "12.5", 12.5), ("0.0", "12.5", 12.5), ("0", "0.001", 0.001), ("0", "1700000060.5", 60.5),
            ("0.5", "12.5", nil), ("0", "12.", nil), ("0", ".5", nil), ("0", "1.2.3", nil), ("0", "-1.5", nil),
            ("0", "1.-5", nil), ("0", "1.5e3", nil), ("0", "1.nan", nil),
            ("0", "0." + String(repeating: "9", count: 400), 1),
        ] as [(String, String, Double?)])
    func `Fractions are accepted only in the fields without a standard`(
        _ remaining: String, _ reset: String, _ expected: Double?
    ) {
        for prefix in ["x-ratelimit", "x-rate-limit"] {
            #expect(opening(["\(prefix)-remaining": remaining, "\(prefix)-reset": reset]) == expected)
        }
        #expect(opening(["ratelimit-remaining": remaining, "ratelimit-reset": reset]) == nil)
    }

    @Test(
        arguments: [
            ("Tue, 14 Nov 2023 22:13:50 GMT", 30), ("Tuesday, 14-Nov-23 22:13:50 GMT", 30),
            ("Tue Nov 14 22:13:50 2023", 30), ("Thu, 01 Jan 1970 00:00:00 GMT", 86_400),
            ("Fri, 31 Dec 9999 23:59:59 GMT", 0), ("soon", 60), ("", 60),
        ] as [(String, Double)])
    func `A Unix time is compared with the server's date`(_ date: String, _ expected: Double) {
        for reset in ["1700000060", "1700000060000", "1700000060.0"] {
            #expect(opening(["x-ratelimit-remaining": "0", "x-ratelimit-reset": reset, "date": date]) == expected)
        }
        #expect(opening(["x-ratelimit-remaining": "0", "x-ratelimit-reset": "45", "date": date]) == 45)
    }

    /// The forms in the order of preference. Each asks for a different delay.
    private static let forms = [
        ["ratelimit": #""default";r=0;t=1"#], ["ratelimit-remaining": "0", "ratelimit-reset": "2"],
        ["x-ratelimit-remaining": "0", "x-ratelimit-reset": "3"],
        ["x-rate-limit-remaining": "0", "x-rate-limit-reset": "4"],
    ]

    @Test(arguments: forms.indices)
    func `The first valid form decides`(_ index: Int) {
        let rest = Self.forms[index...].reduce(into: [:]) { $0.merge($1) { first, _ in first } }
        #expect(opening(rest) == Double(index + 1))
        for invalid in ["", "soon", "-1", "\"", "\"a\";r=0", "limit=5, remaining=0", "remaining=x"] {
            var fields = rest
            for previous in Self.forms[..<index] {
                fields.merge(previous.mapValues { _ in invalid }) { $1 }
            }
            #expect(opening(fields) == Double(index + 1), "\(invalid)")
        }
        let open = ["ratelimit": #""default";r=5"#, "ratelimit-remaining": "5", "x-ratelimit-remaining": "5"]
        for previous in Self.forms[..<index] {
            let names = open.filter { previous.keys.contains($0.key) }
            #expect(opening(rest.merging(names) { $1 }) == nil)
        }
    }

    @Test func `A window without a known end leaves the decision to the next form`() {
        let next = ["x-ratelimit-remaining": "0", "x-ratelimit-reset": "7"]
        #expect(opening(next.merging(["ratelimit": #""a";r=0, "b";r=5"#]) { $1 }) == 7)
        #expect(opening(next.merging(["ratelimit": #""a";r=0, "b";r=0;t=9"#]) { $1 }) == 9)
        #expect(opening(next.merging(["ratelimit": #""b";r=5"#]) { $1 }) == nil)
        #expect(opening(next.merging(["ratelimit": "limit=9, remaining=1"]) { $1 }) == nil)
    }

    @Test func `A response without these fields says nothing`() {
        #expect(opening([:]) == nil)
        #expect(opening(["date": "Tue, 14 Nov 2023 22:13:50 GMT"]) == nil)
        #expect(opening(["ratelimit-policy": #""a";q=0;w=60"#]) == nil)
    }

    @Test(arguments: [
        "\"", "\\", ";", ",", "\"a\",", "\"a\";r=0;t=5,", ";r=0", "9", "a=", ":", "?1,", "remaining=0,", " ", "\t",
    ])
    func `Large values are ignored`(_ part: String) {
        let value = String(repeating: part, count: TestLevel.count(1 << 17, nightly: 1 << 20))
        for prefix in ["", #""a";r=0;t=5"#, "remaining=0, reset=5", "0"] {
            let fields = RateLimitFields { $0 == "date" ? nil : prefix + value }
            #expect(fields.opening(now: Self.now) == nil)
        }
    }

    @Test(arguments: [Double.infinity, -.infinity, .nan, 1e300, -1e300])
    func `With any clock, the delay is within the limits`(_ now: Double) {
        let fields = RateLimitFields { ["x-ratelimit-remaining": "0", "x-ratelimit-reset": "1700000060"][$0] }
        let seconds = fields.opening(now: Date(timeIntervalSince1970: now))
        #expect(seconds.map { 0...RetryAfter.limit ~= $0 } == true)
    }
}
