#if os(Linux) || os(Android)
/// A value of a document, as the parser has found it. The nodes of a document are in the order of the text.
struct Node: BitwiseCopyable {
    /// The kind of a value.
    enum Kind: UInt8, BitwiseCopyable {
        case null, `false`, `true`, integer, real, string, array, object
    }

    let kind: Kind
    /// A set of `Node.isNegative` and so on. Each constant belongs to some kinds.
    var flags: UInt8 = 0
    /// The exponent of ten of a real number. For an object, the position of the pair that is probably looked up next.
    var small: Int16 = 0
    /// The position of the text of a string or number, or the number of elements of an array or object.
    var offset: UInt32 = 0
    /// The magnitude of an integer; the significand of a real number; the length of a string in bytes; for an array,
    /// the index of the node that follows it; for an object, also the index of its first pair, in the upper half.
    var value: UInt64 = 0

    /// A number is negative.
    static let isNegative: UInt8 = 1
    /// `value` and `small` do not contain the number, because it has too many digits or too large an exponent.
    static let isInexact: UInt8 = 2
    /// A string contains escapes.
    static let hasEscapes: UInt8 = 1
    /// A string contains bytes above 0x7F.
    static let isNotASCII: UInt8 = 2
    /// An object contains a key more than once.
    static let hasDuplicates: UInt8 = 1

    var isNegative: Bool { flags & Node.isNegative != 0 }
    /// A Boolean value that indicates whether `value` and `small` contain the number.
    var isExact: Bool { flags & Node.isInexact == 0 }
    /// The number of characters of a number before its `e`, if it is exact. An `E` does not count as an `e`.
    var lengthBeforeExponent: Int { Int(flags >> 2) }
    var hasEscapes: Bool { flags & Node.hasEscapes != 0 }
    var hasDuplicates: Bool { flags & Node.hasDuplicates != 0 }
    var isNumber: Bool { kind == .integer || kind == .real }
    @inline(__always) var isContainer: Bool { kind.rawValue >= Kind.array.rawValue }

    /// The position of the text.
    @inline(__always) var start: Int { Int(offset) }
    /// The number of elements.
    @inline(__always) var count: Int { Int(offset) }
    /// The length of the text of a string, in bytes.
    @inline(__always) var length: Int { Int(truncatingIfNeeded: value) }
    /// The index of the node that follows a container.
    @inline(__always) var next: Int { Int(UInt32(truncatingIfNeeded: value)) }
    /// The index of the first pair of an object.
    @inline(__always) var firstPair: Int { Int(value >> 32) }
}
#endif
