#if os(Linux) || os(Android)
import Foundation

/// Builds the objects that `JSONSerialization` returns.
struct TreeBuilder: ~Copyable {
    let text: ParsedText
    /// The keys, by their numbers.
    private let names: [String]
    private var shapes = ObjectShapes()
    /// True in an array with more than one element. Its objects probably have the same keys.
    private var isInList = false
    /// True once a value was found that Foundation must read.
    private var hasFailed = false
    private let constants = TreeConstants.shared

    private init(_ text: consuming ParsedText) {
        names = (0..<text.keys.count).map { text.keys.name($0) }
        self.text = text
    }

    /// Returns the value of a text, or nil if Foundation must read it.
    static func tree(_ bytes: Span<UInt8>, allowingFragments: Bool) -> Any? {
        guard let text = TextParser.parse(bytes), !text.keys.hasSpellings else { return nil }
        guard allowingFragments || text.nodes[0].isContainer else { return nil }
        var builder = TreeBuilder(text)
        let value = builder.value(0, bytes)
        return builder.hasFailed ? nil : value
    }

    private mutating func value(_ index: Int, _ bytes: Span<UInt8>) -> Any {
        let node = text.nodes[index]
        switch node.kind {
        case .string:
            if let string = ParsedText.string(node, bytes) { return string }
            return fail()
        case .object: return object(node, bytes)
        case .array: return array(index, node.count, bytes)
        case .integer, .real:
            if let number = TreeNumbers.number(node, bytes, constants) { return number }
            return fail()
        case .true: return constants.true
        case .false: return constants.false
        case .null: return constants.null
        }
    }

    private mutating func fail() -> Any {
        hasFailed = true
        return constants.null
    }

    private mutating func array(_ index: Int, _ count: Int, _ bytes: Span<UInt8>) -> Any {
        var result: [Any] = []
        result.reserveCapacity(count)
        let isInList = isInList
        self.isInList = isInList || count > 1
        var element = index + 1
        for _ in 0..<count where !hasFailed {
            result.append(value(element, bytes))
            element = text.after(element)
        }
        self.isInList = isInList
        return result
    }

    private mutating func object(_ node: Node, _ bytes: Span<UInt8>) -> Any {
        let (first, count) = (node.firstPair, node.count)
        guard !hasFailed else { return constants.null }
        guard count > 0 else { return [String: Any]() }
        // A key that is there more than once would have one position only.
        guard count > 1, count <= ObjectShapes.maximumKeyCount, !node.hasDuplicates else {
            return dictionary(first, count, bytes)
        }
        let known = shapes.find(first, count, text.pairKeys)
        let shape = known ?? shapes.add(first, count)
        guard known != nil || isInList else { return dictionary(first, count, bytes) }
        let positions = shapes.positions(shape) { names[Int(text.pairKeys[$0])] }
        return positions.mapValues { value(Int(text.pairNodes[first + $0]), bytes) }
    }

    private mutating func dictionary(_ first: Int, _ count: Int, _ bytes: Span<UInt8>) -> [String: Any] {
        var result = [String: Any](minimumCapacity: count)
        for pair in first..<first + count {
            result[names[Int(text.pairKeys[pair])]] = value(Int(text.pairNodes[pair]), bytes)
        }
        return result
    }
}
#endif
