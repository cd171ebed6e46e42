#if os(Linux) || os(Android)
import Foundation

extension OutputText {
    /// The dates from 1970 up to the end of the year 9999, in seconds since 1970.
    private static let ordinary = 0..<253_402_300_800.0

    /// Appends a date in the form `2026-11-22T00:03:40Z`.
    func append(iso8601 date: Date) {
        let time = date.timeIntervalSince1970
        guard OutputText.ordinary.contains(time) else { return append(date.formatted(.iso8601)) }
        let (days, second) = UInt64(time).quotientAndRemainder(dividingBy: 86_400)
        let (year, month, day) = OutputText.civil(days)
        append(UInt8(ascii: "\""))
        append(year, digits: 4)
        append(UInt8(ascii: "-"), month)
        append(UInt8(ascii: "-"), day)
        append(UInt8(ascii: "T"), second / 3600)
        append(UInt8(ascii: ":"), second / 60 % 60)
        append(UInt8(ascii: ":"), second % 60)
        append(literal: "Z\"")
    }

    private func append(_ separator: UInt8, _ number: UInt64) {
        append(separator)
        append(number, digits: 2)
    }

    /// Returns the date of a day, counted from 1970. Counts days in years that begin in March, so that the leap day is
    /// the last one.
    private static func civil(_ day: UInt64) -> (year: UInt64, month: UInt64, day: UInt64) {
        let (era, dayOfEra) = (day + 719_468).quotientAndRemainder(dividingBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }
}
#endif
