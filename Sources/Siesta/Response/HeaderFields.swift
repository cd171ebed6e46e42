import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The header fields of one message, by name without regard to case (RFC 9110 §5.1).
///
/// Kept as they came, since most of them are never asked for; a look-up takes time proportional to their number.
struct HeaderFields: Sendable {
    private var fields: [(name: String, value: String)]

    init(_ fields: [String: String]) {
        self.fields = fields.map { ($0.key, $0.value) }
        sortIfRepeated()
    }

    init(_ response: HTTPURLResponse) {
        fields = response.allHeaderFields.compactMap { name, value in
            (name.base as? String).map { ($0, value as? String ?? String(describing: value)) }
        }
        sortIfRepeated()
    }

    /// The value of a field; those of fields whose names differ in case alone are joined by ", " (RFC 9110 §5.3). `Set-Cookie`
    /// does not allow joining: its first field wins.
    subscript(name: String) -> String? {
        var result: String?
        for field in fields where field.name.isEqual(toASCII: name) {
            guard let first = result else { result = field.value; continue }
            if !name.isEqual(toASCII: "set-cookie") { result = first + ", " + field.value }
        }
        return result
    }

    /// All fields, their names in lower case.
    var dictionary: [String: String] {
        var result = [String: String](minimumCapacity: fields.count)
        for (name, _) in fields where result[name.lowercased()] == nil { result[name.lowercased()] = self[name] }
        return result
    }

    /// A dictionary may hold several fields of one name in the order of a hash seed; that of the names as they were written is
    /// the same in every process.
    private mutating func sortIfRepeated() {
        let isRepeated = fields.indices.contains { index in
            fields[..<index].contains { $0.name.isEqual(toASCII: fields[index].name) }
        }
        if isRepeated { fields.sort { $0.name < $1.name } }
    }
}
