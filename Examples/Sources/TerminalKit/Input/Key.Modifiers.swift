extension Key {
    /// The keys held together with another one.
    public struct Modifiers: OptionSet, Hashable, Sendable {
        /// The bits as terminals number them: shift 1, alt 2, control 4.
        public let rawValue: UInt8

        /// Makes a set of the given bits; bits without a name are kept and mean nothing.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// The Shift key.
        public static let shift = Modifiers(rawValue: 1)
        /// The Alt (Option) key, or Meta.
        public static let alt = Modifiers(rawValue: 2)
        /// The Control key.
        public static let control = Modifiers(rawValue: 4)
    }
}

extension Key.Modifiers {
    /// Decodes the second parameter of a control sequence, which is one more than the bits (ECMA-48 leaves it open;
    /// this is xterm's way, which all others took over). Meta counts as Alt; super, hyper and the locks are ignored.
    init(parameter: Int) {
        let bits = UInt8(truncatingIfNeeded: max(parameter, 1) - 1)
        self.init(rawValue: bits & 0b111)
        if bits & 0b100000 != 0 { insert(.alt) }
    }
}
