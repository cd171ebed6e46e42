#if os(Linux) || os(Android)
import Foundation

extension Document {
    /// Decodes a value of any type. The path is that of the value, or with `key` that of the container.
    func value<T: Decodable>(_ type: T.Type, at node: Int, _ path: PathNode?, _ key: (some CodingKey)?) throws -> T {
        // The types are the same, so that the casts only tell the compiler so.
        if T.self == String.self { return try cast(string(at: node), at: node, path, key) }
        if T.self == Int.self { return try cast(integer(Int.self, at: node), at: node, path, key) }
        if T.self == Double.self { return try cast(double(at: node), at: node, path, key) }
        if T.self == Bool.self { return try cast(bool(at: node), at: node, path, key) }
        if T.self == Date.self { return try date(at: node, path, key) as! T }
        if T.self == URL.self { return try cast(url(at: node), at: node, path, key) }
        if T.self == Data.self { return try data(at: node, path, key) as! T }
        if T.self == Decimal.self { return try cast(decimal(at: node), at: node, path, key) }
        if let list = scalars(type, at: node) { return list }
        let own = key.map { PathNode($0, path, node) } ?? path
        if options.convertsFromSnakeCase, text.nodes[node].kind == .object, let dictionary = T.self as? any StringDictionary.Type {
            return try dictionary.read(self, at: node, own) as! T
        }
        // `T.init` would call the initializer of a superclass if `type` is a subclass.
        return try type.init(from: ElementDecoder(self, own, node))
    }

    @inline(__always)
    private func cast<T, Value>(_ value: Value?, at node: Int, _ path: PathNode?, _ key: (some CodingKey)?) throws -> T {
        guard let value else { throw failure(T.self, at: node, path, key) }
        return value as! T
    }

    /// Reads a list of strings or numbers, or returns nil for another type, and if an element is of another type.
    @inline(__always)
    private func scalars<T>(_ type: T.Type, at node: Int) -> T? {
        if T.self == [String].self { return list(at: node) { string(at: $0) } as! T? }
        if T.self == [Double].self { return list(at: node) { double(at: $0) } as! T? }
        if T.self == [Int].self { return list(at: node) { integer(Int.self, at: $0) } as! T? }
        return nil
    }

    private func list<Element>(at node: Int, _ read: (Int) -> Element?) -> [Element]? {
        let found = text.nodes[node]
        guard found.kind == .array else { return nil }
        var result: [Element] = []
        result.reserveCapacity(found.count)
        var element = node + 1
        for _ in 0..<found.count {
            guard let value = read(element) else { return nil }
            result.append(value)
            element = text.after(element)
        }
        return result
    }

    private func date(at node: Int, _ path: PathNode?, _ key: (some CodingKey)?) throws -> Date {
        guard text.nodes[node].kind != .null else { throw failure(Date.self, at: node, path, key) }
        switch options.dates {
        case .deferredToDate: return try Date(from: ElementDecoder(self, key.map { PathNode($0, path, node) } ?? path, node))
        case .secondsSince1970:
            guard let seconds = double(at: node) else { throw failure(Double.self, at: node, path, key) }
            return Date(timeIntervalSince1970: seconds)
        case .millisecondsSince1970:
            guard let milliseconds = double(at: node) else { throw failure(Double.self, at: node, path, key) }
            return Date(timeIntervalSince1970: milliseconds / 1000)
        case .custom(let decode): return try decode(ElementDecoder(self, key.map { PathNode($0, path, node) } ?? path, node))
        case .iso8601:
            let found = text.nodes[node]
            if let date = withBytes({ ISODate.date(found, $0) }) { return date }
            return try parsedDate(at: node, path, key) { try? Date.ISO8601FormatStyle().parse($0) }
        @unknown default: throw doubtful(path, key)
        }
    }

    private func parsedDate(
        at node: Int, _ path: PathNode?, _ key: (some CodingKey)?, _ parse: (String) -> Date?
    ) throws -> Date {
        guard let text = string(at: node) else { throw failure(String.self, at: node, path, key) }
        guard let date = parse(text) else { throw doubtful(path, key) }
        return date
    }

    private func data(at node: Int, _ path: PathNode?, _ key: (some CodingKey)?) throws -> Data {
        guard text.nodes[node].kind != .null else { throw failure(Data.self, at: node, path, key) }
        switch options.data {
        case .base64:
            guard let text = string(at: node) else { throw failure(String.self, at: node, path, key) }
            guard let data = Data(base64Encoded: text) else { throw doubtful(path, key) }
            return data
        case .deferredToData: return try Data(from: ElementDecoder(self, key.map { PathNode($0, path, node) } ?? path, node))
        case .custom(let decode): return try decode(ElementDecoder(self, key.map { PathNode($0, path, node) } ?? path, node))
        @unknown default: throw doubtful(path, key)
        }
    }

    /// Returns an error that only the type itself sees: Foundation decodes once more.
    private func doubtful(_ path: PathNode?, _ key: (some CodingKey)?) -> DecodingError {
        isDoubtful = true
        return .dataCorrupted(context(path, key, "Foundation decides about this value."))
    }
}
#endif
