/// The checksum of a chunk of a PNG file (PNG specification, annex D).
struct CRC32: Sendable {
    /// The checksum of the given bytes.
    let value: UInt32

    init(_ bytes: some Sequence<UInt8>) {
        let table = Self.table
        value = ~bytes.reduce(0xFFFF_FFFF) { ($0 >> 8) ^ table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] }
    }

    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { word, _ in (word & 1) * 0xEDB8_8320 ^ (word >> 1) }
    }
}
