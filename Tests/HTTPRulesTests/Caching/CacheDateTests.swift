import Foundation
import HTTPRules
import TestKit
import Testing

@Suite("RFC 9111 §4.2: dates", .timeLimit(.test))
struct CacheDateTests {
    private static let now = Date(timeIntervalSince1970: 784_111_777)  // Sun, 06 Nov 1994 08:49:37 GMT

    private func unixTime(_ text: String?) -> Double? {
        CacheDate.seconds(text, now: Self.now.timeIntervalSinceReferenceDate)
            .map { $0 + Date.timeIntervalBetween1970AndReferenceDate }
    }

    @Test(
        arguments: [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
            "sun, 06 nov 1994 08:49:37 gmt", "SUNDAY, 06-NOV-94 08:49:37 GMT", "sUN nOV  6 08:49:37 1994",
            " Sun, 06 Nov 1994 08:49:37 GMT\t", "Mon, 06 Nov 1994 08:49:37 GMT",  // The day may be wrong.
        ])
    func `The three forms are read without regard to case`(text: String) {
        #expect(unixTime(text) == 784_111_777)
    }

    @Test(
        arguments: [
            nil, "", "0", "-1", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 08:49:37 AEST",
            "Sun, 06 Nov 1994 08:49:37 +0000", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 94 08:49:37 GMT",
            "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 8:49:37 GMT", "Sun 06 Nov 1994 08:49:37 GMT",
            "Sun, 06-Nov-1994 08:49:37 GMT", "Sun, 06 Nov 1994 08.49.37 GMT", "Sun,  06 Nov 1994 08:49:37 GMT",
            "Sun, 06  Nov 1994 08:49:37 GMT", "Sun, 31 Nov 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
            "Sun, 29 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:37 GMT",
            "Sun, 06 Nov 1994 08:49:61 GMT", "Xyz, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Xyz 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37 GMTX", "Sun, 06 Nov 1994 08:49:37 GMT x",
            "Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT",
            "Sun, 06-Nov-94 08:49:37 GMT", "Sunday, 06 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z", "784111777",
            "Sun, 06 Nov 19940 08:49:37 GMT", "Sun Nov 6 08:49:37 1994", "Sun, +6 Nov 1994 08:49:37 GMT",
        ] as [String?])
    func `Other text is no date`(text: String?) {
        #expect(unixTime(text) == nil)
    }

    @Test(
        arguments: [
            ("Wednesday, 06-Nov-30 08:49:37 GMT", "Wed, 06 Nov 2030 08:49:37 GMT"),
            ("Sunday, 06-Nov-44 08:49:37 GMT", "Sun, 06 Nov 2044 08:49:37 GMT"),  // 50 years after now, nearly
            ("Monday, 06-Nov-45 08:49:37 GMT", "Tue, 06 Nov 1945 08:49:37 GMT"),
        ])
    func `A year of two digits is at most 50 years ahead`(short: String, full: String) throws {
        let expected = try #require(unixTime(full))
        #expect(unixTime(short) == expected)
    }

    @Test func `All days of 400 years are the days of the calendar`() throws {
        var generator = SystemRandomNumberGenerator()
        // Some of the days, others each day.
        let step = TestLevel.count(49, nightly: 7)
        for day in stride(from: -150_000 + Int(TestSeed.current) % step, to: 150_000, by: step) {
            let time = Double(day * 86_400 + Int.random(in: 0..<86_400, using: &generator))
            let text = Self.text(time)
            #expect(unixTime(text) == time, "\(text)")
            #expect(HTTPDate.date(text, now: Self.now)?.timeIntervalSince1970 == time, "\(text)")
        }
    }

    private static func text(_ time: Double) -> String {
        var seconds = time_t(time)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        var buffer = [CChar](repeating: 0, count: 64)
        let count = strftime(&buffer, buffer.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
        return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
