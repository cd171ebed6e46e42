/// A random number generator that a seed determines.
///
/// The same seed gives the same numbers on every platform and in every version of the library. The generator is not
/// suitable for secrets.
package struct SplitMix64: RandomNumberGenerator, Hashable, Sendable {
    private var state: UInt64

    /// Creates a generator.
    package init(seed: UInt64) {
        state = seed
    }

    /// Creates a generator for a part of a run. Parts with different values have independent numbers.
    init(seed: UInt64, parts: UInt64...) {
        state = seed
        for part in parts { state = next() ^ part }
    }

    /// Returns the next number.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns a number from 0 up to but not including 1, with 53 random bits.
    package mutating func nextFraction() -> Double {
        Double(next() >> 11) * 0x1p-53
    }
}
