import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
#if os(Linux)
import CurlTransport
#endif

/// The header fields of one message, by name without regard to case (RFC 9110 §5.1).
///
/// Kept as they came, since most of them are never asked for; a look-up takes time proportional to their number.
struct HeaderFields: Sendable {
    private var storage: Storage

    private enum Storage {
        case pairs([(name: String, value: String)])
        #if os(Linux)
        /// The transport's own form: text is made only of what is asked for.
        case list(HeaderList)
        #endif
    }

    init(_ fields: [String: String]) {
        self.init(fields.map { ($0.key, $0.value) })
    }

    init(_ response: HTTPURLResponse) {
        self.init(
            response.allHeaderFields.compactMap { name, value in
                (name.base as? String).map { ($0, value as? String ?? String(describing: value)) }
            })
    }

    #if os(Linux)
    init(_ fields: HeaderList) {
        storage = .list(fields)
    }
    #endif

    /// A dictionary may hold several fields of one name in the order of a hash seed; that of the names as they were
    /// written is the same in every process.
    private init(_ pairs: [(name: String, value: String)]) {
        let isRepeated = pairs.indices.contains { index in
            pairs[..<index].contains { $0.name.isEqual(toASCII: pairs[index].name) }
        }
        storage = .pairs(isRepeated ? pairs.sorted { $0.name < $1.name } : pairs)
    }

    /// The value of a field; those of fields whose names differ in case alone are joined by ", " (RFC 9110 §5.3).
    /// `Set-Cookie` does not allow joining: its first field wins.
    subscript(name: String) -> String? {
        switch storage {
        case .pairs(let pairs): Self.value(of: name, in: pairs)
        #if os(Linux)
        case .list(let list): list[name]
        #endif
        }
    }

    /// All fields, their names in lower case.
    var dictionary: [String: String] {
        let names = names
        var result = [String: String](minimumCapacity: names.count)
        for name in names where result[name.lowercased()] == nil { result[name.lowercased()] = self[name] }
        return result
    }

    private var names: [String] {
        switch storage {
        case .pairs(let pairs): pairs.map(\.name)
        #if os(Linux)
        case .list(let list): list.map(\.name)
        #endif
        }
    }

    private static func value(of name: String, in pairs: [(name: String, value: String)]) -> String? {
        var result: String?
        for pair in pairs where pair.name.isEqual(toASCII: name) {
            guard let first = result else { result = pair.value; continue }
            if !name.isEqual(toASCII: "set-cookie") { result = first + ", " + pair.value }
        }
        return result
    }
}
