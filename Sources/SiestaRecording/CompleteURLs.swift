/// Finds the URLs with a scheme and an authority in a text, such as `https://…`. Pure; takes time proportional to the
/// length of the text.
enum CompleteURLs {
    private static let mark = Array("://".utf8)

    /// Returns the text with each URL as `change` returns it.
    static func mapping(in text: String, _ change: (String) -> String) -> String {
        var result: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let colon = firstMark(in: rest) {
            let start = rest[..<colon].lastIndex { !isSchemeByte($0) }.map { $0 + 1 } ?? rest.startIndex
            let end = rest[(colon + mark.count)...].firstIndex(where: isDelimiter) ?? rest.endIndex
            let url = String(decoding: rest[start..<end], as: UTF8.self)
            result += rest[..<start]
            result += start < colon ? change(url).utf8 : url.utf8
            rest = rest[end...]
        }
        return result.isEmpty ? text : String(decoding: result + rest, as: UTF8.self)
    }

    private static func firstMark(in bytes: ArraySlice<UInt8>) -> Int? {
        bytes.indices.first { bytes[$0] == mark[0] && bytes[$0...].starts(with: mark) }
    }

    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "+-.".utf8.contains(byte)
        }
    }

    /// Returns true if the byte cannot be part of a URL. An apostrophe can.
    private static func isDelimiter(_ byte: UInt8) -> Bool { byte <= 0x20 || "\"<>".utf8.contains(byte) }
}
