import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
#if os(Linux)
import CurlTransport
#endif

/// The header fields of one message, by name without regard to case.
struct HeaderFields: Sendable {
    private let storage: Storage

    private enum Storage {
        /// Names in lower case.
        case dictionary([String: String])
        #if os(Linux)
        /// As they came: most responses are asked for one or two of their fields.
        case list(HeaderList)
        #endif
    }

    init(_ fields: [String: String]) {
        storage = .dictionary(Self.lowered(Array(fields)))
    }

    init(_ response: HTTPURLResponse) {
        storage = .dictionary(
            Self.lowered(
                response.allHeaderFields.compactMap { name, value in
                    (name as? String).map { (key: $0, value: value as? String ?? String(describing: value)) }
                }))
    }

    #if os(Linux)
    init(_ fields: HeaderList) {
        storage = .list(fields)
    }
    #endif

    /// All fields, their names in lower case.
    var dictionary: [String: String] {
        switch storage {
        case .dictionary(let dictionary):
            return dictionary
        #if os(Linux)
        case .list(let list):
            var result = [String: String](minimumCapacity: list.count)
            for name in list.lazy.map(\.name) where result[name.lowercased()] == nil {
                result[name.lowercased()] = list[name]
            }
            return result
        #endif
        }
    }

    subscript(name: String) -> String? {
        switch storage {
        case .dictionary(let dictionary): dictionary[name] ?? dictionary[name.lowercased()]
        #if os(Linux)
        case .list(let list): list[name]
        #endif
        }
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
