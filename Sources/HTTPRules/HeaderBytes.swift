/// The header fields of a message as bytes, in the order in which they are sent.
///
/// Names keep their case, and comparisons ignore the case (RFC 9110 §5.1). Names and values that are not UTF-8, or not
/// allowed by ``StreamSafety``, are read as Latin-1. A field is converted to text only when it is read.
package struct HeaderBytes: Sendable, Equatable {
    /// The names and values of all fields, one after another.
    @usableFromInline package var bytes: [UInt8] = []

    /// The ends of each field's name and value in ``bytes``.
    @usableFromInline package var ends: [Ends] = []

    @usableFromInline
    package struct Ends: Sendable, Equatable {
        @usableFromInline package var name: Int
        @usableFromInline package var value: Int

        @inlinable
        package init(name: Int, value: Int) {
            self.name = name
            self.value = value
        }
    }

    package init() {}

    package var indices: Range<Int> { ends.indices }

    package func name(at index: Int) -> String { text(nameRange(at: index)) }

    package func value(at index: Int) -> String { text(valueRange(at: index)) }

    /// The value of the field `name`; nil if there is no such field. The values of repeated fields are joined by ", "
    /// (RFC 9110 §5.3). `Set-Cookie` values cannot be joined: only the first value is returned.
    package subscript(name: String) -> String? {
        guard let first = indices.first(where: { isField($0, named: name) }) else { return nil }
        let isRepeated = indices[(first + 1)...].contains { isField($0, named: name) }
        guard isRepeated, !name.isEqual(toASCII: "set-cookie") else { return value(at: first) }
        return values(of: name).joined(separator: ", ")
    }

    /// Returns the values of all fields `name`, in order.
    package func values(of name: String) -> [String] {
        indices.filter { isField($0, named: name) }.map { value(at: $0) }
    }

    /// Returns true if there is a field `name`. This is cheaper than reading its value.
    package func contains(_ name: String) -> Bool {
        indices.contains { isField($0, named: name) }
    }

    /// Returns true if both are copies of the same fields. Does not compare any fields.
    package func isCopy(of other: HeaderBytes) -> Bool {
        bytes.withUnsafeBufferPointer { left in
            other.bytes.withUnsafeBufferPointer { left.baseAddress == $0.baseAddress && left.count == $0.count }
        }
    }

    /// Returns the fields without those that `isRemoved` selects by their index.
    package func without(_ isRemoved: (Int) -> Bool) -> HeaderBytes {
        var rest = HeaderBytes()
        for index in indices where !isRemoved(index) {
            rest.append(bytes[nameRange(at: index)], bytes[valueRange(at: index)])
        }
        return rest
    }

    /// Adds a field whose name and value are bytes, without conversion.
    @inlinable @inline(__always)
    package mutating func append(_ name: some Collection<UInt8>, _ value: some Collection<UInt8>) {
        bytes.append(contentsOf: name)
        let end = bytes.count
        bytes.append(contentsOf: value)
        ends.append(Ends(name: end, value: bytes.count))
    }

    /// Appends a continuation to the value of the last field, after a space. This is the meaning of an obsolete line
    /// fold (RFC 9112 §5.2).
    @inlinable
    package mutating func continueLast(_ continuation: some Collection<UInt8>) {
        guard !ends.isEmpty, !continuation.isEmpty else { return }
        if ends[ends.count - 1].name < bytes.count {
            bytes.append(UInt8(ascii: " "))
        }
        bytes.append(contentsOf: continuation)
        ends[ends.count - 1].value = bytes.count
    }

    /// Returns true if several fields `name` have different values.
    package func isContradictory(_ name: String) -> Bool {
        var first: Int?
        for index in indices where isField(index, named: name) {
            if let first, bytes[valueRange(at: index)] != bytes[valueRange(at: first)] { return true }
            first = first ?? index
        }
        return false
    }

    /// Reserves room for a typical response, so that no bytes are moved while the response arrives.
    package mutating func reserveForResponse() {
        bytes.reserveCapacity(480)
        ends.reserveCapacity(14)
    }

    package func nameRange(at index: Int) -> Range<Int> {
        (index == 0 ? 0 : ends[index - 1].value)..<ends[index].name
    }

    package func valueRange(at index: Int) -> Range<Int> {
        ends[index].name..<ends[index].value
    }

    /// Compares the bytes in place, because this function is called several times for each response.
    package func isField(_ index: Int, named name: String) -> Bool {
        name.withUTF8Bytes { name in
            bytes.withUnsafeBytes { UnsafeRawBufferPointer(rebasing: $0[nameRange(at: index)]).isEqual(toASCII: name) }
        }
    }

    private func text(_ range: Range<Int>) -> String {
        let bytes = bytes[range]
        return String(validating: bytes, as: UTF8.self).map(StreamSafety.safe) ?? String(latin1: bytes)
    }
}
