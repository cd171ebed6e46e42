import Foundation
import HTTPRules

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The header fields of one message, by case-insensitive name (RFC 9110 §5.1).
///
/// The fields are stored as they were received, because most of them are never read. A look-up, and the property
/// ``dictionary``, take time proportional to the number of fields. The server chooses the number and the length of the
/// fields.
@usableFromInline
package struct HeaderFields: Sendable {
    private var storage: Storage

    private enum Storage {
        case pairs([(name: String, value: String)])
        /// The response of a provider. A look-up costs a quarter of the conversion of one field.
        case response(HTTPURLResponse)
        /// The representation of the transport, which makes strings only for the fields that are read.
        case bytes(HeaderBytes)
    }

    package init(_ fields: [String: String]) {
        storage = .pairs(Self.sorted(fields.map { ($0.key, $0.value) }))
    }

    init(_ response: HTTPURLResponse) {
        storage = .response(response)
    }

    /// All fields of a response. Sorts them if names differ only in case. A dictionary returns such fields in a random
    /// order; with this sort, the order is the same in every process.
    private static func converted(_ response: HTTPURLResponse) -> [(name: String, value: String)] {
        sorted(
            response.allHeaderFields.compactMap { name, value in
                (name.base as? String).map {
                    (StreamSafety.safe($0), StreamSafety.safe(value as? String ?? String(describing: value)))
                }
            })
    }

    init(_ fields: HeaderBytes) {
        storage = .bytes(fields)
    }

    private static func sorted(_ pairs: [(name: String, value: String)]) -> [(name: String, value: String)] {
        isRepeated(in: pairs) ? pairs.sorted { $0.name < $1.name } : pairs
    }

    /// Returns true if two names differ only in case. Up to 16 names are compared in pairs, which is faster than using
    /// a hash table.
    private static func isRepeated(in pairs: [(name: String, value: String)]) -> Bool {
        guard pairs.count > 16 else {
            return pairs.indices.contains { index in
                pairs[..<index].contains { $0.name.isEqual(toASCII: pairs[index].name) }
            }
        }
        var names = Set<String>(minimumCapacity: pairs.count)
        return pairs.contains { !names.insert($0.name.lowercased()).inserted }
    }

    /// The value of a field; nil if there is no such field. The values of fields whose names differ only in case are
    /// joined by ", " (RFC 9110 §5.3). `Set-Cookie` values cannot be joined: only the first value is returned.
    package subscript(name: String) -> String? {
        switch storage {
        case .pairs(let pairs): Self.value(of: name, in: pairs)
        case .response(let response): Self.value(of: name, in: response)
        case .bytes(let fields): fields[name]
        }
    }

    /// The value of `Content-Type`; nil if there is no such field. Equal values of several fields count as one.
    package var contentType: String? { self["content-type"].map(MediaType.single) }

    /// Returns the value of a field that contains one URL, such as `Location`. Equal values of several fields count as one.
    /// Returns nil if there is no field, or if the values contradict each other.
    package func reference(_ name: String) -> String? {
        guard let value = self[name] else { return nil }
        let values = value.split(separator: ", ", omittingEmptySubsequences: false).map(String.init)
        guard let first = values.first, !values.allSatisfy({ $0.hasSameBytes(as: first) }) else { return values.first }
        // Values are joined by a comma and a space. A URL has no space (RFC 3986 §2), but some servers send one.
        return values.dropFirst().contains { $0.hasPrefix("/") || $0.contains("://") } ? nil : value
    }

    /// Returns true if both are copies of the same value. Compares the identity of their storage, and no text.
    package func isCopy(of other: HeaderFields) -> Bool {
        switch (storage, other.storage) {
        case (.pairs(let left), .pairs(let right)):
            left.withUnsafeBufferPointer { left in
                right.withUnsafeBufferPointer { left.baseAddress == $0.baseAddress && left.count == $0.count }
            }
        case (.response(let left), .response(let right)): left === right
        case (.bytes(let left), .bytes(let right)): left.isCopy(of: right)
        default: false
        }
    }

    /// Returns true if there is a field with this name.
    package func contains(_ name: String) -> Bool {
        switch storage {
        case .pairs(let pairs): pairs.contains { $0.name.isEqual(toASCII: name) }
        case .response(let response): Self.value(of: name, in: response) != nil
        case .bytes(let fields): fields.indices.contains { fields.isField($0, named: name) }
        }
    }

    /// Returns true if there are no fields besides `names`.
    package func consists(of names: [String]) -> Bool {
        switch storage {
        case .pairs(let pairs): pairs.allSatisfy { pair in names.contains { pair.name.isEqual(toASCII: $0) } }
        case .response(let response):
            response.allHeaderFields.keys.allSatisfy { key in
                guard let name = key.base as? String else { return true }
                return names.contains { name.isEqual(toASCII: $0) }
            }
        case .bytes(let fields):
            fields.indices.allSatisfy { index in names.contains { fields.isField(index, named: $0) } }
        }
    }

    /// Calls `body` with the name of each field, in its original case. A name may occur several times.
    package func forEachName(_ body: (String) -> Void) {
        switch storage {
        case .pairs(let pairs): for pair in pairs { body(pair.name) }
        case .response(let response): for pair in Self.converted(response) { body(pair.name) }
        case .bytes(let fields): for index in fields.indices { body(fields.name(at: index)) }
        }
    }

    /// The fields as they were received, in this order. A name may occur several times.
    var pairs: [(name: String, value: String)] {
        switch storage {
        case .pairs(let pairs): pairs
        case .response(let response): Self.converted(response)
        case .bytes(let fields): fields.indices.map { (fields.name(at: $0), fields.value(at: $0)) }
        }
    }

    /// The number of fields as they were received.
    package var count: Int {
        switch storage {
        case .pairs(let pairs): pairs.count
        case .response(let response): response.allHeaderFields.count
        case .bytes(let fields): fields.indices.count
        }
    }

    /// The approximate size of all names and values in memory, in bytes.
    var byteCount: Int {
        switch storage {
        case .pairs, .response: pairs.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 32 }
        case .bytes(let fields): fields.bytes.count + fields.ends.count * MemoryLayout<HeaderBytes.Ends>.stride
        }
    }

    /// Returns these fields with other values for some of them. The names are in lower case.
    package func setting(_ values: [String: String]) -> HeaderFields {
        HeaderFields(dictionary.merging(values) { $1 })
    }

    /// All fields, with their names in lower case.
    package var dictionary: [String: String] {
        switch storage {
        case .pairs(let pairs): Self.joined(pairs)
        case .response(let response): Self.joined(Self.converted(response))
        case .bytes(let fields):
            Self.joined(fields.indices.lazy.map { (fields.name(at: $0), fields.value(at: $0)) })
        }
    }

    private static func joined(_ fields: some Collection<(name: String, value: String)>) -> [String: String] {
        var result = [String: String](minimumCapacity: fields.count)
        for (name, value) in fields {
            let name = name.lowercased()
            if result[name] == nil {
                result[name] = value
            } else if name != "set-cookie" {
                result[name]?.append(", \(value)")
            }
        }
        return result
    }

    /// Foundation gives all fields but those of the app (`X-…`) one spelling, so that it has no two of one name.
    private static func value(of name: String, in response: HTTPURLResponse) -> String? {
        guard let first = name.utf8.first, first | 0x20 != UInt8(ascii: "x") else {
            return value(of: name, in: converted(response))
        }
        return response.value(forHTTPHeaderField: name).map(StreamSafety.safe)
    }

    private static func value(of name: String, in pairs: [(name: String, value: String)]) -> String? {
        var result: String?
        for pair in pairs where pair.name.isEqual(toASCII: name) {
            guard result != nil else { result = pair.value; continue }
            if name.isEqual(toASCII: "set-cookie") { return result }
            result?.append(", \(pair.value)")
        }
        return result
    }
}

extension HeaderFields {
    /// Returns the name of the character set in a content type, which the caller has already read.
    @usableFromInline
    func charset(in contentType: String?) -> String? { contentType.flatMap { MediaType.parameter("charset", of: $0) } }
}

extension HeaderFields: CacheFields {}
