import Foundation

/// The texts of dates. Pure, and without the time zone and the language of the device.
enum XMLDateText {
    /// The types `dateTime` and `date` (XML Schema part 2 §3.3.7 and §3.3.9).
    static func xmlSchema(_ text: String) -> Date? {
        var cursor = XMLCursor(Array(text.utf8)[...])
        let sign = cursor.skip("-") ? -1 : 1
        guard let year = cursor.takeNumber(digits: 4...9), cursor.skip("-"),
            let month = cursor.takeNumber(digits: 2...2), cursor.skip("-"),
            let number = cursor.takeNumber(digits: 2...2), let day = day(year * sign, month, number),
            let time = cursor.skip("T") ? time(&cursor) : 0, let zone = zone(&cursor), cursor.isAtEnd
        else { return nil }
        return Date(timeIntervalSince1970: Double(day * 86_400 - zone * 60) + time)
    }

    /// Returns the seconds since midnight. The end of a day may be written as 24:00:00.
    private static func time(_ cursor: inout XMLCursor) -> Double? {
        guard let hour = cursor.takeNumber(digits: 2...2), cursor.skip(":"),
            let minute = cursor.takeNumber(digits: 2...2), cursor.skip(":"),
            let second = cursor.takeNumber(digits: 2...2), minute < 60, second < 60,
            hour < 24 || hour == 24 && minute == 0 && second == 0
        else { return nil }
        let whole = Double(hour * 3600 + minute * 60 + second)
        guard cursor.skip(".") else { return whole }
        let digits = cursor.take { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        guard let fraction = Double("0." + String(decoding: digits, as: UTF8.self)), !digits.isEmpty,
            hour < 24 || fraction == 0
        else { return nil }
        return whole + fraction
    }

    /// Returns the minutes by which a zone is ahead of UTC.
    private static func zone(_ cursor: inout XMLCursor) -> Int? {
        if cursor.isAtEnd || cursor.skip("Z") { return 0 }
        guard let sign = sign(&cursor), let hour = cursor.takeNumber(digits: 2...2), cursor.skip(":"),
            let minute = cursor.takeNumber(digits: 2...2)
        else { return nil }
        return offset(hour, minute).map { $0 * sign }
    }

    /// A date of RFC 5322 §3.3, without comments, and the obsolete zones and years of §4.3.
    static func internetMessage(_ text: String) -> Date? {
        var cursor = XMLCursor(Array(text.utf8)[...])
        let name = cursor.take(while: isLetter)
        guard name.isEmpty || name.count == 3 && cursor.skip(",") else { return nil }
        cursor.skipSpaces()
        guard let number = cursor.takeNumber(digits: 1...2), cursor.skipSpaces(), let month = month(&cursor),
            cursor.skipSpaces(), let year = year(&cursor), let day = day(year, month, number), cursor.skipSpaces(),
            let hour = cursor.takeNumber(digits: 2...2), cursor.skip(":"),
            let minute = cursor.takeNumber(digits: 2...2),
            let second = cursor.skip(":") ? cursor.takeNumber(digits: 2...2) : 0, cursor.skipSpaces(),
            let zone = mailZone(&cursor), cursor.isAtEnd, hour < 24, minute < 60, second <= 60
        else { return nil }
        return Date(timeIntervalSince1970: Double(day * 86_400 + hour * 3600 + (minute - zone) * 60 + second))
    }

    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    private static func month(_ cursor: inout XMLCursor) -> Int? {
        let name = String(decoding: cursor.take(while: isLetter), as: UTF8.self).lowercased()
        return months.firstIndex(of: name).map { $0 + 1 }
    }

    /// Years of two digits are between 1950 and 2049, and years of three digits count from 1900.
    private static func year(_ cursor: inout XMLCursor) -> Int? {
        let start = cursor.index
        guard let year = cursor.takeNumber(digits: 2...4) else { return nil }
        switch cursor.index - start {
        case 2: return year + (year < 50 ? 2000 : 1900)
        case 3: return year + 1900
        default: return year
        }
    }

    private static let zones = [
        "Z": 0, "UT": 0, "GMT": 0, "UTC": 0, "EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6,
        "PST": -8, "PDT": -7,
    ]

    private static func mailZone(_ cursor: inout XMLCursor) -> Int? {
        guard let sign = sign(&cursor) else {
            let name = String(decoding: cursor.take(while: isLetter), as: UTF8.self).uppercased()
            return zones[name].map { $0 * 60 }
        }
        return cursor.takeNumber(digits: 4...4).flatMap { offset($0 / 100, $0 % 100) }.map { $0 * sign }
    }

    private static func sign(_ cursor: inout XMLCursor) -> Int? { cursor.skip("+") ? 1 : cursor.skip("-") ? -1 : nil }

    /// Returns minutes. Zones are at most 14 hours ahead of or behind UTC.
    private static func offset(_ hour: Int, _ minute: Int) -> Int? {
        minute < 60 && hour * 60 + minute <= 840 ? hour * 60 + minute : nil
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
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
