import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The header fields of one message, by name without regard to case.
struct HeaderFields: Sendable {
    /// All fields, their names in lower case.
    private(set) var dictionary: [String: String]

    init(_ fields: [String: String]) {
        dictionary = Self.lowered(Array(fields))
    }

    init(_ response: HTTPURLResponse) {
        dictionary = Self.lowered(
            response.allHeaderFields.compactMap { name, value in
                (name as? String).map { (key: $0, value: value as? String ?? String(describing: value)) }
            })
    }

    subscript(name: String) -> String? {
        dictionary[name] ?? dictionary[name.lowercased()]
    }

    /// Lowers the names; values whose names differ in case alone are joined by ", " (RFC 9110 §5.3) in the order of the names
    /// as they were written, so that the result never depends on a hash seed. `Set-Cookie` does not allow joining: its first
    /// field wins.
    private static func lowered(_ fields: [(key: String, value: String)]) -> [String: String] {
        var result = [String: String](minimumCapacity: fields.count)
        for (name, value) in fields { result[name.lowercased()] = value }
        guard result.count < fields.count else { return result }
        result.removeAll()
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
            let key = name.lowercased()
            guard let first = result[key] else { result[key] = value; continue }
            if key != "set-cookie" { result[key] = first + ", " + value }
        }
        return result
    }
}
