package import Foundation

/// Dates in header fields (RFC 9110 §5.6.7).
package enum HTTPDate {
    /// Parses a date such as `Sun, 06 Nov 1994 08:49:37 GMT`. Returns nil for the two obsolete formats and for any
    /// other text, so that a validator with such a date is not used. ``date(_:now:)`` accepts all formats.
    package static func date(_ text: String) -> Date? {
        let fields = text.split(whereSeparator: { " ,:".contains($0) })
        guard fields.count == 8, text.utf8.count == 29, fields[7] == "GMT",
            let month = months.firstIndex(of: String(fields[2])), let day = Int(fields[1]), let year = Int(fields[3]),
            let hour = Int(fields[4]), let minute = Int(fields[5]), let second = Int(fields[6]),
            (1...31).contains(day), (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
        else { return nil }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar.date(
            from: DateComponents(year: year, month: month + 1, day: day, hour: hour, minute: minute, second: second))
    }

    /// Parses a date in the preferred format or in one of the two obsolete formats:
    ///
    /// - `Sun, 06 Nov 1994 08:49:37 GMT`
    /// - `Sunday, 06-Nov-94 08:49:37 GMT`
    /// - `Sun Nov  6 08:49:37 1994`
    ///
    /// The second format has a year of two digits. The date is the last one with these digits that is at most 50 years
    /// after `now`. The day of the week must be a name, but it may be wrong. Returns nil for any other text, and for days
    /// and times that do not exist. A leap second is accepted in every minute.
    package static func date(_ text: String, now: Date) -> Date? {
        guard var cursor = ByteCursor(text), let date = read(&cursor, now: now), cursor.isAtEnd else { return nil }
        return date
    }

    /// Reads the date that comes next.
    static func read(_ cursor: inout ByteCursor, now: Date) -> Date? {
        if cursor.skip(oneOf: weekdays) != nil {
            guard cursor.skip(", "), let day = cursor.takeNumber(digits: 2), cursor.skip("-"),
                let month = cursor.skip(oneOf: months), cursor.skip("-"), let digits = cursor.takeNumber(digits: 2),
                cursor.skip(" "), let time = readTime(&cursor), cursor.skip(" GMT")
            else { return nil }
            let years = stride(from: 9900 + digits, to: 100, by: -100)
            return years.first { date($0 - 50, month, day, time) <= now }.flatMap { valid($0, month, day, time) }
        }
        guard cursor.skip(oneOf: weekdays.map { String($0.prefix(3)) }) != nil else { return nil }
        if cursor.skip(", ") {
            guard let day = cursor.takeNumber(digits: 2), cursor.skip(" "), let month = cursor.skip(oneOf: months),
                cursor.skip(" "), let year = cursor.takeNumber(digits: 4), cursor.skip(" "),
                let time = readTime(&cursor), cursor.skip(" GMT")
            else { return nil }
            return valid(year, month, day, time)
        }
        guard cursor.skip(" "), let month = cursor.skip(oneOf: months), cursor.skip(" "),
            let day = cursor.takeNumber(digits: cursor.skip(" ") ? 1 : 2), cursor.skip(" "),
            let time = readTime(&cursor), cursor.skip(" "), let year = cursor.takeNumber(digits: 4)
        else { return nil }
        return valid(year, month, day, time)
    }

    /// Reads a time such as `08:49:37` as the number of seconds since midnight.
    private static func readTime(_ cursor: inout ByteCursor) -> Int? {
        guard let hour = cursor.takeNumber(digits: 2), cursor.skip(":"), let minute = cursor.takeNumber(digits: 2),
            cursor.skip(":"), let second = cursor.takeNumber(digits: 2), hour < 24, minute < 60, second <= 60
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    /// Returns nil if the month does not have this day.
    private static func valid(_ year: Int, _ month: Int, _ day: Int, _ time: Int) -> Date? {
        guard day >= 1, days(year, month, day) < days(year, month + 1, 1) else { return nil }
        return date(year, month, day, time)
    }

    private static func date(_ year: Int, _ month: Int, _ day: Int, _ time: Int) -> Date {
        Date(timeIntervalSince1970: Double(days(year, month, day) * 86_400 + time))
    }

    /// Returns the number of days since 1970 in the Gregorian calendar. `month` counts from 0, and 12 is the January of
    /// the next year. The formula counts years from March, so that a leap day is the last day of its year.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = (month < 2 ? year - 1 : year) + 400  // not negative, because division rounds towards zero
        let dayOfYear = (153 * ((month + 10) % 12) + 2) / 5 + day - 1
        return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 865_565
    }

    private static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
