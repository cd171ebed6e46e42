import Foundation
import Siesta

/// The rules of `Vary`: the request headers that select one of several responses (RFC 9111 §4.1).
enum SelectingHeaders {
    /// Returns a digest of the request headers that `vary` names; empty if `vary` is nil.
    ///
    /// The digest is stored on the disk, but must not reveal the values. It is therefore a SHA-256 that includes the
    /// address, so that equal values give different digests for different resources. Every header counts, including
    /// those that logs redact. In the partition of a principal, ``credentials`` do not count, because they can change
    /// while the user stays the same.
    static func variant(
        namedBy vary: String?, in requestHeaders: [String: String], of principal: String, at address: String
    ) -> String {
        guard let vary else { return "" }
        let names = Set(vary.lowercasedListMembers).subtracting(principal.isEmpty ? [] : credentials)
        let selecting = requestHeaders.map { (name: $0.key.lowercased(), value: $0.value) }
            .filter { names.contains($0.name) }.sorted { ($0.name, $0.value) < ($1.name, $1.value) }
        var bytes: [UInt8] = []
        for text in ["Vary", principal, address] { bytes.append(counted: text) }
        for (name, value) in selecting {
            bytes.append(counted: name)
            bytes.append(counted: value.trimmingCharacters(in: .whitespaces))
        }
        return SHA256.hexadecimal(of: bytes)
    }

    /// Returns true if the `Vary` header contains `*`. Then the response must not be used for another request (RFC 9111
    /// §4.1).
    static func areUnknown(_ vary: String?) -> Bool { vary?.lowercasedListMembers.contains("*") ?? false }

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

extension String {
    /// The members of a list in a header (RFC 9110 §5.6.1), in lower case.
    var lowercasedListMembers: [String] {
        lowercased().split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    }
}
