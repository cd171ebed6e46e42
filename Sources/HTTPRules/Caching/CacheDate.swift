/// Dates in the fields from which a cache computes a lifetime or an age (RFC 9110 §5.6.7, RFC 9111 §4.2).
///
/// ``HTTPDate`` is the strict reader for all other fields. This one ignores the case of letters, as RFC 9111 §4.2 asks,
/// reads in place, and computes without a calendar.
package enum CacheDate {
    /// Returns the number of seconds since the reference date, 1 January 2001. `now` is in the same unit. It places
    /// years of two digits, see ``HTTPDate/date(_:now:)``. Returns nil for any other text, for zones other than `GMT`,
    /// and for days and times that do not exist.
    package static func seconds(_ value: String?, now: Double) -> Double? {
        value?.withUTF8Bytes { bytes in
            var reader = FieldReader(bytes)
            reader.skipSpaces()
            guard let date = reader.takeDate(now: now) else { return nil }
            reader.skipSpaces()
            return reader.isAtEnd ? date : nil
        }
    }

    /// Returns nil if the month does not have this day. `month` counts from 0.
    fileprivate static func seconds(_ year: Int, _ month: Int, _ day: Int, _ time: Int) -> Double? {
        let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
        let lengths: (Int) -> Int = { $0 == 1 ? (isLeap ? 29 : 28) : [3, 5, 8, 10].contains($0) ? 30 : 31 }
        guard 1...lengths(month) ~= day else { return nil }
        return Double(days(year, month, day) * 86_400 + time)
    }

    /// Returns the number of days since the reference date in the Gregorian calendar. The formula counts years from
    /// March, so that a leap day is the last day of its year.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = (month < 2 ? year - 1 : year) + 400  // not negative, because division rounds towards zero
        let dayOfYear = (153 * ((month + 10) % 12) + 2) / 5 + day - 1
        return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 876_888
    }

    /// Returns the last date with a year of these two digits that is at most 50 years after `now`.
    fileprivate static func seconds(twoDigits: Int, _ month: Int, _ day: Int, _ time: Int, now: Double) -> Double? {
        let years = stride(from: 9900 + twoDigits, to: 100, by: -100)
        let year = years.first { Double(days($0 - 50, month, day) * 86_400 + time) <= now }
        return year.flatMap { seconds($0, month, day, time) }
    }
}

extension FieldReader {
    fileprivate mutating func takeDate(now: Double) -> Double? {
        let weekday = takeLetters()
        if Names.weekdays.contains(where: { weekday.isEqual(toASCII: $0) }) {
            guard skip(UInt8(ascii: ",")), skipSpace(), let day = takeDigits(2), skip(UInt8(ascii: "-")),
                let month = takeMonth(), skip(UInt8(ascii: "-")), let year = takeDigits(2), skipSpace(),
                let time = takeTime(), skipSpace(), skipZone()
            else { return nil }
            return CacheDate.seconds(twoDigits: year, month, day, time, now: now)
        }
        guard Names.shortWeekdays.contains(where: { weekday.isEqual(toASCII: $0) }) else { return nil }
        return skip(UInt8(ascii: ",")) ? takePreferredDate() : takeDateOfC()
    }

    /// Takes the rest of `Sun, 06 Nov 1994 08:49:37 GMT`.
    private mutating func takePreferredDate() -> Double? {
        guard skipSpace(), let day = takeDigits(2), skipSpace(), let month = takeMonth(), skipSpace(),
            let year = takeDigits(4), skipSpace(), let time = takeTime(), skipSpace(), skipZone()
        else { return nil }
        return CacheDate.seconds(year, month, day, time)
    }

    /// Takes the rest of `Sun Nov  6 08:49:37 1994`.
    private mutating func takeDateOfC() -> Double? {
        guard skipSpace(), let month = takeMonth(), skipSpace(), let day = takeDigits(skipSpace() ? 1 : 2), skipSpace(),
            let time = takeTime(), skipSpace(), let year = takeDigits(4)
        else { return nil }
        return CacheDate.seconds(year, month, day, time)
    }

    private mutating func takeTime() -> Int? {
        guard let hour = takeDigits(2), skip(UInt8(ascii: ":")), let minute = takeDigits(2), skip(UInt8(ascii: ":")),
            let second = takeDigits(2), hour < 24, minute < 60, second <= 60
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    private mutating func takeMonth() -> Int? {
        let name = takeLetters()
        return Names.months.firstIndex { name.isEqual(toASCII: $0) }
    }

    private mutating func takeLetters() -> UnsafeRawBufferPointer {
        take { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0.lowercasedASCII }
    }

    private mutating func skipSpace() -> Bool { skip(UInt8(ascii: " ")) }

    private mutating func skipZone() -> Bool { takeLetters().isEqual(toASCII: "gmt") }

    /// Takes a number of exactly `count` digits.
    private mutating func takeDigits(_ count: Int) -> Int? {
        let digits = take(while: \.isASCIIDigit)
        return digits.count == count ? digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } : nil
    }
}

private enum Names {
    static let weekdays: [StaticString] = [
        "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
    ]
    static let shortWeekdays: [StaticString] = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
    static let months: [StaticString] = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]
}
