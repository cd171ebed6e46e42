/// A 64-bit fingerprint that is the same on every run and machine, unlike `Hasher`'s. Not for secrets.
struct Hash64: Sendable, Hashable {
    private(set) var value: UInt64

    /// Fingerprints bytes by the FNV-1a rule; another salt gives an unrelated one.
    init(_ bytes: some Sequence<UInt8>, salt: UInt64 = 0) {
        value = bytes.reduce(0xCBF2_9CE4_8422_2325 ^ (salt &* 0x9E37_79B9_7F4A_7C15)) {
            ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3
        }
    }

    /// Sixteen digits.
    var hexadecimal: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
