package import Foundation

/// Reads the parts that a ``PartWriter`` has written. A read past the end returns nil.
package struct PartReader {
    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    package init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    package var isAtEnd: Bool { position == bytes.count }
    private var remaining: Int { bytes.count - position }

    package mutating func number<Number: FixedWidthInteger & BitwiseCopyable>(_: Number.Type = Number.self) -> Number? {
        let size = MemoryLayout<Number>.size
        guard remaining >= size else { return nil }
        defer { position += size }
        return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: Number.self))
    }

    package mutating func data() -> Data? {
        part().map { Data($0) }
    }

    package mutating func text() -> String? {
        part().flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// Returns a text, or an inner nil for a missing text. Returns nil if the text is malformed.
    package mutating func optionalText() -> String?? {
        let start = position
        guard let length: UInt32 = number() else { return nil }
        guard length != .max else { return .some(nil) }
        position = start
        return text().map { .some($0) }
    }

    /// Returns the bytes of a part that begins with its length.
    private mutating func part() -> UnsafeRawBufferPointer? {
        guard let length: UInt32 = number(), length <= remaining else { return nil }
        defer { position += Int(length) }
        return UnsafeRawBufferPointer(rebasing: bytes[position..<position + Int(length)])
    }

    /// Reads a list that begins with the number of its elements.
    package mutating func list<Element>(_ element: (inout Self) -> Element?) -> [Element]? {
        guard let count: UInt32 = number(), count <= remaining else { return nil }
        var elements: [Element] = []
        for _ in 0..<count {
            guard let next = element(&self) else { return nil }
            elements.append(next)
        }
        return elements
    }
}

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
