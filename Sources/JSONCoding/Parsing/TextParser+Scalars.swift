#if os(Linux) || os(Android)
extension TextParser {
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
        var seen: UInt64 = 0  // A high bit is set if one of the bytes so far is not ASCII.
        while true {
            skipPlainBytes(bytes, &index, &seen)
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

    /// Moves to the next quote, backslash or control character, but not into the last 15 bytes of the text.
    @inline(__always)
    private func skipPlainBytes(_ bytes: Span<UInt8>, _ index: inout Int, _ seen: inout UInt64) {
        // Operators with a vector and a number are not specialized by the compiler, and a hundred times as slow.
        let (quote, backslash) = (SIMD16<UInt8>(repeating: 0x22), SIMD16<UInt8>(repeating: 0x5C))
        let space = SIMD16<UInt8>(repeating: 0x20)
        while index &+ 16 <= end {
            let block = bytes.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self)
            let mask = (block .== quote) .| (block .== backslash) .| (block .< space)
            // Vectors of the same size. All bits of a byte of the mask are equal.
            let marks = unsafeBitCast(mask, to: SIMD2<UInt64>.self)
            let words = unsafeBitCast(block, to: SIMD2<UInt64>.self)
            if marks[0] | marks[1] != 0 {
                let isFirst = marks[0] != 0
                let bits = (isFirst ? marks[0] : marks[1]).trailingZeroBitCount
                // Shifts by 64 are 0.
                seen |= isFirst ? words[0] << (64 - bits) : words[0] | words[1] << (64 - bits)
                index &+= bits >> 3 &+ (isFirst ? 0 : 8)
                return
            }
            seen |= words[0] | words[1]
            index &+= 16
        }
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
