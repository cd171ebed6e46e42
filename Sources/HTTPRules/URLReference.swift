package import Foundation

/// Text of a server, a file or the app that becomes a URL. Pure; takes time proportional to the length of the text.
///
/// Foundation repairs text with illegal characters, but then also escapes the percent signs of all escapes in the same
/// component: `/q?f[a]=x%20y` becomes `/q?f%5Ba%5D=x%2520y`. All text that becomes a URL therefore goes through this
/// type.
package enum URLReference {
    /// Returns the text with the characters escaped that a URL cannot contain (RFC 3986 §2), as UTF-8. A percent sign
    /// is escaped unless two hexadecimal digits follow.
    ///
    /// The host is unchanged, because Foundation converts or refuses it.
    package static func escaped(_ text: String) -> String {
        var text = text
        let digits = PercentEncoding.hexadecimal
        return text.withUTF8 { bytes in
            let parts = Parts(bytes)
            guard let first = bytes.indices.first(where: { !parts.isLegal($0) }) else { return nil }
            var result = Array(bytes[..<first])
            for index in first..<bytes.count {
                if parts.isLegal(index) {
                    result.append(bytes[index])
                } else {
                    result += [UInt8(ascii: "%"), digits[Int(bytes[index] >> 4)], digits[Int(bytes[index] & 15)]]
                }
            }
            return String(decoding: result, as: UTF8.self)
        } ?? text
    }

    /// The positions in a URL at which other characters are legal (RFC 3986, appendix B).
    private struct Parts {
        let bytes: UnsafeBufferPointer<UInt8>
        /// The first path segment of a relative reference in which Foundation would escape the colons; empty otherwise.
        let segment: Range<Int>
        /// The user info with its `@`, and the host with its port. Empty without an authority.
        let user: Range<Int>
        let host: Range<Int>
        /// The position of the first `#`; the end if there is no fragment.
        let fragment: Int

        init(_ bytes: UnsafeBufferPointer<UInt8>) {
            self.bytes = bytes
            fragment = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.endIndex
            let segmentEnd = bytes.firstIndex { "/?#".utf8.contains($0) } ?? bytes.endIndex
            let colon = bytes[..<segmentEnd].firstIndex(of: UInt8(ascii: ":"))
            let hasScheme = colon.map { Self.isScheme(bytes[..<$0]) } ?? true
            let hasBracket = !hasScheme && bytes[..<(colon ?? 0)].contains { "[]".utf8.contains($0) }
            segment = hasBracket ? 0..<segmentEnd : 0..<0
            let start = hasScheme ? colon.map { $0 + 1 } ?? 0 : bytes.endIndex
            guard bytes[start...].starts(with: "//".utf8) else {
                (user, host) = (0..<0, 0..<0)
                return
            }
            let end = bytes[(start + 2)...].firstIndex { "/?#".utf8.contains($0) } ?? bytes.endIndex
            let hostStart = bytes[(start + 2)..<end].lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 } ?? start + 2
            (user, host) = (start + 2..<hostStart, hostStart..<end)
        }

        /// Returns true if a colon ends this text as a scheme. Foundation also accepts an empty scheme.
        private static func isScheme(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
            guard let first = text.first else { return true }
            return first.isASCIIAlphanumeric && !first.isASCIIDigit
                && text.allSatisfy { $0.isASCIIAlphanumeric || "+-.".utf8.contains($0) }
        }

        /// Returns true if the byte at `index` need not be escaped.
        func isLegal(_ index: Int) -> Bool {
            switch bytes[index] {
            case _ where host.contains(index): true
            case UInt8(ascii: "%"):
                index + 2 < bytes.count && bytes[index + 1].isHexadecimalDigit && bytes[index + 2].isHexadecimalDigit
            case UInt8(ascii: "#"): index == fragment
            case UInt8(ascii: ":"): !segment.contains(index)
            case UInt8(ascii: "@"): !user.contains(index) || index == user.upperBound - 1
            case 0...0x20, 0x7F...0xFF, UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "["),
                UInt8(ascii: "\\"), UInt8(ascii: "]"), UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"),
                UInt8(ascii: "|"), UInt8(ascii: "}"):
                false
            default: true
            }
        }
    }
}

extension URL {
    /// Creates the URL that a text spells, or the absolute URL to which it refers if there is a `base` (RFC 3986 §5).
    ///
    /// Characters that a URL cannot contain are escaped, and escapes stay as they are. Returns nil for an empty text,
    /// for a text with control characters, and if Foundation finds no URL, for example because the host or the port
    /// is invalid.
    package init?(reference text: String, relativeTo base: URL? = nil) {
        guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return nil }
        guard let url = URL(string: URLReference.escaped(text), relativeTo: base) else { return nil }
        self = base == nil ? url : url.absoluteURL
    }
}
