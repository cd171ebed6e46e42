package import Foundation
import SiestaCore

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
