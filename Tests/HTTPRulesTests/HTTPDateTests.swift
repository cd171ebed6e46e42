import Foundation
import TestKit
import Testing

@testable import HTTPRules

@Suite(.timeLimit(.test))
struct HTTPDateTests {
    private static let now = Date(timeIntervalSince1970: 1_700_000_000)  // 2023-11-14T22:13:20Z

    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
            ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777),
            ("Sun Nov 06 08:49:37 1994", 784_111_777),
            ("Wed Nov 16 08:49:37 1994", 784_975_777),
            ("Wednesday, 16-Nov-94 08:49:37 GMT", 784_975_777),
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
            ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
            ("Sat, 01 Jan 0000 00:00:00 GMT", -62_167_219_200),
            ("Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199),
            ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400),
            ("Mon, 29 Feb 2024 23:59:59 GMT", 1_709_251_199),  // the wrong day of the week
            ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
        ] as [(String, Double)])
    func `All formats of a date are accepted`(_ text: String, _ seconds: Double) {
        #expect(HTTPDate.date(text, now: Self.now)?.timeIntervalSince1970 == seconds)
    }

    @Test(arguments: [
        "Sat, 31 Feb 2024 00:00:00 GMT", "Wed, 29 Feb 2023 00:00:00 GMT", "Thu, 29 Feb 1900 00:00:00 GMT",
        "Thu, 31 Apr 2024 00:00:00 GMT", "Thu, 00 Jan 2024 00:00:00 GMT", "Thu, 32 Dec 2024 00:00:00 GMT",
        "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT",
        "Sun, 06 Now 1994 08:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT", "Son, 06 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 GMT ",
        " Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT",
        "Sun, 06-Nov-94 08:49:37 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT", "Sunday, 06 Nov 1994 08:49:37 GMT",
        "Sunday, 31-Feb-94 08:49:37 GMT", "Sunday, 06-Nov-94 24:49:37 GMT", "Sunday, 06-Nov-94 08:49:37",
        "Sunday 06-Nov-94 08:49:37 GMT", "Sun Nov 6 08:49:37 1994", "Sun Nov   6 08:49:37 1994",
        "Sun Nov  0 08:49:37 1994", "Sun Feb 31 08:49:37 1994", "Sun Nov  6 24:49:37 1994",
        "Sun Nov  6 08:49:37 94", "Sun Nov  6 08:49:37 1994 GMT", "Sunday Nov  6 08:49:37 1994",
        "Sun, +6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov -994 08:49:37 GMT", "Sun, 06 Nov ١٩٩٤ 08:49:37 GMT",
        "", "soon", "784111777", "1994-11-06T08:49:37Z", ",,,,", "Sun", "Sun,", "Sunday, ",
    ])
    func `Other texts are no dates`(_ text: String) {
        #expect(HTTPDate.date(text, now: Self.now) == nil)
    }

    @Test(
        arguments: [
            // A date exactly 50 years after now, and a second later.
            ("14-Nov-73 22:13:20", 1_700_000_000, "2073-11-14T22:13:20Z"),
            ("14-Nov-73 22:13:21", 1_700_000_000, "1973-11-14T22:13:21Z"),
            ("01-Jan-73 00:00:00", 1_700_000_000, "2073-01-01T00:00:00Z"),
            ("31-Dec-73 00:00:00", 1_700_000_000, "1973-12-31T00:00:00Z"),
            ("01-Jan-74 00:00:00", 1_700_000_000, "1974-01-01T00:00:00Z"),
            ("31-Dec-99 00:00:00", 1_700_000_000, "1999-12-31T00:00:00Z"),
            ("01-Jan-00 00:00:00", 1_700_000_000, "2000-01-01T00:00:00Z"),
            ("01-Jan-05 00:00:00", 4_070_908_800, "2105-01-01T00:00:00Z"),  // seen in 2099
            ("01-Jan-70 00:00:00", 0, "1970-01-01T00:00:00Z"),
            ("01-Jan-19 00:00:00", 0, "2019-01-01T00:00:00Z"),
            ("01-Jan-21 00:00:00", 0, "1921-01-01T00:00:00Z"),
        ] as [(String, Double, String)])
    func `A year of two digits is at most 50 years in the future`(_ text: String, _ now: Double, _ date: String) {
        let result = HTTPDate.date("Monday, \(text) GMT", now: Date(timeIntervalSince1970: now))
        #expect(result?.formatted(.iso8601) == date)
    }

    @Test(arguments: [Double.infinity, -.infinity, .nan, 1e300, -1e300])
    func `Any clock is accepted`(_ now: Double) {
        let date = HTTPDate.date("Sunday, 06-Nov-94 08:49:37 GMT", now: Date(timeIntervalSince1970: now))
        #expect(date?.timeIntervalSince1970.isFinite ?? true)
    }

    @Test func `Both functions agree on the preferred format`() {
        for day in stride(from: -12_000_000_000, to: 253_402_300_800, by: 86_400 * 997 + 12_347.0) {
            let date = Date(timeIntervalSince1970: day.rounded())
            let style = Date.VerbatimFormatStyle(
                format:
                    "\(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .padded(4)) \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits) GMT",
                locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt, calendar: Calendar(identifier: .gregorian))
            let text = date.formatted(style)
            #expect(HTTPDate.date(text) == date, "\(text)")
            #expect(HTTPDate.date(text, now: Self.now) == date, "\(text)")
        }
    }

    @Test func `The older function still accepts the preferred format only`() {
        #expect(HTTPDate.date("Sun, 06 Nov 1994 08:49:37 GMT") != nil)
        #expect(HTTPDate.date("Sunday, 06-Nov-94 08:49:37 GMT") == nil)
        #expect(HTTPDate.date("Sun Nov  6 08:49:37 1994") == nil)
    }
}
