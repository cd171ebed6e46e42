#if os(Linux) || os(Android)
/// Reads a JSON text once. It stops at everything that it does not know; Foundation then decides.
struct TextParser: ~Copyable {
    /// A key and the node of its value.
    struct Pair: BitwiseCopyable {
        let key: UInt32
        let node: UInt32
    }

    /// The depth that Foundation permits.
    static let maximumDepth = 512

    var text: ParsedText
    /// The position in the text.
    var position = 0
    let end: Int
    var depth = 0
    /// The pairs of the objects that are open.
    var pending = CheckedBuffer<Pair>(capacity: 64)
    /// The first key of the last object at a depth, or -1. Two depths can share an element.
    var firstKeys: CheckedBuffer<Int32>
    /// The key that followed a key the last time, or -1.
    var successors = CheckedBuffer<Int32>(capacity: 32)
    /// The serial number of the object that contained a key last.
    var stamps = CheckedBuffer<UInt32>(capacity: 32)
    var serial: UInt32 = 0

    private init(length: Int) {
        text = ParsedText(length: length)
        end = length
        firstKeys = CheckedBuffer(repeating: -1, count: 64)
    }

    /// Returns the nodes of a text, or nil if Foundation must read it. One null follows the nodes of the text.
    ///
    /// Texts in UTF-16 and UTF-32 are left to Foundation, because each contains a byte with which no value begins, or a
    /// zero.
    static func parse(_ bytes: Span<UInt8>) -> ParsedText? {
        guard bytes.count < Int(Int32.max), hasEnd(bytes) else { return nil }
        var parser = TextParser(length: bytes.count)
        parser.skipSpace(bytes)
        guard parser.value(bytes) else { return nil }
        parser.skipSpace(bytes)
        guard parser.position == parser.end else { return nil }
        parser.text.nodes.append(Node(kind: .null))
        return parser.finish()
    }

    private consuming func finish() -> ParsedText { text }

    /// Returns false for an array or object without its last byte. A text that was cut off is thus not read first.
    private static func hasEnd(_ bytes: Span<UInt8>) -> Bool {
        var last = bytes.count - 1
        while last > 0, bytes[last] <= 0x20 { last -= 1 }
        guard last >= 0 else { return false }
        switch bytes[0] {
        case UInt8(ascii: "{"): return bytes[last] == UInt8(ascii: "}")
        case UInt8(ascii: "["): return bytes[last] == UInt8(ascii: "]")
        default: return true
        }
    }

    /// Reads a value. Returns false if it is doubtful.
    mutating func value(_ bytes: Span<UInt8>) -> Bool {
        guard position < end else { return false }
        switch bytes[position] {
        case UInt8(ascii: "\""): return string(bytes)
        case UInt8(ascii: "{"): return object(bytes)
        case UInt8(ascii: "["): return array(bytes)
        case UInt8(ascii: "t"): return literal(bytes, "true", .true)
        case UInt8(ascii: "f"): return literal(bytes, "false", .false)
        case UInt8(ascii: "n"): return literal(bytes, "null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return number(bytes)
        default: return false
        }
    }

    @inline(__always)
    private mutating func literal(_ bytes: Span<UInt8>, _ word: StaticString, _ kind: Node.Kind) -> Bool {
        let length = word.utf8CodeUnitCount
        guard position &+ length <= end else { return false }
        // A static string has as many bytes as it says.
        for index in 1..<length where bytes[position &+ index] != word.utf8Start[index] { return false }
        position &+= length
        text.nodes.append(Node(kind: kind))
        return true
    }

    /// Returns the byte at a position, or 0 at the end.
    @inline(__always)
    func byte(_ bytes: Span<UInt8>, at index: Int) -> UInt8 { index < end ? bytes[index] : 0 }

    @inline(__always)
    func load(_ bytes: Span<UInt8>, _ index: Int) -> UInt64 {
        bytes.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
    }

    /// Moves to the next byte that is not white space.
    @inline(__always)
    mutating func skipSpace(_ bytes: Span<UInt8>) {
        while position < end {
            let byte = bytes[position]
            guard byte <= 0x20, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
            position &+= 1
            // Indented texts contain long runs of spaces.
            while position &+ 8 <= end, load(bytes, position) == 0x2020_2020_2020_2020 { position &+= 8 }
        }
    }

    /// Moves to the next byte that is not white space, if this byte is.
    @inline(__always)
    mutating func skipAnySpace(_ bytes: Span<UInt8>) {
        if byte(bytes, at: position) <= 0x20 { skipSpace(bytes) }
    }

    /// Moves behind a separator, if the container goes on. Returns nil if neither a separator nor the end follows.
    @inline(__always)
    mutating func hasNext(_ bytes: Span<UInt8>, close: UInt8) -> Bool? {
        skipAnySpace(bytes)
        let separator = byte(bytes, at: position)
        guard separator == UInt8(ascii: ",") || separator == close else { return nil }
        position &+= 1
        guard separator != close else { return false }
        skipAnySpace(bytes)
        // Foundation accepts a comma before the end.
        guard byte(bytes, at: position) == close else { return true }
        position &+= 1
        return false
    }
}
#endif
