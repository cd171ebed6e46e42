import Foundation
import HTTPRules
import SiestaCore

/// The rules of `Vary`: the request headers that select one of several responses (RFC 9111 §4.1).
///
/// A cache keeps several variants of one URL. The first variant is in the first place. The digest of each further variant
/// names one of ``CacheRecord/slotCount`` other places, where it replaces the variant that was there.
enum SelectingHeaders {
    /// Returns a digest of the request headers that `vary` names; empty if `vary` is nil.
    ///
    /// The digest is stored on disk, but must not reveal the values. It is therefore a SHA-256 that includes the
    /// address, so that equal values give different digests for different resources. Every header counts, including
    /// those that logs redact. In the partition of a principal, ``credentials`` do not count, because they can change
    /// while the user stays the same. Differences of values without a meaning do not count; see
    /// `VaryField.normalized(_:of:)`.
    static func variant(
        namedBy vary: String?, in requestHeaders: [String: String], of principal: String, at address: String
    ) -> String {
        guard let vary else { return "" }
        let fields = fields(vary, in: requestHeaders, of: principal)
        return digest(of: fields.map { ($0.name, VaryField.normalized($0.value, of: $0.name)) }, principal, address)
    }

    /// Returns the digest as the version 1 of the record format has it, for which every difference of values counts.
    static func earlierVariant(
        namedBy vary: String?, in requestHeaders: [String: String], of principal: String, at address: String
    ) -> String {
        guard let vary else { return "" }
        let fields = fields(vary, in: requestHeaders, of: principal)
        return digest(of: fields.map { ($0.name, $0.value.trimmingCharacters(in: .whitespaces)) }, principal, address)
    }

    /// Returns true if the request has a header that `vary` names and that counts.
    static func haveValues(_ vary: String?, in requestHeaders: [String: String], of principal: String) -> Bool {
        guard let vary else { return false }
        return !fields(vary, in: requestHeaders, of: principal).isEmpty
    }

    /// Returns true if no other request may use the response: the `Vary` header contains `*`, a member that is not a
    /// name, or more than 64 names (RFC 9111 §4.1).
    static func areUnknown(_ vary: String?) -> Bool { VaryField(vary).isAny }

    /// Returns true if a response with the header `new` takes the first place from a response with the header `old`.
    ///
    /// - Parameter new: the header of the newest response; nil if it is unknown.
    static func isReplaced(_ old: String?, by new: String?) -> Bool { new != nil && VaryField(new) != VaryField(old) }

    /// Returns the headers of the request that `vary` names, with their names in lower case, in a fixed order. If `vary`
    /// matches no other request, and the app has the response stored nevertheless, these are all headers.
    private static func fields(
        _ vary: String, in requestHeaders: [String: String], of principal: String
    ) -> [(name: String, value: String)] {
        let (field, ignored) = (VaryField(vary), principal.isEmpty ? [] : credentials)
        return requestHeaders.map { (name: $0.key.lowercased(), value: $0.value) }
            .filter { (field.isAny || field.names.contains($0.name)) && !ignored.contains($0.name) }
            .sorted { ($0.name, $0.value) < ($1.name, $1.value) }
    }

    private static func digest(
        of fields: [(name: String, value: String)], _ principal: String, _ address: String
    ) -> String {
        var bytes: [UInt8] = []
        for text in ["Vary", principal, address] { bytes.append(counted: text) }
        for (name, value) in fields {
            bytes.append(counted: name)
            bytes.append(counted: value)
        }
        return SHA256.hexadecimal(of: bytes)
    }

    /// The headers that identify the client (RFC 9110 §11.6.2 and §11.7.2, RFC 6265 §5.4).
    private static let credentials: Set = ["authorization", "proxy-authorization", "cookie"]
}

extension [UInt8] {
    /// Appends the number of bytes, and then the bytes. Therefore two different sequences of texts never give the same
    /// bytes.
    fileprivate mutating func append(counted text: String) {
        Swift.withUnsafeBytes(of: UInt64(text.utf8.count).littleEndian) { append(contentsOf: $0) }
        append(contentsOf: text.utf8)
    }
}
