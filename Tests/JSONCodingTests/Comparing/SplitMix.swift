/// A generator whose numbers depend only on its seed.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var result = state
        result = (result ^ result >> 30) &* 0xBF58_476D_1CE4_E5B9
        result = (result ^ result >> 27) &* 0x94D0_49BB_1331_11EB
        return result ^ result >> 31
    }

    /// Returns a number from 0 up to, but not including, `limit`.
    mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }
}
