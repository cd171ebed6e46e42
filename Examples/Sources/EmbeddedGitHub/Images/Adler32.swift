/// The checksum at the end of a zlib stream (RFC 1950 section 8.2).
struct Adler32: Sendable {
    /// The checksum of the given bytes.
    let value: UInt32

    init(_ bytes: some Sequence<UInt8>) {
        var (low, high) = (UInt32(1), UInt32(0))
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        value = high << 16 | low
    }
}
