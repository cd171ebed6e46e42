package import Foundation
import SiestaCore

/// Writes the parts of a stored entry, one after another. Numbers are little-endian.
package struct PartWriter {
    package private(set) var bytes = Data()

    package init() {}

    package mutating func append(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// Appends the length in four bytes, and the bytes.
    package mutating func append(_ data: Data) {
        append(UInt32(truncatingIfNeeded: data.count))
        bytes.append(data)
    }

    /// Appends the length in four bytes, and the text in UTF-8.
    package mutating func append(_ text: String) {
        append(UInt32(truncatingIfNeeded: text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }

    /// Appends a text, or the length 2³² − 1 for nil.
    package mutating func append(optional text: String?) {
        if let text { append(text) } else { append(UInt32.max) }
    }

    /// Appends bytes without their length.
    package mutating func append(raw data: Data) { bytes.append(data) }
}
