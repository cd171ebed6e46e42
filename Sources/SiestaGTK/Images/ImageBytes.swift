#if GTK
/// Numbers at positions of an image file. A number that is not completely inside the file is nil.
struct ImageBytes {
    private let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var count: Int { bytes.count }

    func number(at position: Int, bytes length: Int, bigEndian: Bool) -> Int? {
        guard position >= 0, position <= count - length else { return nil }
        let range = bytes[position..<position + length]
        return bigEndian
            ? range.reduce(0) { $0 << 8 | Int($1) } : range.reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    func byte(at position: Int) -> UInt8? {
        bytes.indices.contains(position) ? bytes[position] : nil
    }

    func contains(_ expected: [UInt8], at position: Int) -> Bool {
        position >= 0 && position <= count - expected.count && bytes[position...].starts(with: expected)
    }

    /// Returns the position of the first two adjacent bytes at or after a position; nil if there are none.
    func position(of pair: (UInt8, UInt8), from position: Int) -> Int? {
        guard position < count - 1 else { return nil }
        return (position..<count - 1).first { bytes[$0] == pair.0 && bytes[$0 + 1] == pair.1 }
    }

    func contains(_ expected: StaticString, at position: Int) -> Bool {
        expected.withUTF8Buffer { contains(Array($0), at: position) }
    }
}
#endif
