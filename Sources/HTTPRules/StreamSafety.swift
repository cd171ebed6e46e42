/// The rule that texts from a server must follow before they are compared or hashed as strings. Pure; takes time
/// proportional to the length of the text.
///
/// Equal strings may differ in the order of their combining marks. Therefore `String` sorts each run of marks when it
/// compares or hashes a text, and takes time that is quadratic in the length of the run: 5 seconds for 180 KB. UAX #15
/// §13 calls a text with at most 30 marks in a row stream-safe; no language needs more.
package enum StreamSafety {
    /// The maximum number of combining marks in a row.
    @inlinable package static var limit: Int { 30 }

    /// Returns true if the text has no longer run of combining marks.
    ///
    /// An underscore does not end a run, because a decoder that converts keys from snake case removes it.
    @inlinable
    package static func allows(_ text: String) -> Bool {
        // Each mark has at least one byte.
        text.utf8.count <= limit || allowsLong(text)
    }

    @usableFromInline
    static func allowsLong(_ text: String) -> Bool {
        guard !text.withUTF8Bytes(isASCII) else { return true }
        var run = MarkRun()
        for scalar in text.unicodeScalars { run.append(scalar) }
        return !run.isTooLong
    }

    /// Returns true if the bytes, read as UTF-8, have no longer run of combining marks.
    package static func allows(utf8 bytes: some Collection<UInt8>) -> Bool {
        bytes.allSatisfy { $0 < 0x80 } || allows(String(decoding: bytes, as: UTF8.self))
    }

    /// Returns the text, or, if it has too long a run, its bytes read as Latin-1, which has no combining marks.
    @inlinable
    package static func safe(_ text: String) -> String {
        allows(text) ? text : String(latin1: text.utf8)
    }

    /// Compares texts that a server may have chosen: by their bytes, if comparing them as strings would take very long.
    package static func areEqual(_ one: String, _ other: String) -> Bool {
        allows(one) && allows(other) ? one == other : one.hasSameBytes(as: other)
    }

    private static func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var index = 0
        while index + 8 <= bytes.count {
            guard bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0 else {
                return false
            }
            index += 8
        }
        return bytes[index...].allSatisfy { $0 < 0x80 }
    }
}

/// The combining marks at the end of a text that is read character by character.
package struct MarkRun {
    private var count = 0

    /// True if the text contains more than ``StreamSafety/limit`` marks in a row.
    package private(set) var isTooLong = false

    package init() {}

    package mutating func append(_ scalar: Unicode.Scalar) {
        let marks = Self.marks(in: scalar)
        if marks > 0 {
            count += marks
            if count > StreamSafety.limit { isTooLong = true }
        } else if scalar != "_" {
            count = 0
        }
    }

    /// Ends the run, because another character follows.
    package mutating func reset() { count = 0 }

    /// Returns the number of marks into which a scalar is decomposed; 0 for a character that begins with none.
    private static func marks(in scalar: Unicode.Scalar) -> Int {
        guard scalar.value >= 0x300 else { return 0 }
        switch scalar.value {
        case 0x344, 0xF73, 0xF75, 0xF81: return 2  // The combining class of the last three is 0.
        default: return scalar.properties.canonicalCombiningClass == .notReordered ? 0 : 1
        }
    }
}
