public import Foundation

/// The form of dates in a document.
public enum XMLDateDecodingStrategy: Sendable {
    /// The types `dateTime` and `date` of XML Schema: `2026-11-26T08:30:00.5+01:00`, `2026-11-26`. Without a time zone,
    /// the time is in UTC.
    case xmlSchema
    /// The dates of RSS and of mail (RFC 5322 §3.3): `Thu, 26 Nov 2026 08:30:00 +0100`. Years of two digits and the
    /// older zones (`GMT`, `UT`, `Z` and those of North America) are accepted, too.
    case internetMessage
    /// Seconds since 1 January 1970, UTC.
    case secondsSince1970
    /// Milliseconds since 1 January 1970, UTC.
    case millisecondsSince1970
    /// Converts the text with a function. A nil result is a decoding error.
    case custom(@Sendable (_ text: String) throws -> Date?)
}

extension XMLDateDecodingStrategy {
    func date(_ text: String) throws -> Date? {
        switch self {
        case .xmlSchema: XMLDateText.xmlSchema(text)
        case .internetMessage: XMLDateText.internetMessage(text)
        case .secondsSince1970: Double(xmlNumber: text).map { Date(timeIntervalSince1970: $0) }
        case .millisecondsSince1970: Double(xmlNumber: text).map { Date(timeIntervalSince1970: $0 / 1000) }
        case .custom(let convert): try convert(text)
        }
    }
}
