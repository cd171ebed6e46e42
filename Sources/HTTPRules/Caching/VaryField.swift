/// The field `Vary`: the request fields that select a response (RFC 9110 §12.5.5, RFC 9111 §4.1).
package struct VaryField: Sendable, Equatable {
    /// True if no request can match: the field contains `*`, a member that is not a name, or too many names.
    package private(set) var isAny = false

    /// The names of the request fields in lower case, sorted and without duplicates. Empty if ``isAny`` is true.
    package private(set) var names: [String] = []

    /// The maximum number of names. With more, ``isAny`` is true.
    package static let nameLimit = 64

    /// The maximum length of a name, in bytes. With a longer name, ``isAny`` is true.
    package static let nameLengthLimit = 128

    /// Reads a field. Nil is a missing field, with which every request matches.
    package init(_ value: String?) {
        guard let value, !value.isEmpty else { return }
        var found: Set<String> = []
        value.withUTF8Bytes { bytes in
            var reader = FieldReader(bytes)
            reader.skipToMember()
            while !reader.isAtEnd, !isAny { takeName(&reader, to: &found) }
        }
        if !isAny { names = found.sorted() }
    }

    private mutating func takeName(_ reader: inout FieldReader, to found: inout Set<String>) {
        let name = reader.takeToken()
        reader.skipSpaces()
        guard !name.isEmpty, name.count <= Self.nameLengthLimit, reader.isAtEndOfMember, !name.isEqual(toASCII: "*")
        else { return isAny = true }
        found.insert(name.lowercased)
        isAny = found.count > Self.nameLimit
        reader.skipToMember()
    }

    /// Returns true if a response to the `stored` request can be used for the `new` request: the selecting fields have
    /// the same values, or are missing in both. ``normalized(_:of:)`` says which differences have no meaning.
    package func matches(stored: some CacheFields, new: some CacheFields) -> Bool {
        !isAny && names.allSatisfy { name in Self.isSame(stored[name], new[name], name) }
    }

    /// Returns the selecting fields of a request with normalised values, as a cache stores them next to a response.
    package func selectingFields(of request: some CacheFields) -> [String: String] {
        var fields: [String: String] = [:]
        for name in names { fields[name] = request[name].map { Self.normalized($0, of: name) } }
        return fields
    }

    private static func isSame(_ stored: String?, _ new: String?, _ name: String) -> Bool {
        guard let stored, let new else { return stored == nil && new == nil }
        return stored.hasSameBytes(as: new) || normalized(stored, of: name).hasSameBytes(as: normalized(new, of: name))
    }

    /// Returns the value without differences that have no meaning (RFC 9111 §4.1): white space at both ends and next to
    /// commas outside quoted strings, and empty members.
    ///
    /// In `Accept`, `Accept-Charset`, `Accept-Encoding` and `Accept-Language`, white space next to semicolons and the
    /// case of letters have no meaning either. The order of members stays, because servers may read it as a preference
    /// (RFC 9110 §12.5.4).
    package static func normalized(_ value: String, of name: String) -> String {
        let isNegotiation = negotiationFields.contains(name)
        var result: [UInt8] = []
        var (isQuoted, isEscaped) = (false, false)
        for byte in value.utf8 {
            if isQuoted {
                result.append(byte)
                isQuoted = isEscaped || byte != UInt8(ascii: "\"")
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
                continue
            }
            let isSeparator = byte == UInt8(ascii: ",") || isNegotiation && byte == UInt8(ascii: ";")
            if isSeparator { result.removeLastSpaces() }
            if byte.isFieldSpace || byte == UInt8(ascii: ","), result.endsMember(isNegotiation) { continue }
            result.append(isNegotiation ? byte.lowercasedASCII : byte)
            isQuoted = byte == UInt8(ascii: "\"")
        }
        if !isQuoted {
            result.removeLastSpaces()
            if result.last == UInt8(ascii: ",") { result.removeLast() }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static let negotiationFields: Set<String> = [
        "accept", "accept-charset", "accept-encoding", "accept-language",
    ]
}

extension UInt8 {
    fileprivate var isFieldSpace: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}

extension [UInt8] {
    fileprivate mutating func removeLastSpaces() {
        while last?.isFieldSpace == true { removeLast() }
    }

    /// Returns true if a space or a comma has no meaning here.
    fileprivate func endsMember(_ isNegotiation: Bool) -> Bool {
        guard let last else { return true }
        return last == UInt8(ascii: ",") || isNegotiation && last == UInt8(ascii: ";")
    }
}
