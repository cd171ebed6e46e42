public import Foundation

extension String {
    /// Creates the text that the bytes are in Latin-1 (ISO-8859-1), where each byte is one character.
    @inlinable
    package init(latin1 bytes: some Collection<UInt8>) {
        self = String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    /// Calls `body` with the text as UTF-8. Does not copy the text if it is stored as contiguous UTF-8.
    @inlinable @inline(__always)
    package func withUTF8Bytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        if let result = utf8.withContiguousStorageIfAvailable({ body(UnsafeRawBufferPointer($0)) }) { return result }
        return Array(utf8).withUnsafeBytes(body)
    }

    /// The range of the first `://`, which ends a scheme; nil if there is none.
    @inlinable
    package var schemeSeparator: Range<Index>? { utf8.schemeSeparator }

    /// Returns true if both texts are equal. Ignores the case of ASCII letters.
    @inlinable
    package func isEqual(toASCII other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        return withUTF8Bytes { bytes in other.withUTF8Bytes { bytes.isEqual(toASCII: $0) } }
    }

    /// Returns true if both texts have the same UTF-8. `==` also ignores differences between the Unicode forms of a
    /// character.
    @inlinable
    package func hasSameBytes(as other: String) -> Bool {
        withUTF8Bytes { bytes in other.withUTF8Bytes { bytes.isEqual(to: $0) } }
    }

    /// Returns true if the text begins with the bytes of `prefix`.
    @inlinable
    package func starts(withUTF8Of prefix: String) -> Bool {
        withUTF8Bytes { bytes in
            prefix.withUTF8Bytes {
                bytes.count >= $0.count && UnsafeRawBufferPointer(rebasing: bytes[..<$0.count]).isEqual(to: $0)
            }
        }
    }

    /// Returns true if the text contains this ASCII character.
    @inlinable @inline(__always)
    package func contains(ascii character: UInt8) -> Bool {
        withUTF8Bytes { bytes in
            bytes.baseAddress.map { memchr($0, Int32(character), bytes.count) != nil } ?? false
        }
    }
}

extension UInt8 {
    /// The byte in lower case if it is an ASCII letter; otherwise the same byte.
    @inlinable @inline(__always)
    package var lowercasedASCII: UInt8 { self &- UInt8(ascii: "A") < 26 ? self | 0x20 : self }
}

extension UnsafeRawBufferPointer {
    @inlinable @inline(__always)
    package func isEqual(to other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        guard let start = baseAddress, let otherStart = other.baseAddress else { return true }
        return memcmp(start, otherStart, count) == 0
    }

    /// Returns true if both texts are equal. Ignores the case of ASCII letters.
    @inlinable @inline(__always)
    package func isEqual(toASCII other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        for index in indices {
            // Most bytes are equal.
            let (left, right) = (self[index], other[index])
            if left != right, left.lowercasedASCII != right.lowercasedASCII { return false }
        }
        return true
    }

    @inlinable @inline(__always)
    package func starts(withBytes bytes: [UInt8]) -> Bool {
        guard count >= bytes.count, let start = baseAddress else { return bytes.isEmpty }
        return memcmp(start, bytes, bytes.count) == 0
    }
}

extension Collection<UInt8> {
    /// The range of the first `://`, which ends a scheme; nil if there is none. The search of the standard library takes
    /// twenty times as long.
    @inlinable
    package var schemeSeparator: Range<Index>? {
        var rest = self[...]
        while let colon = rest.firstIndex(of: UInt8(ascii: ":")) {
            rest = rest[colon...]
            if rest.starts(with: "://".utf8) { return colon..<index(colon, offsetBy: 3) }
            rest = rest.dropFirst()
        }
        return nil
    }
}
