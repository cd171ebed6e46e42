import Foundation
import HTTPRules
import SiestaCore

/// A type that is decoded from one text.
protocol XMLScalar {
    /// Returns the value of a text; nil if the text is not such a value.
    static func value(of text: String, _ options: XMLTreeDecoder) throws -> Self?
}

extension String: XMLScalar {
    static func value(of text: String, _ options: XMLTreeDecoder) -> String? {
        options.trimsWhitespace ? text.trimmingXMLSpace : text
    }
}

extension Bool: XMLScalar {
    static func value(of text: String, _ options: XMLTreeDecoder) -> Bool? {
        switch StreamSafety.safe(text.trimmingXMLSpace) {
        case "true", "1": true
        case "false", "0": false
        default: nil
        }
    }
}

extension Double: XMLScalar {
    static func value(of text: String, _ options: XMLTreeDecoder) -> Double? { Double(xmlNumber: text) }

    /// Parses a number of XML Schema part 2 §3.3.5. Swift would also accept hexadecimal numbers and `infinity`.
    init?(xmlNumber text: String) {
        let text = StreamSafety.safe(text.trimmingXMLSpace)
        switch text {
        case "INF", "+INF": self = .infinity
        case "-INF": self = -.infinity
        case "NaN": self = .nan
        default:
            guard text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }), let number = Double(text) else {
                return nil
            }
            self = number
        }
    }
}

extension Float: XMLScalar {
    static func value(of text: String, _ options: XMLTreeDecoder) -> Float? {
        guard let number = Double(xmlNumber: text) else { return nil }
        return number.isFinite ? Float(text.trimmingXMLSpace) : Float(number)
    }
}

extension Decimal: XMLScalar {
    static func value(of text: String, _ options: XMLTreeDecoder) -> Decimal? {
        guard Double(xmlNumber: text)?.isFinite == true else { return nil }
        return Decimal(string: text.trimmingXMLSpace, locale: Locale(identifier: "en_US_POSIX"))
    }
}

extension Date: XMLScalar {
    static func value(of text: String, _ options: XMLTreeDecoder) throws -> Date? {
        try options.dateDecodingStrategy.date(text.trimmingXMLSpace)
    }
}

extension Data: XMLScalar {
    static func value(of text: String, _ options: XMLTreeDecoder) -> Data? { options.dataDecodingStrategy.data(text) }
}

extension URL: XMLScalar {
    static func value(of text: String, _ options: XMLTreeDecoder) -> URL? { text.trimmingXMLSpace.url }
}

extension XMLScalar where Self: FixedWidthInteger {
    static func value(of text: String, _ options: XMLTreeDecoder) -> Self? { Self(text.trimmingXMLSpace) }
}

extension Int: XMLScalar {}
extension Int8: XMLScalar {}
extension Int16: XMLScalar {}
extension Int32: XMLScalar {}
extension Int64: XMLScalar {}
extension UInt: XMLScalar {}
extension UInt8: XMLScalar {}
extension UInt16: XMLScalar {}
extension UInt32: XMLScalar {}
extension UInt64: XMLScalar {}
extension Int128: XMLScalar {}
extension UInt128: XMLScalar {}

/// A type that is decoded from any number of elements. It is empty if there are none.
protocol XMLRepeated {}

extension Array: XMLRepeated {}
extension ContiguousArray: XMLRepeated {}
extension Set: XMLRepeated {}

extension String {
    /// The text without the white space of XML (XML 1.0 §2.3) at both ends.
    var trimmingXMLSpace: String {
        guard let first = utf8.firstIndex(where: { !$0.isXMLSpace }),
            let last = utf8.lastIndex(where: { !$0.isXMLSpace })
        else { return "" }
        return String(self[first...last])
    }
}
