#if os(Linux) || os(Android)
import Foundation

/// Writes the objects that `JSONSerialization` accepts.
struct TreeWriter {
    /// The depth from which on Foundation decides.
    private static let maximumDepth = 500
    /// The class of Boolean values that are numbers.
    private static let boolean = ObjectIdentifier(type(of: NSNumber(value: true)))

    private let text: OutputText

    /// Returns the text of an array or dictionary, or nil if Foundation must decide.
    static func data(_ object: Any, _ options: JSONSerialization.WritingOptions) -> Data? {
        guard options.isSubset(of: [.withoutEscapingSlashes, .fragmentsAllowed]) else { return nil }
        let writer = TreeWriter(text: OutputText(escapesSlashes: !options.contains(.withoutEscapingSlashes)))
        let isWritten = writer.write(object, 0)
        let first = writer.text.first
        guard isWritten, first == UInt8(ascii: "[") || first == UInt8(ascii: "{") else { return nil }
        return writer.text.take()
    }

    /// Writes a value. Returns false if Foundation must decide.
    func write(_ value: Any, _ depth: Int) -> Bool {
        // Casts to other types than the value has would search for bridges, which takes far longer.
        let type = type(of: value)
        if type == String.self, let string = value as? String {
            text.append(string)
        } else if type == [String: Any].self, let dictionary = value as? [String: Any] {
            return write(dictionary, depth) { write($0, depth + 1) }
        } else if type == [Any].self, let array = value as? [Any] {
            return write(array, depth) { write($0, depth + 1) }
        } else if type == Int.self, let number = value as? Int {
            text.append(integer: Int64(number))
        } else if type == Bool.self, let bool = value as? Bool {
            text.append(bool)
        } else if type == Double.self, let number = value as? Double {
            return write(number)
        } else if type == NSNull.self {
            text.appendNull()
        } else if ObjectIdentifier(type) == TreeWriter.boolean, let number = value as? NSNumber {
            text.append(number.boolValue)
        } else if type == NSNumber.self, let number = value as? NSNumber {
            return write(number)
        } else {
            return (value as? any TreeElement)?.write(self, depth) ?? false
        }
        return true
    }

    func write<Value>(_ dictionary: [String: Value], _ depth: Int, _ body: (Value) -> Bool) -> Bool {
        guard depth < TreeWriter.maximumDepth else { return false }
        var separator = UInt8(ascii: "{")
        for (key, value) in dictionary {
            text.append(separator)
            text.append(key)
            text.append(UInt8(ascii: ":"))
            guard body(value) else { return false }
            separator = UInt8(ascii: ",")
        }
        if dictionary.isEmpty { text.append(separator) }
        text.append(UInt8(ascii: "}"))
        return true
    }

    func write<Value>(_ array: [Value], _ depth: Int, _ body: (Value) -> Bool) -> Bool {
        guard depth < TreeWriter.maximumDepth else { return false }
        var separator = UInt8(ascii: "[")
        for value in array {
            text.append(separator)
            guard body(value) else { return false }
            separator = UInt8(ascii: ",")
        }
        if array.isEmpty { text.append(separator) }
        text.append(UInt8(ascii: "]"))
        return true
    }

    func write(_ value: Double) -> Bool {
        guard value.isFinite else { return false }
        text.append(value)
        return true
    }

    func write(_ value: Float) -> Bool {
        guard value.isFinite else { return false }
        text.append(value)
        return true
    }

    func write(_ value: Decimal) -> Bool {
        guard value.isFinite else { return false }
        text.append(value)
        return true
    }

    func write(_ value: some FixedWidthInteger) -> Bool {
        if let number = Int64(exactly: value) {
            text.append(integer: number)
        } else {
            text.append(raw: value.description.utf8.span)
        }
        return true
    }

    private func write(_ number: NSNumber) -> Bool {
        switch UInt8(bitPattern: number.objCType.pointee) {
        case UInt8(ascii: "i"), UInt8(ascii: "q"), UInt8(ascii: "s"): write(number.int64Value)
        case UInt8(ascii: "Q"): write(number.uint64Value)
        case UInt8(ascii: "d"): write(number.doubleValue)
        case UInt8(ascii: "f"): write(number.floatValue)
        default: false
        }
    }
}
#endif
