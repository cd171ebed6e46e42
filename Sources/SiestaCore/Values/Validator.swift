import HTTPRules

#if canImport(FoundationNetworking)
import FoundationNetworking
#else
import Foundation
#endif

/// The identifier of a version of a resource: its entity tag, or its modification date if it has no entity tag (RFC
/// 9110 §8.8).
///
/// A value that cannot be sent back unchanged is not accepted as a validator, because with such a value every later
/// load would fail. See ``isSendable(_:)``.
package struct Validator: Equatable, Sendable {
    private enum Kind { case entityTag, lastModified }

    private let kind: Kind
    private let value: String

    /// The header fields that identify a version.
    package static let fields = ["etag", "last-modified"]

    /// The maximum length of a validator, in bytes. A longer validator would fill the header of each later request.
    static let lengthLimit = 1024

    /// Creates the validator of an entity; nil if the entity has no valid entity tag and no valid date.
    ///
    /// - Parameter field: Returns the value of a header by its name in lower case.
    package init?(field: (String) -> String?) {
        if let tag = field("etag"), Self.isEntityTag(tag) {
            (kind, value) = (.entityTag, tag)
        } else if let date = field("last-modified"), Self.isSendable(date) {
            (kind, value) = (.lastModified, date)
        } else {
            return nil
        }
    }

    /// Creates the validator in the condition of a request; nil if the request has no condition.
    ///
    /// - Parameter field: Returns the value of a header of the request, by its name in any case.
    init?(condition field: (String) -> String?) {
        if let tag = field(Self.conditions[0]) {
            (kind, value) = (.entityTag, tag)
        } else if let date = field(Self.conditions[1]) {
            (kind, value) = (.lastModified, date)
        } else {
            return nil
        }
    }

    /// Returns true if both are the same value of the same header, byte for byte.
    package static func == (left: Self, right: Self) -> Bool {
        left.kind == right.kind && left.value.hasSameBytes(as: right.value)
    }

    /// Returns the value of the validator if it is the value of this header, which is named in lower case; nil otherwise.
    package func value(ofField name: String) -> String? {
        name == (kind == .entityTag ? "etag" : "last-modified") ? value : nil
    }

    /// The headers that make a server respond with 304 (RFC 9110 §13.1.2 and §13.1.3). The first header takes
    /// precedence.
    static let conditions = ["If-None-Match", "If-Modified-Since"]

    func add(to request: inout URLRequest) {
        switch kind {
        case .entityTag: Self.set(value, Self.conditions[0], in: &request)
        case .lastModified: Self.set(value, Self.conditions[1], in: &request)
        }
    }

    /// Sets a field. `setValue` changes the case of all names, which takes far longer than to add the first field.
    private static func set(_ value: String, _ name: String, in request: inout URLRequest) {
        if request.allHTTPHeaderFields?.isEmpty ?? true {
            request.allHTTPHeaderFields = [name: value]
        } else {
            request.setValue(value, forHTTPHeaderField: name)
        }
    }

    /// Returns true if `value` can be sent back: it is not blank, is no longer than ``lengthLimit``, and contains no
    /// control characters.
    package static func isSendable(_ value: String) -> Bool {
        value.withUTF8Bytes { bytes in
            bytes.count <= lengthLimit && bytes.contains { $0 != 0x20 }
                && bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
        }
    }

    /// Returns true if `value` is a strong entity tag that can be sent back (RFC 9110 §8.8.1).
    package static func isStrong(_ value: String) -> Bool {
        let (bytes, quote) = (value.utf8, UInt8(ascii: "\""))
        return bytes.first == quote && bytes.last == quote && bytes.count > 1 && isSendable(value)
    }

    /// Returns true if `value` is a single entity tag (RFC 9110 §8.8.3), or a single tag without its quotes.
    ///
    /// An asterisk, or a list of tags, would match more than one version.
    private static func isEntityTag(_ value: String) -> Bool {
        guard isSendable(value) else { return false }
        return value.withUTF8Bytes { bytes in
            let isWeak = bytes.count >= 2 && bytes[0] == UInt8(ascii: "W") && bytes[1] == UInt8(ascii: "/")
            let tag = bytes[(isWeak ? 2 : 0)...]
            let quote = UInt8(ascii: "\"")
            if tag.first == quote {
                return tag.count >= 2 && tag.last == quote && !tag.dropFirst().dropLast().contains(quote)
            }
            return !tag.isEmpty && !tag.elementsEqual("*".utf8) && !tag.contains(quote)
                && !tag.contains(UInt8(ascii: ","))
        }
    }
}

extension Entity {
    /// The validator of this content; nil if there is none, or if the response had no content or a part of it. Then its
    /// validator belongs to content that the entity does not have (RFC 9110 §8.8).
    package var validator: Validator? {
        if let statusCode, [204, 205, 206].contains(statusCode) { return nil }
        return Validator(field: { headerFields[$0] })
    }
}
