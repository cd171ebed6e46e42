#if os(Linux) || os(Android)
import HTTPRules

/// The header fields of a message, in the order in which they are sent.
///
/// Names keep their case, and comparisons ignore the case (RFC 9110, section 5.1). Values that are not UTF-8 are read
/// as Latin-1. A field is converted to text only when it is read.
public struct HeaderList: Sendable, Equatable {
    /// The names and values of all fields, one after another.
    private(set) var bytes: [UInt8] = []

    /// The ends of each field's name and value in ``bytes``.
    private var ends: [Ends] = []

    private struct Ends: Sendable, Equatable {
        var name: Int
        var value: Int
    }

    /// Creates an empty list.
    public init() {}

    /// One header field.
    public struct Field: Sendable, Equatable {
        /// The name, in its original case.
        public let name: String

        /// The value, without surrounding white space.
        public internal(set) var value: String
    }

    /// The value of the field `name`; nil if there is no such field.
    ///
    /// The values of repeated fields are joined with ", " (RFC 9110, section 5.3). `Set-Cookie` is an exception,
    /// because its values cannot be joined: this subscript returns the first value, and ``values(of:)`` returns all values.
    /// Setting a value replaces all fields of that name.
    public subscript(name: String) -> String? {
        get {
            guard let first = indices.first(where: { isField($0, named: name) }) else { return nil }
            let isRepeated = indices[(first + 1)...].contains { isField($0, named: name) }
            guard isRepeated, !name.isEqual(toASCII: "set-cookie") else { return text(valueRange(at: first)) }
            return values(of: name).joined(separator: ", ")
        }
        set {
            remove([name])
            if let newValue {
                append(name, newValue)
            }
        }
    }

    /// Returns the values of all fields `name`, in order.
    public func values(of name: String) -> [String] {
        indices.filter { isField($0, named: name) }.map { text(valueRange(at: $0)) }
    }

    /// Returns true if there is a field `name`. This is cheaper than reading its value.
    public func contains(_ name: String) -> Bool {
        indices.contains { isField($0, named: name) }
    }

    /// Returns true if both are copies of the same list. Does not compare any fields.
    package func isCopy(of other: HeaderList) -> Bool {
        bytes.withUnsafeBufferPointer { left in
            other.bytes.withUnsafeBufferPointer { left.baseAddress == $0.baseAddress && left.count == $0.count }
        }
    }

    /// Adds a field after all others.
    public mutating func append(_ name: String, _ value: String) {
        bytes.append(contentsOf: name.utf8)
        let end = bytes.count
        bytes.append(contentsOf: value.utf8)
        ends.append(Ends(name: end, value: bytes.count))
    }

    /// Removes all fields with these names.
    public mutating func remove(_ names: [String]) {
        guard indices.contains(where: { index in names.contains { isField(index, named: $0) } }) else { return }
        self = without { index in names.contains { isField(index, named: $0) } }
    }

    /// Removes all fields whose names satisfy `isRemoved`, in one pass.
    public mutating func remove(where isRemoved: (_ name: String) -> Bool) {
        self = without { isRemoved(text(nameRange(at: $0))) }
    }

    private func without(_ isRemoved: (Int) -> Bool) -> HeaderList {
        var rest = HeaderList()
        for index in indices where !isRemoved(index) {
            rest.append(bytes[nameRange(at: index)], bytes[valueRange(at: index)])
        }
        return rest
    }

    /// The fields without repeated names, computed in one pass. A repeated name has the position and the case of its
    /// first field.
    ///
    /// The values of repeated fields are joined with ", ". `Set-Cookie` is an exception: only its first value is kept.
    public var combined: [Field] {
        var result: [Field] = []
        var places: [String: Int] = [:]
        for field in self {
            let name = field.name.lowercased()
            if let place = places[name] {
                if name != "set-cookie" { result[place].value += ", " + field.value }
            } else {
                places[name] = result.count
                result.append(field)
            }
        }
        return result
    }

    // MARK: Raw fields

    /// Adds a field whose name and value are bytes, without conversion.
    @inline(__always)
    mutating func append(_ name: some Collection<UInt8>, _ value: some Collection<UInt8>) {
        bytes.append(contentsOf: name)
        let end = bytes.count
        bytes.append(contentsOf: value)
        ends.append(Ends(name: end, value: bytes.count))
    }

    /// Appends a continuation to the value of the last field, after a space. This is the meaning of an obsolete line
    /// fold (RFC 9112, section 5.2).
    mutating func continueLast(_ continuation: some Collection<UInt8>) {
        guard !ends.isEmpty, !continuation.isEmpty else { return }
        if ends[ends.count - 1].name < bytes.count {
            bytes.append(UInt8(ascii: " "))
        }
        bytes.append(contentsOf: continuation)
        ends[ends.count - 1].value = bytes.count
    }

    /// Returns true if several fields `name` have different values.
    func isContradictory(_ name: String) -> Bool {
        var first: Int?
        for index in indices where isField(index, named: name) {
            if let first, bytes[valueRange(at: index)] != bytes[valueRange(at: first)] { return true }
            first = first ?? index
        }
        return false
    }

    /// Reserves room for a typical response, so that no bytes are moved while the response arrives.
    mutating func reserveForResponse() {
        bytes.reserveCapacity(480)
        ends.reserveCapacity(14)
    }

    func nameRange(at index: Int) -> Range<Int> {
        (index == 0 ? 0 : ends[index - 1].value)..<ends[index].name
    }

    func valueRange(at index: Int) -> Range<Int> {
        ends[index].name..<ends[index].value
    }

    /// Compares the bytes in place, because this function is called several times for each response.
    private func isField(_ index: Int, named name: String) -> Bool {
        let range = nameRange(at: index)
        guard range.count == name.utf8.count else { return false }
        var name = name
        return name.withUTF8 { name in
            for offset in name.indices
            where bytes[range.lowerBound + offset].lowercasedASCII != name[offset].lowercasedASCII {
                return false
            }
            return true
        }
    }

    private func text(_ range: Range<Int>) -> String {
        let bytes = bytes[range]
        return String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}

extension HeaderList: RandomAccessCollection {
    /// The index of the first field.
    public var startIndex: Int { 0 }

    /// The index after the last field.
    public var endIndex: Int { ends.count }

    /// The field at `index`, as text.
    public subscript(index: Int) -> Field {
        Field(name: text(nameRange(at: index)), value: text(valueRange(at: index)))
    }
}

extension HeaderList: ExpressibleByDictionaryLiteral {
    /// Creates a list of these fields, in this order. A name may be repeated.
    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements {
            append(name, value)
        }
    }
}
#endif
