import Foundation
import SiestaCore

/// The rule that determines the character encoding of a document (RFC 7303 §3, XML 1.0 appendix F). Pure.
enum XMLEncodingDetection {
    /// Returns the document in UTF-8, without a byte order mark. Checks that the bytes are legal.
    static func utf8(_ data: Data, charset: String?) throws(RequestError.Cause.InvalidXML.Reason) -> [UInt8] {
        let name = byteOrderMark(data) ?? charset ?? shape(data) ?? declared(data) ?? "utf-8"
        guard let charset = Charset(ianaName: name) else { throw .unknownEncoding(name) }
        guard let text = charset.decode(data) else { throw .undecodableText(encoding: name) }
        var bytes = Array(text.utf8)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        return bytes
    }

    /// The encodings of byte order marks. The longer marks come first, because UTF-32 begins like UTF-16.
    private static func byteOrderMark(_ data: Data) -> String? {
        let marks: [([UInt8], String)] = [
            ([0xFF, 0xFE, 0, 0], "utf-32"), ([0, 0, 0xFE, 0xFF], "utf-32"), ([0xEF, 0xBB, 0xBF], "utf-8"),
            ([0xFE, 0xFF], "utf-16"), ([0xFF, 0xFE], "utf-16"),
        ]
        return marks.first { data.starts(with: $0.0) }?.1
    }

    /// The encoding of a document whose first character `<` has several bytes.
    private static func shape(_ data: Data) -> String? {
        let shapes: [([UInt8], String)] = [
            ([0x3C, 0, 0, 0], "utf-32le"), ([0, 0, 0, 0x3C], "utf-32be"), ([0x3C, 0], "utf-16le"),
            ([0, 0x3C], "utf-16be"),
        ]
        return shapes.first { data.starts(with: $0.0) }?.1
    }

    /// The name in the XML declaration. A declaration in single bytes that names UTF-16 or UTF-32 is wrong and is
    /// ignored, as in browsers.
    private static func declared(_ data: Data) -> String? {
        guard XMLDeclaration.begins(data), let name = XMLDeclaration(data)?.encoding?.lowercased() else { return nil }
        return name.hasPrefix("utf-16") || name.hasPrefix("utf-32") || name.hasPrefix("ucs-") ? nil : name
    }
}
