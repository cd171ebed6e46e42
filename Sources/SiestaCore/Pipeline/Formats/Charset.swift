import CoreFoundation
package import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// A character set with an IANA name, and the decoding of text in it.
package struct Charset: Sendable {
    /// ISO-8859-1, in which every byte is a character. It is used for text without a declared charset.
    static let isoLatin1 = Charset(
        name: "iso-8859-1", encoding: CFStringEncoding(CFStringBuiltInEncodings.isoLatin1.rawValue))

    /// The encoding as Foundation names it.
    let stringEncoding: String.Encoding

    private let name: String
    private let encoding: CFStringEncoding

    /// Creates the character set with an IANA name. Ignores case, and white space and quotes around the name. Returns
    /// nil if the name is unknown.
    package init?(ianaName: String) {
        let name = ianaName.trimmingCharacters(in: .whitespaces.union(CharacterSet(charactersIn: "\"")))
        let encoding = Self.coreFoundationString(name).map(CFStringConvertIANACharSetNameToEncoding)
        guard let encoding, encoding != kCFStringEncodingInvalidId else { return nil }
        self.init(name: name, encoding: encoding)
    }

    private init(name: String, encoding: CFStringEncoding) {
        self.name = name
        self.encoding = encoding
        stringEncoding = String.Encoding(rawValue: UInt(CFStringConvertEncodingToNSStringEncoding(encoding)))
    }

    /// Decodes `data`. Returns nil if some bytes are illegal. In Unicode encodings, a byte order mark at the start
    /// determines the byte order, and is removed.
    package func decode(_ data: Data) -> String? {
        switch stringEncoding {
        case .utf8: String(validating: data.starts(with: Self.utf8Mark) ? data.dropFirst(3) : data, as: UTF8.self)
        case .isoLatin1: String(data: data, encoding: .isoLatin1)
        case .ascii: data.allSatisfy { $0 < 0x80 } ? String(data: data, encoding: .utf8) : nil
        case .utf16, .utf16BigEndian, .utf16LittleEndian: data.count.isMultiple(of: 2) ? decodeUTF16(data) : nil
        case .utf32, .utf32BigEndian, .utf32LittleEndian: data.count.isMultiple(of: 4) ? decodeUTF32(data) : nil
        default: decodeOther(data, encoding)
        }
    }

    /// Returns the character set that a byte order mark at the start of a text without a label indicates; nil if there
    /// is no mark.
    static func marked(by data: Data) -> Charset? {
        if data.starts(with: utf8Mark) { return Charset(.utf8) }
        if utf32Marks.contains(where: { data.starts(with: $0) }) { return Charset(.utf32) }
        return utf16Marks.contains { data.starts(with: $0) } ? Charset(.utf16) : nil
    }

    private static let utf8Mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private static let utf16Marks: [[UInt8]] = [[0xFF, 0xFE], [0xFE, 0xFF]]
    private static let utf32Marks: [[UInt8]] = [[0xFF, 0xFE, 0, 0], [0, 0, 0xFE, 0xFF]]

    private init(_ encoding: String.Encoding) {
        self.init(name: Self.ianaName(of: encoding) ?? "", encoding: Self.encoding(of: encoding))
    }

    /// CoreFoundation reads a mark only if the name of the encoding contains no byte order.
    private func decodeUTF16(_ data: Data) -> String? {
        let isMarked = Self.utf16Marks.contains { data.starts(with: $0) }
        return decodeOther(data, isMarked ? Self.encoding(of: .utf16) : encoding)
    }

    private func decodeUTF32(_ data: Data) -> String? {
        let isMarked = Self.utf32Marks.contains { data.starts(with: $0) }
        return decodeOther(data, isMarked ? Self.encoding(of: .utf32) : encoding)
    }

    /// Returns the name of an encoding for use in `Content-Type`, in lower case; nil if the encoding has no name.
    static func ianaName(of encoding: String.Encoding) -> String? {
        CFStringConvertEncodingToIANACharSetName(Self.encoding(of: encoding)).flatMap { text($0) }?.lowercased()
    }

    private static func encoding(of encoding: String.Encoding) -> CFStringEncoding {
        CFStringConvertNSStringEncodingToEncoding(numericCast(encoding.rawValue))
    }

    private func decodeOther(_ data: Data, _ encoding: CFStringEncoding) -> String? {
        guard !data.isEmpty else { return "" }
        let bytes = Array(data)
        let decoded = CFStringCreateWithBytes(nil, bytes, bytes.count, encoding, true).flatMap { Self.text($0) }
        #if !canImport(Darwin)
        // CoreFoundation on Linux has names for some encodings, such as EUC-JP, but lacks their tables.
        return decoded ?? Self.convertToUTF8(bytes, from: name)
        #else
        return decoded
        #endif
    }

    private static func coreFoundationString(_ text: String) -> CFString? {
        let bytes = Array(text.utf8)
        let encoding = CFStringEncoding(CFStringBuiltInEncodings.UTF8.rawValue)
        return CFStringCreateWithBytes(nil, bytes, bytes.count, encoding, false)
    }

    private static func text(_ string: CFString) -> String? {
        let encoding = CFStringEncoding(CFStringBuiltInEncodings.UTF8.rawValue)
        let length = CFStringGetLength(string)
        var used: CFIndex = 0
        var bytes = [UInt8](repeating: 0, count: CFStringGetMaximumSizeForEncoding(length, encoding))
        let range = CFRange(location: 0, length: length)
        guard CFStringGetBytes(string, range, encoding, 0, false, &bytes, bytes.count, &used) == length else {
            return nil
        }
        return String(decoding: bytes.prefix(used), as: UTF8.self)
    }

    #if !canImport(Darwin)
    private static func convertToUTF8(_ bytes: [UInt8], from name: String) -> String? {
        guard let converter = iconv_open("UTF-8", name), converter != iconv_t(bitPattern: -1) else { return nil }
        defer { iconv_close(converter) }
        var input = bytes.map { CChar(bitPattern: $0) }
        var output = [CChar](repeating: 0, count: bytes.count * 4 + 16)
        let count = input.withUnsafeMutableBufferPointer { source in
            output.withUnsafeMutableBufferPointer { target in
                var (next, left) = (source.baseAddress, source.count)
                var (free, room) = (target.baseAddress, target.count)
                let isConverted = iconv(converter, &next, &left, &free, &room) != -1 && left == 0
                return isConverted ? target.count - room : nil
            }
        }
        return count.map { String(decoding: output.prefix($0).map { UInt8(bitPattern: $0) }, as: UTF8.self) }
    }
    #endif
}
