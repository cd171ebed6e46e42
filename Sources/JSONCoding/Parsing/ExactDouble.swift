#if os(Linux) || os(Android)
/// Doubles of decimal numbers.
enum ExactDouble {
    /// The powers of 5 that fit into 64 bits.
    private static let powersOfFive: [UInt64] = [
        1, 5, 25, 125, 625, 3125, 15_625, 78_125, 390_625, 1_953_125, 9_765_625, 48_828_125, 244_140_625, 1_220_703_125,
        6_103_515_625, 30_517_578_125, 152_587_890_625, 762_939_453_125, 3_814_697_265_625, 19_073_486_328_125,
        95_367_431_640_625, 476_837_158_203_125, 2_384_185_791_015_625, 11_920_928_955_078_125,
        59_604_644_775_390_625, 298_023_223_876_953_125, 1_490_116_119_384_765_625, 7_450_580_596_923_828_125,
    ]

    /// The powers of 10 that a double represents exactly.
    static let powersOfTen: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20,
        1e21, 1e22,
    ]

    /// Returns the double nearest to `significand` × 10^`exponent`, or nil if 64-bit arithmetic does not suffice: if
    /// the exponent is below -27 or above 27.
    @inline(__always)
    static func value(_ significand: UInt64, _ exponent: Int) -> Double? {
        if significand <= 1 << 53 {
            if exponent < 0, exponent >= -22 { return Double(significand) / powersOfTen[-exponent] }
            if exponent > 0, exponent <= 22 { return Double(significand) * powersOfTen[exponent] }
            if significand == 0 { return 0 }
        }
        if exponent == 0 { return Double(significand) }
        guard exponent >= -27, exponent <= 27 else { return nil }
        return exponent < 0 ? quotient(significand, -exponent) : product(significand, exponent)
    }

    /// Divides by a power of ten. The quotient has 63 or 64 bits; its last bit also stands for all bits that follow,
    /// so that the conversion rounds correctly.
    private static func quotient(_ significand: UInt64, _ exponent: Int) -> Double {
        let divisor = powersOfFive[exponent]
        let (shift, divisorShift) = (significand.leadingZeroBitCount, divisor.leadingZeroBitCount)
        let dividend = significand << UInt64(shift)
        let (quotient, remainder) = (divisor << UInt64(divisorShift)).dividingFullWidth((dividend >> 1, dividend << 63))
        let rounded = Double(remainder == 0 ? quotient : quotient | 1)
        return rounded * powerOfTwo(divisorShift &- shift &- exponent &- 63)
    }

    private static func product(_ significand: UInt64, _ exponent: Int) -> Double {
        let (high, low) = significand.multipliedFullWidth(by: powersOfFive[exponent])
        if high == 0 { return Double(low) * powerOfTwo(exponent) }
        let shift = high.leadingZeroBitCount
        var bits = shift == 0 ? high : high << UInt64(shift) | low >> UInt64(64 &- shift)
        if low << UInt64(shift) != 0 { bits |= 1 }
        return Double(bits) * powerOfTwo(64 &- shift &+ exponent)
    }

    @inline(__always)
    private static func powerOfTwo(_ exponent: Int) -> Double {
        Double(bitPattern: UInt64(bitPattern: Int64(1023 &+ exponent)) << 52)
    }
}
#endif
