#if os(Linux) || os(Android)
package import HTTPRules

/// The header fields of a message, in the order in which they are sent.
///
/// Names keep their case, and comparisons ignore the case (RFC 9110, section 5.1). Values that are not UTF-8 are read
/// as Latin-1. A field is converted to text only when it is read.
package struct HeaderList: Sendable, Equatable {
    package var fields = HeaderBytes()

    /// Creates an empty list.
    package init() {}

    /// One header field.
    package struct Field: Sendable, Equatable {
        /// The name, in its original case.
        package let name: String

        /// The value, without surrounding white space.
        package internal(set) var value: String
    }

    /// The value of the field `name`; nil if there is no such field.
    ///
    /// The values of repeated fields are joined with ", " (RFC 9110, section 5.3). `Set-Cookie` is an exception,
    /// because its values cannot be joined: this subscript returns the first value, and ``values(of:)`` returns all values.
    /// Setting a value replaces all fields of that name.
    package subscript(name: String) -> String? {
        get { fields[name] }
        set {
            remove([name])
            if let newValue { append(name, newValue) }
        }
    }

    /// Returns the values of all fields `name`, in order.
    package func values(of name: String) -> [String] {
        fields.values(of: name)
    }

    /// Returns true if there is a field `name`. This is cheaper than reading its value.
    package func contains(_ name: String) -> Bool {
        fields.contains(name)
    }

    /// Adds a field after all others.
    package mutating func append(_ name: String, _ value: String) {
        fields.append(name.utf8, value.utf8)
    }

    /// Adds a field whose name and value are bytes, without conversion.
    @inline(__always)
    mutating func append(_ name: some Collection<UInt8>, _ value: some Collection<UInt8>) {
        fields.append(name, value)
    }

    /// Removes all fields with these names.
    package mutating func remove(_ names: [String]) {
        guard names.contains(where: fields.contains) else { return }
        fields = fields.without { index in names.contains { fields.isField(index, named: $0) } }
    }

    /// Removes all fields whose names satisfy `isRemoved`, in one pass.
    package mutating func remove(where isRemoved: (_ name: String) -> Bool) {
        fields = fields.without { isRemoved(fields.name(at: $0)) }
    }

    /// The fields without repeated names, computed in one pass. A repeated name has the position and the case of its
    /// first field.
    ///
    /// The values of repeated fields are joined with ", ". `Set-Cookie` is an exception: only its first value is kept.
    package var combined: [Field] {
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
}

extension HeaderList: RandomAccessCollection {
    /// The index of the first field.
    package var startIndex: Int { 0 }

    /// The index after the last field.
    package var endIndex: Int { fields.indices.count }

    /// The field at `index`, as text.
    package subscript(index: Int) -> Field {
        Field(name: fields.name(at: index), value: fields.value(at: index))
    }
}

extension HeaderList: ExpressibleByDictionaryLiteral {
    /// Creates a list of these fields, in this order. A name may be repeated.
    package init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements {
            append(name, value)
        }
    }
}
#endif
