#if os(Linux) || os(Android)
/// A JSON text as nodes, from which a tree is built or a decoder reads. The bytes of the text are not part of it.
struct ParsedText: ~Copyable {
    var nodes: CheckedBuffer<Node>
    /// The key of each pair, by its number in `keys`. The pairs of an object follow each other.
    var pairKeys: CheckedBuffer<UInt32>
    /// The index of the node of the value of each pair.
    var pairNodes: CheckedBuffer<UInt32>
    var keys = KeyTable()

    /// Creates an empty text with room for the nodes that a text of a length usually has.
    init(length: Int) {
        nodes = CheckedBuffer(capacity: length / 10 + 16)
        pairKeys = CheckedBuffer(capacity: length / 40 + 16)
        pairNodes = CheckedBuffer(capacity: length / 40 + 16)
    }

    /// Returns the index of the node that follows a value.
    @inline(__always)
    func after(_ index: Int) -> Int {
        let node = nodes[index]
        return node.isContainer ? node.next : index &+ 1
    }

    /// Returns the value of a string, or nil if it is not UTF-8.
    @inline(__always)
    static func string(_ node: Node, _ bytes: Span<UInt8>) -> String? {
        guard node.flags == 0 else { return unusualString(node, bytes) }
        let text = bytes.extracting(node.start..<node.start &+ node.length)
        // Unchecked, because the parser has seen that each byte is ASCII.
        return String(copying: UTF8Span(unchecked: text, isKnownASCII: true))
    }

    /// Returns the value of a string, with the byte order marks that `JSONSerialization` removes; nil if it is not
    /// UTF-8.
    static func wholeString(_ node: Node, _ bytes: Span<UInt8>) -> String? {
        if let string = string(node, bytes) { return string }
        var text = CheckedBuffer<UInt8>(capacity: node.length)
        Strings.unescape(bytes, from: node.start, to: node.start + node.length, into: &text)
        return text.withSpan { bytes in
            guard let text = try? UTF8Span(validating: bytes) else { return nil }
            return String(copying: text)
        }
    }

    @inline(never)
    private static func unusualString(_ node: Node, _ bytes: Span<UInt8>) -> String? {
        let (start, end) = (node.start, node.start + node.length)
        guard node.hasEscapes else { return Strings.validated(bytes.extracting(start..<end)) }
        var text = CheckedBuffer<UInt8>(capacity: node.length)
        Strings.unescape(bytes, from: start, to: end, into: &text)
        return text.withSpan { Strings.validated($0) }
    }

    /// Returns true if a number that is exact has an exponent.
    static func hasExponent(_ node: Node, _ bytes: Span<UInt8>) -> Bool {
        let end = node.start + node.lengthBeforeExponent
        if end < bytes.count, bytes[end] == UInt8(ascii: "e") { return true }
        return (node.start..<end).contains { bytes[$0] == UInt8(ascii: "E") }
    }

    /// Calls `body` with the text of a number.
    static func withNumber<Result>(_ node: Node, _ bytes: Span<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Result)
        -> Result
    {
        bytes.extracting(node.start..<endOfNumber(node, bytes)).withUnsafeBufferPointer(body)
    }

    /// Returns the position after the text of a number.
    private static func endOfNumber(_ node: Node, _ bytes: Span<UInt8>) -> Int {
        var index = node.start
        while index < bytes.count {
            switch bytes[index] {
            case 0x30...0x39, 0x2B, 0x2D, 0x2E, 0x45, 0x65: index += 1
            default: return index
            }
        }
        return index
    }
}
#endif
