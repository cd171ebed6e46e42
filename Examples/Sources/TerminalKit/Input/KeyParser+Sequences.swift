// The tables: what the sequences of xterm, VT220, rxvt, the Linux console and kitty stand for.
extension KeyParser {
    /// The numbers between `ESC [` and the final byte; one that is left out or is no number counts as 0.
    ///
    /// Sub-parameters, after a colon, are ignored.
    static func parameters(_ bytes: ArraySlice<UInt8>) -> [Int] {
        guard !bytes.isEmpty else { return [] }
        return bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map { field in
            Int(String(decoding: field.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)) ?? 0
        }
    }

    /// The key of a control sequence, or nil for one that stands for none.
    static func controlSequenceKey(_ final: UInt8, _ parameters: [Int]) -> Key? {
        let first = parameters.first ?? 1
        let modifiers = Key.Modifiers(parameter: parameters.dropFirst().first ?? 1)
        switch final {
        case UInt8(ascii: "~") where first == 27 && parameters.count == 3:
            return characterKey(parameters[2])?.holding(modifiers)
        case UInt8(ascii: "~"): return numberedKey(first)?.holding(modifiers)
        case UInt8(ascii: "^"): return numberedKey(first)?.holding(.control)
        case UInt8(ascii: "@"): return numberedKey(first)?.holding([.control, .shift])
        case UInt8(ascii: "u"): return characterKey(first)?.holding(modifiers)
        case UInt8(ascii: "Z"): return Key.backTab.holding(modifiers.subtracting(.shift))
        case UInt8(ascii: "a")...UInt8(ascii: "d") where parameters.isEmpty:
            return letteredKey(final - 0x20)?.holding(.shift)
        default: return letteredKey(final)?.holding(modifiers)
        }
    }

    /// The key of `ESC O` and a letter, or nil for one that stands for none.
    static func singleShiftKey(_ letter: UInt8) -> Key? {
        switch letter {
        case UInt8(ascii: "M"): .enter
        case UInt8(ascii: "I"): .tab
        case UInt8(ascii: "a")...UInt8(ascii: "d"): letteredKey(letter - 0x20)?.holding(.control)
        default: letteredKey(letter)
        }
    }

    private static func letteredKey(_ letter: UInt8) -> Key? {
        switch letter {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "C"): .right
        case UInt8(ascii: "D"): .left
        case UInt8(ascii: "F"): .end
        case UInt8(ascii: "H"): .home
        case UInt8(ascii: "P")...UInt8(ascii: "S"): .function(Int(letter - UInt8(ascii: "P")) + 1)
        default: nil
        }
    }

    private static func numberedKey(_ number: Int) -> Key? {
        switch number {
        case 1, 7: .home
        case 2: .insert
        case 3: .delete
        case 4, 8: .end
        case 5: .pageUp
        case 6: .pageDown
        case 11...15: .function(number - 10)
        case 17...21: .function(number - 11)
        case 23, 24: .function(number - 12)
        default: nil
        }
    }

    /// A key told by its code point, as in `ESC [ 97 ; 5 u`; the private ones of kitty's protocol are never asked for.
    private static func characterKey(_ codePoint: Int) -> Key? {
        guard let value = UInt32(exactly: codePoint), let scalar = Unicode.Scalar(value) else { return nil }
        switch value {
        case 0x09, 0x0D, 0x1B, 0x7F: return Decoder.control(UInt8(value))
        case 0..<0x20, 0x80...0x9F, 0xE000...0xF8FF: return nil
        default: return .character(Character(scalar))
        }
    }
}
