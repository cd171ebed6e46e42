#if os(Linux) || os(Android)
import Foundation

/// The most frequent form of ISO 8601: `2026-11-22T00:03:40Z`.
enum ISODate {
    /// Returns the date of a string of this form, or nil.
    static func date(_ node: Node, _ bytes: Span<UInt8>) -> Date? {
        guard node.kind == .string, node.flags == 0, node.length == 20 else { return nil }
        let text = bytes.extracting(node.start..<node.start + 20)
        let isForm =
            text[4] == UInt8(ascii: "-") && text[7] == UInt8(ascii: "-") && text[10] == UInt8(ascii: "T")
            && text[13] == UInt8(ascii: ":") && text[16] == UInt8(ascii: ":") && text[19] == UInt8(ascii: "Z")
        guard isForm, let century = number(text, 0), let years = number(text, 2), let month = number(text, 5),
            let day = number(text, 8), let hour = number(text, 11), let minute = number(text, 14),
            let second = number(text, 17)
        else { return nil }
        let year = century * 100 + years
        // Before 1600, calendars differ. Foundation decides about leap seconds and other unusual numbers.
        guard year >= 1600, 1...12 ~= month, day >= 1, day <= days(month, year), hour < 24, minute < 60, second < 60
        else {
            return nil
        }
        let seconds = daysSince1970(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second
        return Date(timeIntervalSince1970: Double(seconds))
    }

    /// Returns the number of two digits.
    private static func number(_ text: Span<UInt8>, _ index: Int) -> Int? {
        let (tens, ones) = (text[index] &- 0x30, text[index + 1] &- 0x30)
        return tens <= 9 && ones <= 9 ? Int(tens) * 10 + Int(ones) : nil
    }

    private static func days(_ month: Int, _ year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Counts days in years that begin in March, so that the leap day is the last one.
    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = shifted.quotientAndRemainder(dividingBy: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
#endif
