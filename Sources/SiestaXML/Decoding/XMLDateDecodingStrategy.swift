public import Foundation

/// The format of dates in a document.
public enum XMLDateDecodingStrategy: Sendable {
    /// The formats of the XML Schema types `dateTime` and `date`, such as `2026-11-26T08:30:00.5+01:00` and
    /// `2026-11-26`. If there is no time zone, the time is in UTC.
    case xmlSchema
    /// The format of dates in RSS and in mail (RFC 5322 §3.3), such as `Thu, 26 Nov 2026 08:30:00 +0100`. Two-digit
    /// years and the obsolete names of time zones (such as `GMT`, `UT`, `Z` and `EST`) are also accepted.
    case internetMessage
    /// The number of seconds since 1 January 1970, UTC.
    case secondsSince1970
    /// The number of milliseconds since 1 January 1970, UTC.
    case millisecondsSince1970
    /// Converts the text of each date with the given function. If the function returns nil, decoding fails.
    case custom(@Sendable (_ text: String) throws -> Date?)
}

extension XMLDateDecodingStrategy {
    func date(_ text: String) throws -> Date? {
        switch self {
        case .xmlSchema: XMLDateText.xmlSchema(text)
        case .internetMessage: XMLDateText.internetMessage(text)
        case .secondsSince1970: Self.date(seconds: Double(xmlNumber: text))
        case .millisecondsSince1970: Self.date(seconds: Double(xmlNumber: text).map { $0 / 1000 })
        case .custom(let convert): try convert(text)
        }
    }

    /// `INF` and `NaN` are numbers of XML Schema, but no dates.
    private static func date(seconds: Double?) -> Date? {
        seconds.flatMap { $0.isFinite ? Date(timeIntervalSince1970: $0) : nil }
    }
}
