/// A point in time in whole seconds since 1970, with the two spellings that the API needs.
///
/// A calendar of its own: formatters are slow, and parsing must accept exactly what RFC 9110 section 5.6.7 lists.
struct Moment: Sendable, Hashable, Comparable {
    var seconds: Int

    static func < (left: Moment, right: Moment) -> Bool { left.seconds < right.seconds }

    /// A later moment, or an earlier one for negative numbers.
    func adding(days: Int = 0, seconds: Int = 0) -> Moment {
        Moment(seconds: self.seconds + days * 86_400 + seconds)
    }

    /// As in `2026-03-01T12:00:00Z`.
    var iso8601: String {
        let (year, month, day) = date
        return "\(Self.pad(year, 4))-\(Self.pad(month))-\(Self.pad(day))T\(time)Z"
    }

    /// As in `Sun, 01 Mar 2026 12:00:00 GMT`.
    var httpDate: String {
        let (year, month, day) = date
        let weekday = Self.weekdays[((dayNumber + 4) % 7 + 7) % 7]
        return "\(weekday), \(Self.pad(day)) \(Self.months[month - 1]) \(Self.pad(year, 4)) \(time) GMT"
    }

    // MARK: - Calendar

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private var dayNumber: Int { Int((Double(seconds) / 86_400).rounded(.down)) }

    private var time: String {
        let second = seconds - dayNumber * 86_400
        return "\(Self.pad(second / 3600)):\(Self.pad(second / 60 % 60)):\(Self.pad(second % 60))"
    }

    /// Year, month and day in the proleptic Gregorian calendar.
    private var date: (year: Int, month: Int, day: Int) {
        var year = 1970 + Int((Double(dayNumber) / 365.2425).rounded(.down))
        if Self.days(before: year + 1) <= dayNumber { year += 1 }
        if Self.days(before: year) > dayNumber { year -= 1 }
        var day = dayNumber - Self.days(before: year)
        var month = 1
        while day >= Self.length(ofMonth: month, in: year) {
            day -= Self.length(ofMonth: month, in: year)
            month += 1
        }
        return (year, month, day + 1)
    }

    /// Days from 1970 to the first of January of a year after 1.
    private static func days(before year: Int) -> Int {
        let past = year - 1
        return past * 365 + past / 4 - past / 100 + past / 400 - 719_162
    }

    private static func length(ofMonth month: Int, in year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }

    private static func pad(_ number: Int, _ width: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

extension Moment {
    /// Reads any of the three forms of an HTTP date; nil for everything else.
    ///
    /// The preferred form must be right to the letter. In the obsolete ones the weekday is not looked at, and years of
    /// two digits lie between 1970 and 2069.
    init?(httpDate text: String) {
        let words = text.split { " -,".contains($0) }.map(String.init)
        switch words.count {
        case 6 where words[5] == "GMT": self.init(year: words[3], month: words[2], day: words[1], time: words[4])
        case 5: self.init(year: words[4], month: words[1], day: words[2], time: words[3])
        default: return nil
        }
        let isObsolete = words.count == 5 || words[3].count == 2
        guard isObsolete || httpDate == text else { return nil }
    }

    private init?(year: String, month: String, day: String, time: String) {
        let clock = time.split(separator: ":", omittingEmptySubsequences: false).map {
            $0.count == 2 ? Self.number($0) : nil
        }
        guard var fullYear = Self.number(year), year.count == 4 || year.count == 2, let day = Self.number(day),
            let month = Self.months.firstIndex(of: month).map({ $0 + 1 }),
            clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2]
        else { return nil }
        if year.count == 2 { fullYear += fullYear < 70 ? 2000 : 1900 }
        guard fullYear > 0, (1...Self.length(ofMonth: month, in: fullYear)).contains(day), hour < 24, minute < 60,
            second < 60
        else { return nil }
        let days = (1..<month).reduce(Self.days(before: fullYear) + day - 1) {
            $0 + Self.length(ofMonth: $1, in: fullYear)
        }
        self.init(seconds: days * 86_400 + hour * 3600 + minute * 60 + second)
    }

    private static func number(_ text: some StringProtocol) -> Int? {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(text) : nil
    }
}
