#if os(Linux) || os(Android)
import Foundation

extension OutputDocument {
    /// Writes a value of any type at the end of the text.
    func write<T: Encodable>(_ value: T, _ key: (any CodingKey)?) throws {
        if isDoubtful { return }
        if T.self == String.self { return text.append(same(value) as String) }
        if T.self == Int.self { return text.append(integer: Int64(same(value) as Int)) }
        if T.self == Double.self { return try write(double: same(value)) }
        if T.self == Bool.self { return text.append(same(value) as Bool) }
        if T.self == Date.self { return try write(date: same(value), key) }
        if T.self == URL.self { return text.append((same(value) as URL).absoluteString) }
        if T.self == Data.self { return try write(data: same(value), key) }
        if T.self == Decimal.self { return text.append(same(value) as Decimal) }
        if T.self == [String].self { return try writeList(same(value) as [String], key) { text.append($0) } }
        if T.self == [Int].self { return try writeList(same(value) as [Int], key) { text.append(integer: Int64($0)) } }
        if T.self == [Double].self { return try writeList(same(value) as [Double], key) { try write(double: $0) } }
        if options.convertsToSnakeCase, let dictionary = value as? any OutputDictionary {
            // Foundation leaves the key of such a dictionary out of the paths of its values.
            return try writeNested(nil, isRoot: false) { try dictionary.write($0) }
        }
        try writeNested(key, isRoot: frames.count == 0) { try value.encode(to: $0) }
    }

    /// Returns a value as the type that it has. Only `T` and `Value` that were found to be the same type come here,
    /// where a cast with `as` would look for conformances first.
    @inline(__always)
    private func same<T, Value>(_ value: Value) -> T { unsafeBitCast(value, to: T.self) }

    /// Calls a function that writes a value through an encoder. A value that writes nothing is an empty object, except
    /// as the whole document.
    @inline(__always)
    private func writeNested(_ key: (any CodingKey)?, isRoot: Bool, _ body: (ElementEncoder) throws -> Void) throws {
        let place = push(.value, key)
        guard !isDoubtful else { return }
        do {
            try body(ElementEncoder(place: place))
        } catch {
            // The value that contains this one may catch the error. Foundation then writes nothing in its place.
            doubt()
            throw error
        }
        finish(place, isRoot)
    }

    private func finish(_ place: Place, _ isRoot: Bool) {
        guard !isDoubtful else { return }
        let isOpen = place.depth < frames.count && frames[place.depth].serial == place.serial
        guard isOpen, !isRoot || frames[place.depth].count > 0 else { return doubt() }
        close(to: place.depth)
    }

    private func writeList<Element>(_ list: [Element], _ key: (any CodingKey)?, _ body: (Element) throws -> Void) throws
    {
        let array = push(.array, key)
        guard !isDoubtful else { return }
        for index in list.indices {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            try body(list[index])
        }
        close(to: array.depth)
    }

    func write(double value: Double) throws {
        if value.isFinite { return text.append(value) }
        text.append(try nonConforming(value))
    }

    func write(float value: Float) throws {
        if value.isFinite { return text.append(value) }
        text.append(try nonConforming(value))
    }

    /// Returns the text for an infinite number or NaN.
    private func nonConforming(_ value: some BinaryFloatingPoint & Encodable) throws -> String {
        guard case .convertToString(let positive, let negative, let nan) = options.floats else {
            doubt()
            throw EncodingError.invalidValue(
                value, EncodingError.Context(codingPath: [], debugDescription: "JSON cannot contain this number."))
        }
        return value.isNaN ? nan : value > 0 ? positive : negative
    }

    private func write(date: Date, _ key: (any CodingKey)?) throws {
        switch options.dates {
        case .deferredToDate: try write(double: date.timeIntervalSinceReferenceDate)
        case .secondsSince1970: write(time: date.timeIntervalSince1970)
        case .millisecondsSince1970: write(time: 1000 * date.timeIntervalSince1970)
        case .iso8601: text.append(iso8601: date)
        case .custom(let encode): try writeNested(key, isRoot: false) { try encode(date, $0) }
        @unknown default: doubt()
        }
    }

    /// Writes a number that must be finite, whatever the strategy for numbers is.
    private func write(time: Double) {
        if time.isFinite { text.append(time) } else { doubt() }
    }

    private func write(data: Data, _ key: (any CodingKey)?) throws {
        switch options.data {
        case .base64: text.append(data.base64EncodedString())
        case .deferredToData: try writeList(Array(data), key) { text.append(integer: UInt64($0)) }
        case .custom(let encode): try writeNested(key, isRoot: false) { try encode(data, $0) }
        @unknown default: doubt()
        }
    }
}
#endif
