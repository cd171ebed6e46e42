/// Numbers that look thrown and are the same on every run: the SplitMix64 sequence that begins at a name.
struct Dice: Sendable {
    private var state: UInt64

    init(_ name: String) {
        state = Hash64(name.utf8).value
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    /// A number within a range, small ones more often: the square of an even throw.
    mutating func lowish(_ range: ClosedRange<Int>) -> Int {
        let throwOfDice = Double(number(0...9_999)) / 10_000
        return range.lowerBound + Int(throwOfDice * throwOfDice * Double(range.count))
    }

    /// A number within a range, all equally often. Of its own, because the library's way may change between versions.
    mutating func number(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.count))
    }

    /// One of several.
    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[number(0...(elements.count - 1))]
    }
}
