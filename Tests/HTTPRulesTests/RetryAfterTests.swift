import Foundation
import TestKit
import Testing

@testable import HTTPRules

@Suite(.timeLimit(.test))
struct RetryAfterTests {
    private static let now = Date(timeIntervalSince1970: 784_111_777)  // Sun, 06 Nov 1994 08:49:37 GMT

    private func seconds(_ value: String?, date: String? = nil) -> TimeInterval? {
        RetryAfter.seconds(value, date: date, now: Self.now)
    }

    @Test(
        arguments: [
            ("0", 0), ("120", 120), ("007", 7), (" 5", 5), ("5\t ", 5), ("86400", 86_400), ("86401", 86_400),
            ("99999999999", 86_400), ("18446744073709551616", 86_400), (String(repeating: "9", count: 400), 86_400),
            (String(repeating: "0", count: 400) + "7", 7), ("120, 60", 120), ("60, 120", 60), ("7,", 7),
            ("7, soon", 7), ("7 , Sun, 06 Nov 1994 08:50:37 GMT", 7),
        ] as [(String, Double)])
    func `A number of seconds is limited to a day`(_ value: String, _ expected: Double) {
        #expect(seconds(value) == expected)
    }

    @Test(
        arguments: [
            "-1", "+5", "1.5", "1e3", "0x10", "", " ", "soon", "nan", "NaN", "inf", "-inf", "infinity", "5s", "5 s",
            "5;",
            "1 2", ",", ", 5", "soon, 5", "\"5\"", "5\u{0}", "٥", "５", "5\u{A0}", "1_000", "Sun, 06 Nov 1994",
            "Sun, 31 Feb 1995 08:49:37 GMT", "Sun, 06 Nov 1994 08:50:37 GMT x", "1994-11-06T08:50:37Z",
        ])
    func `Other values are ignored`(_ value: String) {
        #expect(seconds(value) == nil)
        #expect(seconds(value, date: "Sun, 06 Nov 1994 08:49:37 GMT") == nil)
    }

    @Test(arguments: ["9", "0", " ", "5, ", "Sun, ", "Sun, 06 Nov 1994 08:50:37 GMT, ", ","])
    func `Large values are ignored`(_ part: String) {
        let value = String(repeating: part, count: TestLevel.count(1 << 17, nightly: 1 << 20))
        #expect(seconds(value) == nil)
        #expect(seconds(value + "5") == nil)
        #expect(seconds("Sun, 06 Nov 1994 08:50:37 GMT", date: value) == 60)
    }

    @Test func `A missing field is ignored`() {
        #expect(seconds(nil) == nil)
        #expect(seconds(nil, date: "Sun, 06 Nov 1994 08:49:37 GMT") == nil)
    }

    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:50:37 GMT", 60),
            ("Sunday, 06-Nov-94 08:50:37 GMT", 60),
            ("Sun Nov  6 08:50:37 1994", 60),
            (" Sun, 06 Nov 1994 08:50:37 GMT\t", 60),
            ("Sun, 06 Nov 1994 08:50:37 GMT, Sun, 06 Nov 1994 08:51:37 GMT", 60),
            ("Sun, 06 Nov 1994 08:50:37 GMT, 120", 60),
            ("Sun Nov  6 08:50:37 1994, 120", 60),
            ("Sun, 06 Nov 1994 08:49:37 GMT", 0),
            ("Sun, 06 Nov 1994 08:49:36 GMT", 0),
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Mon, 07 Nov 1994 08:49:37 GMT", 86_400),
            ("Mon, 07 Nov 1994 08:49:38 GMT", 86_400),
            ("Fri, 31 Dec 9999 23:59:59 GMT", 86_400),
        ] as [(String, Double)])
    func `A date is compared with the clock`(_ value: String, _ expected: Double) {
        #expect(seconds(value) == expected)
    }

    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:50:00 GMT", 37), ("Sunday, 06-Nov-94 08:50:00 GMT", 37),
            ("Sun Nov  6 08:50:00 1994", 37), ("Thu, 01 Jan 1970 00:00:00 GMT", 86_400),
            ("Fri, 31 Dec 9999 23:59:59 GMT", 0), ("Sun, 31 Feb 1994 08:50:00 GMT", 60), ("soon", 60), ("", 60),
            ("5", 60),
        ] as [(String, Double)])
    func `A date is compared with the server's date`(_ date: String, _ expected: Double) {
        #expect(seconds("Sun, 06 Nov 1994 08:50:37 GMT", date: date) == expected)
        #expect(seconds("60", date: date) == 60)
    }

    @Test(arguments: [Double.infinity, -.infinity, .nan, 1e300, -1e300])
    func `With any clock, a delay is within the limits`(_ now: Double) {
        for value in ["5", "Sun, 06 Nov 1994 08:50:37 GMT", "Sunday, 06-Nov-94 08:50:37 GMT"] {
            let seconds = RetryAfter.seconds(value, date: nil, now: Date(timeIntervalSince1970: now))
            #expect(seconds.map { 0...RetryAfter.limit ~= $0 } ?? true)
        }
    }
}
