#if os(Linux) || os(Android)
extension TextParser {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// Reads a string.
    mutating func string(_ bytes: Span<UInt8>) -> Bool {
        position &+= 1
        let start = position
        var flags: UInt8 = 0
        guard let length = scanString(bytes, &flags) else { return false }
        if flags & Node.hasEscapes != 0, !Strings.hasValidEscapes(bytes, from: start, to: start + length) {
            return false
        }
        text.nodes.append(
            Node(kind: .string, flags: flags, offset: UInt32(truncatingIfNeeded: start), value: UInt64(length)))
        return true
    }

    /// Moves from the first byte of a string behind its closing quote. Returns its length.
    @inline(__always)
    mutating func scanString(_ bytes: Span<UInt8>, _ flags: inout UInt8) -> Int? {
        let start = position
        var index = position
        var seen: UInt64 = 0  // The high bit of a byte is set if one of the bytes above it is not ASCII.
        while true {
            while index &+ 8 <= end {
                let word = load(bytes, index)
                let special = TextParser.specialBytes(word)
                if special != 0 {
                    let bits = special.trailingZeroBitCount & ~7
                    if bits != 0 { seen |= word << UInt64(64 &- bits) }
                    index &+= bits >> 3
                    break
                }
                seen |= word
                index &+= 8
            }
            guard index < end else { return nil }
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") { break }
            if byte == UInt8(ascii: "\\") {
                flags |= Node.hasEscapes
                guard index &+ 1 < end, bytes[index &+ 1] < 0x80 else { return nil }
                index &+= 2
                continue
            }
            if byte < 0x20 { return nil }
            if byte >= 0x80 { seen |= TextParser.highBits }
            index &+= 1
        }
        if seen & TextParser.highBits != 0 { flags |= Node.isNotASCII }
        position = index &+ 1
        return index &- start
    }

    /// Sets the high bit of the first byte that is a quote, a backslash or a control character. Later bytes can be
    /// wrong.
    @inline(__always)
    private static func specialBytes(_ word: UInt64) -> UInt64 {
        let quote = word ^ (ones &* 0x22)
        let backslash = word ^ (ones &* 0x5C)
        // A byte above 0x7F is none of them. It has its high bit in all of `word`, `quote` and `backslash`.
        return ((quote &- ones) | (backslash &- ones) | (word &- ones &* 0x20)) & ~word & highBits
    }

    /// Reads a number.
    mutating func number(_ bytes: Span<UInt8>) -> Bool {
        let start = position
        var index = position
        var flags: UInt8 = 0
        if bytes[index] == UInt8(ascii: "-") {
            flags = Node.isNegative
            index &+= 1
        }
        let firstDigit = index
        var significand: UInt64 = 0
        readDigits(bytes, &index, &significand)
        var digits = index &- firstDigit
        guard digits > 0, digits == 1 || bytes[firstDigit] != UInt8(ascii: "0") else { return false }
        var kind = Node.Kind.integer
        var exponent = 0
        if byte(bytes, at: index) == UInt8(ascii: ".") {
            kind = .real
            index &+= 1
            let fraction = index
            readEightDigits(bytes, &index, &significand)
            readDigits(bytes, &index, &significand)
            exponent = fraction &- index
            guard exponent < 0 else { return false }
            digits &-= exponent
        }
        var length = index &- start
        let mark = byte(bytes, at: index)
        if mark | 0x20 == UInt8(ascii: "e") {
            kind = .real
            guard let power = readExponent(bytes, &index) else { return false }
            exponent &+= power
            if mark == UInt8(ascii: "E") { length = index &- start }
        }
        if digits > 19, digits &- leadingZeros(bytes, from: firstDigit, to: index) > 19 { flags |= Node.isInexact }
        if exponent < -30000 || exponent > 30000 || length > 63 {
            flags |= Node.isInexact
            (exponent, length) = (0, 0)
        }
        position = index
        text.nodes.append(
            Node(
                kind: kind, flags: flags | UInt8(length) << 2, small: Int16(truncatingIfNeeded: exponent),
                offset: UInt32(truncatingIfNeeded: start), value: significand))
        return true
    }

    @inline(__always)
    private func readDigits(_ bytes: Span<UInt8>, _ index: inout Int, _ value: inout UInt64) {
        while index < end {
            let digit = bytes[index] &- 0x30
            if digit > 9 { return }
            value = value &* 10 &+ UInt64(digit)
            index &+= 1
        }
    }

    /// Reads digits as long as there are eight of them.
    @inline(__always)
    private func readEightDigits(_ bytes: Span<UInt8>, _ index: inout Int, _ value: inout UInt64) {
        while index &+ 8 <= end {
            let word = load(bytes, index)
            let digits = word &- 0x3030_3030_3030_3030
            if (digits | (word &+ 0x4646_4646_4646_4646)) & TextParser.highBits != 0 { return }
            let pairs = (digits &* 10) &+ (digits >> 8)
            let low = (pairs & 0x0000_00FF_0000_00FF) &* 0x000F_4240_0000_0064
            let high = ((pairs >> 16) & 0x0000_00FF_0000_00FF) &* 0x0000_2710_0000_0001
            value = value &* 100_000_000 &+ ((low &+ high) >> 32)
            index &+= 8
        }
    }

    /// Reads from `e` to the end of the exponent. A large exponent becomes a value above 30000.
    private func readExponent(_ bytes: Span<UInt8>, _ index: inout Int) -> Int? {
        index &+= 1
        let sign = byte(bytes, at: index)
        if sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { index &+= 1 }
        let start = index
        var value = 0
        while index < end {
            let digit = bytes[index] &- 0x30
            if digit > 9 { break }
            if value < 100_000_000_000 { value = value &* 10 &+ Int(digit) }
            index &+= 1
        }
        guard index > start else { return nil }
        return sign == UInt8(ascii: "-") ? 0 &- value : value
    }

    /// Returns the number of zeros before the first other digit: those of 0.0001 are not part of the significand.
    @inline(never)
    private func leadingZeros(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Int {
        var count = 0
        for index in start..<end {
            if bytes[index] == UInt8(ascii: "0") {
                count += 1
            } else if bytes[index] != UInt8(ascii: ".") {
                break
            }
        }
        return count
    }
}
#endif
