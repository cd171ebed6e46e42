import Foundation

/// Reads numbers from bytes, one after the other; past the end there is nothing, and no crash.
struct ByteReader {
    private let bytes: Data
    private(set) var position = 0

    init(_ data: Data) {
        bytes = data
    }

    var count: Int { bytes.count }
    var remaining: Int { bytes.count - position }

    /// The next byte, without reading on.
    var next: UInt8? { remaining > 0 ? bytes[bytes.startIndex + position] : nil }

    mutating func byte() -> Int? {
        guard let next else { return nil }
        position += 1
        return Int(next)
    }

    /// A number of up to four bytes, the most significant first.
    mutating func bigEndian(_ size: Int) -> Int? {
        take(size)?.reduce(0) { $0 << 8 | Int($1) }
    }

    /// A number of up to four bytes, the least significant first.
    mutating func littleEndian(_ size: Int) -> Int? {
        take(size)?.reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// The next `count` bytes.
    mutating func take(_ count: Int) -> Data? {
        guard count >= 0, count <= remaining else { return nil }
        defer { position += count }
        let start = bytes.startIndex + position
        return bytes[start..<start + count]
    }

    /// Moves on over `count` bytes, nil if there are fewer.
    mutating func skip(_ count: Int) -> Void? {
        take(count).map { _ in () }
    }

    /// Moves on over `text` if it comes next, nil if it does not.
    mutating func expect(_ text: [UInt8]) -> Void? {
        take(text.count).flatMap { $0.elementsEqual(text) ? () : nil }
    }
}
