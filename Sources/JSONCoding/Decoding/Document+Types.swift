#if os(Linux) || os(Android)
import Foundation

extension Document {
    /// Decodes a value of any type. With a key, `container` contains the value; without one, it is the
    /// location of the value.
    func value<T: Decodable>(_ type: T.Type, at node: Int, _ container: Location, _ key: (any CodingKey)?) throws -> T {
        if T.self == String.self { return try cast(string(at: node), at: node, container, key) }
        if T.self == Int.self { return try cast(integer(Int.self, at: node), at: node, container, key) }
        if T.self == Double.self { return try cast(double(at: node), at: node, container, key) }
        if T.self == Bool.self { return try cast(bool(at: node), at: node, container, key) }
        if T.self == Date.self { return try cast(date(at: node, container, key), at: node, container, key) }
        if T.self == URL.self { return try cast(url(at: node), at: node, container, key) }
        if T.self == Data.self { return try cast(data(at: node, container, key), at: node, container, key) }
        if T.self == Decimal.self { return try cast(decimal(at: node), at: node, container, key) }
        if let list = scalars(type, at: node) { return list }
        numberError = nil  // The list is decoded once more.
        let location = location(of: node, container, key)
        if options.convertsFromSnakeCase, text.nodes[node].kind == .object,
            let dictionary = T.self as? any StringDictionary.Type,
            let value = try dictionary.read(location) as? T
        {
            return value
        }
        // `T.init` would call the initializer of a superclass if `type` is a subclass.
        return try type.init(from: ElementDecoder(location: location))
    }

    private func location(of node: Int, _ container: Location, _ key: (any CodingKey)?) -> Location {
        key.map { container.part(node, $0) } ?? container
    }

    @inline(__always)
    private func cast<T, Value>(_ value: Value?, at node: Int, _ container: Location, _ key: (any CodingKey)?) throws
        -> T
    {
        guard let value else { throw failure(T.self, at: node, container, key) }
        return same(value)
    }

    /// Returns a value as the type that it has. Only `T` and `Value` that were found to be the same type come here,
    /// where a cast with `as` would look for conformances first.
    @inline(__always)
    private func same<T, Value>(_ value: Value) -> T { unsafeBitCast(value, to: T.self) }

    /// Reads a list of strings or numbers, or returns nil for another type, and if an element is of another type.
    @inline(__always)
    private func scalars<T>(_ type: T.Type, at node: Int) -> T? {
        if T.self == [String].self { return list(at: node) { string(at: $0) }.map { same($0) } }
        if T.self == [Double].self { return list(at: node) { double(at: $0) }.map { same($0) } }
        if T.self == [Int].self { return list(at: node) { integer(Int.self, at: $0) }.map { same($0) } }
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

    private func date(at node: Int, _ container: Location, _ key: (any CodingKey)?) throws -> Date {
        guard text.nodes[node].kind != .null else { throw failure(Date.self, at: node, container, key) }
        switch options.dates {
        case .deferredToDate: return try Date(from: ElementDecoder(location: location(of: node, container, key)))
        case .secondsSince1970:
            guard let seconds = double(at: node) else { throw failure(Double.self, at: node, container, key) }
            return Date(timeIntervalSince1970: seconds)
        case .millisecondsSince1970:
            guard let milliseconds = double(at: node) else { throw failure(Double.self, at: node, container, key) }
            return Date(timeIntervalSince1970: milliseconds / 1000)
        case .custom(let decode): return try decode(ElementDecoder(location: location(of: node, container, key)))
        case .iso8601:
            let found = text.nodes[node]
            if let date = withBytes({ ISODate.date(found, $0) }) { return date }
            return try parsedDate(at: node, container, key) { try? Date.ISO8601FormatStyle().parse($0) }
        @unknown default: throw doubtful(container, key)
        }
    }

    private func parsedDate(
        at node: Int, _ container: Location, _ key: (any CodingKey)?, _ parse: (String) -> Date?
    ) throws -> Date {
        guard let text = string(at: node) else { throw failure(String.self, at: node, container, key) }
        // The path of Foundation's error is that of the `init(from:)` that is running, whose place is not known here.
        guard let date = parse(text) else { throw doubtful(container, key) }
        return date
    }

    private func data(at node: Int, _ container: Location, _ key: (any CodingKey)?) throws -> Data {
        guard text.nodes[node].kind != .null else { throw failure(Data.self, at: node, container, key) }
        switch options.data {
        case .base64:
            guard let text = string(at: node) else { throw failure(String.self, at: node, container, key) }
            guard let data = Data(base64Encoded: text) else { throw refusal(Data.self, container, key) }
            return data
        case .deferredToData: return try Data(from: ElementDecoder(location: location(of: node, container, key)))
        case .custom(let decode): return try decode(ElementDecoder(location: location(of: node, container, key)))
        @unknown default: throw doubtful(container, key)
        }
    }
}
#endif
