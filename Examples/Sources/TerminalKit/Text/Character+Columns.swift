extension Character {
    /// The columns the character takes on a terminal: 0, 1, 2, or more for a few clusters of Indic scripts.
    ///
    /// An emoji takes 2, be it one scalar, a flag, a keycap or a family joined of many. Control characters take 0; they
    /// are never shown. Terminals disagree about rare cases; ``Frame`` places what follows such text by its column, so
    /// that a wrong guess moves nothing else.
    public var terminalColumns: Int {
        let scalars = unicodeScalars
        let first = scalars[scalars.startIndex]
        if scalars.index(after: scalars.startIndex) == scalars.endIndex || first.isASCII && self == "\r\n" {
            return first.terminalColumns
        }
        if first.properties.isEmojiPresentation || first.properties.isEmoji && scalars.contains(where: \.makesEmoji) {
            return 2
        }
        return scalars.reduce(0) { $0 + $1.terminalColumns }
    }
}

extension StringProtocol {
    /// The columns the text takes on a terminal, once control characters are taken out; linear in its length.
    public var terminalColumns: Int {
        reduce(0) { $0 + $1.terminalColumns }
    }
}

extension Unicode.Scalar {
    /// The columns of a scalar on its own.
    var terminalColumns: Int {
        if value < 0x7F { return value < 0x20 ? 0 : 1 }
        if value < 0x300 { return value < 0xA0 || value == 0xAD ? 0 : 1 }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control, .lineSeparator, .paragraphSeparator: return 0
        default: return isJoiningJamo ? 0 : isWide ? 2 : 1
        }
    }

    /// Whether the scalar, after another that may be an emoji, makes it one: VS16, the keycap, ZWJ, or a skin tone.
    fileprivate var makesEmoji: Bool {
        value == 0xFE0F || value == 0x20E3 || value == 0x200D || properties.isEmojiModifier
    }

    /// Vowels and final consonants of Hangul, which join the syllable before them.
    private var isJoiningJamo: Bool {
        (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value)
    }

    /// A single regional indicator is half a flag, and narrow.
    private var isWide: Bool {
        guard value >= 0x1100 else { return false }
        if properties.isEmojiPresentation { return !(0x1F1E6...0x1F1FF).contains(value) }
        return Self.wideRanges.contains { $0.contains(value) }
    }

    /// East Asian Width W and F (UAX #11) without the emoji, which the standard library knows; unassigned scalars
    /// between two wide ones count as wide.
    private static let wideRanges: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x3247, 0x3250...0xA4C6,
        0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAD9, 0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60,
        0xFFE0...0xFFE6, 0x16FE0...0x1B2FB, 0x1F200...0x1F265, 0x20000...0x3FFFD,
    ]
}
