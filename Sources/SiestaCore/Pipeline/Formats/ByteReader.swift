import Foundation

/// Reads numbers from bytes, one after another. A read beyond the end returns nil and does not crash.
struct ByteReader {
    private let bytes: Data
    private(set) var position = 0

    init(_ data: Data) {
        bytes = data
    }

    var count: Int { bytes.count }
    var remaining: Int { bytes.count - position }

    /// The next byte; nil at the end. Does not move the position.
    var next: UInt8? { remaining > 0 ? bytes[bytes.startIndex + position] : nil }

    mutating func byte() -> Int? {
        guard let next else { return nil }
        position += 1
        return Int(next)
    }

    /// Reads a number of up to four bytes, the most significant byte first. Returns nil if there are fewer bytes.
    mutating func bigEndian(_ size: Int) -> Int? {
        take(size)?.reduce(0) { $0 << 8 | Int($1) }
    }

    /// Reads a number of up to four bytes, the least significant byte first. Returns nil if there are fewer bytes.
    mutating func littleEndian(_ size: Int) -> Int? {
        take(size)?.reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// Reads the next `count` bytes. Returns nil if there are fewer bytes.
    mutating func take(_ count: Int) -> Data? {
        guard count >= 0, count <= remaining else { return nil }
        defer { position += count }
        let start = bytes.startIndex + position
        return bytes[start..<start + count]
    }

    /// Moves the position over `count` bytes. Returns nil if there are fewer bytes.
    mutating func skip(_ count: Int) -> Void? {
        take(count).map { _ in () }
    }

    /// Moves the position over the bytes of `text`. Returns nil if the next bytes differ from `text`.
    mutating func expect(_ text: [UInt8]) -> Void? {
        take(text.count).flatMap { $0.elementsEqual(text) ? () : nil }
    }
}
