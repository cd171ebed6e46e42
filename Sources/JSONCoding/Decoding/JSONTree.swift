package import Foundation

/// A type whose values are all JSON values.
package protocol JSONTree {
    static var null: Self { get }
    static func bool(_ value: Bool) -> Self
    static func string(_ text: String) -> Self
    static func array(_ elements: [Self]) -> Self
    static func object(_ members: [String: Self]) -> Self

    /// Returns a number; nil if the spelling, which RFC 8259 allows, is beyond the limits of the type.
    static func number(spelling: ArraySlice<UInt8>) -> Self?

    /// The maximum number of nested arrays and objects.
    static var maximumDepth: Int { get }
}

/// A type that reads whole texts by itself, because Foundation takes too long for it.
package protocol WholeJSON {
    /// Reads a text in UTF-8. Throws a `DecodingError`.
    init(wholeJSON text: Data) throws
}

extension JSONTree {
    /// Returns the value at a decoder of this module; nil at another decoder.
    ///
    /// A `Decodable` type that can be any JSON value must try one kind after another, and each failure creates an error
    /// with the keys that lead to the value. This function builds the value from the parsed text, in linear time.
    ///
    /// - Throws: A `DecodingError` if the value is too deep, or contains a number or a string that cannot be read.
    package static func decoded(by decoder: any Decoder) throws -> Self? {
        #if os(Linux) || os(Android)
        guard let decoder = decoder as? ElementDecoder else { return nil }
        let reader = TreeReader<Self>(location: decoder.location)
        return try reader.value(at: decoder.location.node, depth: 0)
        #else
        return nil
        #endif
    }
}

#if os(Linux) || os(Android)
/// Builds a value from the nodes of a document.
private struct TreeReader<Value: JSONTree> {
    let location: Location

    private var document: Document { location.document }

    func value(at index: Int, depth: Int) throws -> Value {
        let node = document.text.nodes[index]
        switch node.kind {
        case .null: return .null
        case .false: return .bool(false)
        case .true: return .bool(true)
        case .string: return .string(try string(node))
        case .integer, .real: return try number(node)
        case .array: return .array(try elements(index, node.count, depth: try deeper(depth)))
        case .object: return .object(try members(node, depth: try deeper(depth)))
        }
    }

    private func deeper(_ depth: Int) throws -> Int {
        guard depth < Value.maximumDepth else {
            throw failure("More than \(Value.maximumDepth) arrays and objects are nested.")
        }
        return depth + 1
    }

    private func elements(_ index: Int, _ count: Int, depth: Int) throws -> [Value] {
        var elements: [Value] = []
        elements.reserveCapacity(count)
        var element = index + 1
        for _ in 0..<count {
            elements.append(try value(at: element, depth: depth))
            element = document.text.after(element)
        }
        return elements
    }

    /// Of several members with a name, the last counts.
    private func members(_ node: Node, depth: Int) throws -> [String: Value] {
        var members = [String: Value](minimumCapacity: node.count)
        for pair in node.firstPair..<node.firstPair + node.count {
            let name = document.originalName(ofPair: pair)
            members[name] = try value(at: Int(document.text.pairNodes[pair]), depth: depth)
        }
        return members
    }

    private func string(_ node: Node) throws -> String {
        guard let text = document.withBytes({ ParsedText.wholeString(node, $0) }) else {
            throw failure("A string is not valid UTF-8.")
        }
        return text
    }

    private func number(_ node: Node) throws -> Value {
        let spelling = document.withBytes { ParsedText.withNumber(node, $0) { Array($0) } }
        guard let number = Value.number(spelling: spelling[...]) else { throw failure("A number is too large.") }
        return number
    }

    private func failure(_ message: String) -> DecodingError {
        .dataCorrupted(document.context(location, nil, message))
    }
}
#endif
