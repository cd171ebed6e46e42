package import Foundation

/// Dates in the format that HTTP prefers (RFC 9110 §5.6.7).
package enum HTTPDate {
    /// Parses a date such as `Sun, 06 Nov 1994 08:49:37 GMT`. Returns nil for the two obsolete formats and for any
    /// other text.
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

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
