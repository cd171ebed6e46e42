import Foundation

/// The texts of dates. Pure, and without the time zone and the language of the device.
enum XMLDateText {
    /// The types `dateTime` and `date` (XML Schema part 2 §3.3.7 and §3.3.9).
    static func xmlSchema(_ text: String) -> Date? {
        let pattern =
            /(-?\d{4,9})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d):(\d\d)(\.\d{1,12})?)?(Z|[+-]\d\d:\d\d)?/
            .asciiOnlyDigits()
        guard let parts = text.wholeMatch(of: pattern)?.output else { return nil }
        let numbers = [parts.1, parts.2, parts.3, parts.4 ?? "0", parts.5 ?? "0", parts.6 ?? "0"].compactMap { Int($0) }
        let isMidnight = numbers[3] == 24 && numbers[4] == 0 && numbers[5] == 0
        guard let day = day(numbers[0], numbers[1], numbers[2]), numbers[3] < 24 || isMidnight, numbers[4] < 60,
            numbers[5] < 60, let zone = offset(parts.8.map { $0.filter { $0 != ":" } } ?? "Z")
        else { return nil }
        let fraction = parts.7.flatMap { Double("0\($0)") } ?? 0
        return date(day, numbers[3], numbers[4], numbers[5], zone, fraction)
    }

    /// A date of RFC 5322 §3.3, without comments, and the obsolete zones and years of §4.3.
    static func internetMessage(_ text: String) -> Date? {
        let pattern =
            /(?:[A-Za-z]{3},)?\s*(\d{1,2})\s+([A-Za-z]{3})\s+(\d{4}|\d\d)\s+(\d\d):(\d\d)(?::(\d\d))?\s+([+-]\d{4}|[A-Za-z]{1,3})/
            .asciiOnlyDigits()
        guard let parts = text.wholeMatch(of: pattern)?.output, let month = months.firstIndex(of: parts.2.lowercased())
        else { return nil }
        let numbers = [parts.1, parts.3, parts.4, parts.5, parts.6 ?? "0"].compactMap { Int($0) }
        let year = parts.3.count == 2 ? numbers[1] + (numbers[1] < 50 ? 2000 : 1900) : numbers[1]
        guard let day = day(year, month + 1, numbers[0]), numbers[2] < 24, numbers[3] < 60, numbers[4] <= 60,
            let zone = offset(parts.7.uppercased())
        else { return nil }
        return date(day, numbers[2], numbers[3], numbers[4], zone, 0)
    }

    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    private static let zones = [
        "Z": 0, "UT": 0, "GMT": 0, "UTC": 0, "EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6,
        "PST": -8,
        "PDT": -7,
    ]

    /// Returns the minutes by which a zone is ahead of UTC.
    private static func offset(_ zone: String) -> Int? {
        if let hours = zones[zone] { return hours * 60 }
        guard zone.count == 5, let number = Int(zone), abs(number) % 100 < 60, abs(number) <= 1400 else { return nil }
        return number / 100 * 60 + number % 100
    }

    private static func date(
        _ day: Int, _ hour: Int, _ minute: Int, _ second: Int, _ zone: Int, _ fraction: Double
    ) -> Date {
        let seconds = day * 86_400 + hour * 3600 + (minute - zone) * 60 + second
        return Date(timeIntervalSince1970: Double(seconds) + fraction)
    }

    /// Returns the number of days since 1 January 1970 in the proleptic Gregorian calendar; nil if there is no such
    /// day.
    private static func day(_ year: Int, _ month: Int, _ day: Int) -> Int? {
        let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard 1...12 ~= month, 1...lengths[month - 1] ~= day else { return nil }
        let before = year - 1
        let leapDays = floor(before, 4) - floor(before, 100) + floor(before, 400)
        return before * 365 + leapDays + lengths[..<(month - 1)].reduce(0, +) + day - 1 - 719_162
    }

    private static func floor(_ number: Int, _ divisor: Int) -> Int {
        (number - ((number % divisor) + divisor) % divisor) / divisor
    }
}
