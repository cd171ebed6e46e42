package import Foundation

/// The field `Retry-After`, with which a server asks a client to wait (RFC 9110 §10.2.3). Pure.
package enum RetryAfter {
    /// The maximum delay: one day, in seconds. Without a maximum, one wrong field, such as a Unix time in place of a
    /// delay, would stop an app from sending requests for years.
    package static let limit: TimeInterval = 86_400

    /// Returns the number of seconds from `now` that the server asks the client to wait, at least 0 and at most
    /// ``limit``. Returns nil if `value` is neither a number of seconds nor a date.
    ///
    /// A date is compared with `date`, the server's `Date` field, because the clocks of server and client may differ. If
    /// that is missing or invalid, the date is compared with `now`. If the field was repeated, the first value counts.
    package static func seconds(_ value: String?, date: String?, now: Date) -> TimeInterval? {
        guard let value, var cursor = ByteCursor(value) else { return nil }
        cursor.skipSpaces()
        let start = cursor
        let digits = cursor.take(while: \.isASCIIDigit)
        if !digits.isEmpty {
            return cursor.skipToEndOfValue() ? Double(String(decoding: digits, as: UTF8.self)).map(clamped) : nil
        }
        cursor = start
        guard let end = HTTPDate.read(&cursor, now: now), cursor.skipToEndOfValue() else { return nil }
        return clamped(end.timeIntervalSince(serverDate(date, now: now)))
    }

    /// Returns the date of a `Date` field, or `now` if the field is missing or invalid.
    static func serverDate(_ date: String?, now: Date) -> Date {
        date.flatMap { HTTPDate.date($0, now: now) } ?? now
    }

    /// Returns a delay within the limits. A delay that is not a number becomes 0.
    static func clamped(_ seconds: TimeInterval) -> TimeInterval {
        seconds > 0 ? min(seconds, limit) : 0
    }
}

extension ByteCursor {
    /// Skips white space. Returns false if neither the end of the field nor a comma follows.
    fileprivate mutating func skipToEndOfValue() -> Bool {
        skipSpaces()
        return isAtEnd || next == UInt8(ascii: ",")
    }
}
