import Foundation

/// The rules of `Vary`: which request headers select a response among several (RFC 9111 §4.1).
enum SelectingHeaders {
    /// Returns a digest of the request headers that `vary` names; empty if `vary` is nil.
    ///
    /// The digest is stored on the disk, but must not reveal the values. It is therefore a SHA-256 that includes the
    /// address, so that equal values give different digests for different resources. Every header counts, including
    /// those that logs redact. In the partition of a principal, ``credentials`` do not count: they change while the
    /// user stays the same.
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

    /// Returns true if `vary` says that no other request gets the response (RFC 9111 §4.1).
    static func areUnknown(_ vary: String?) -> Bool { vary?.lowercasedListMembers.contains("*") ?? false }

    /// The headers that identify the client (RFC 9110 §11.6.2 and §11.7.2, RFC 6265 §5.4).
    private static let credentials: Set = ["authorization", "proxy-authorization", "cookie"]

    /// The headers of the request for which caches are making keys, and the resource of the request.
    ///
    /// A cache of the app may wrap one of the library's and ask it for its key. Its only argument is the resource, but
    /// the response varies by the headers of this request.
    @MainActor private static var current: (resource: ObjectIdentifier, headers: () -> [String: String])?

    /// Runs `work`, which makes keys for a request with `headers`.
    @MainActor
    static func making<Result>(
        keysFor resource: AnyObject, _ headers: @escaping () -> [String: String], _ work: () -> Result
    ) -> Result {
        let outer = current
        defer { current = outer }
        current = (ObjectIdentifier(resource), headers)
        return work()
    }

    /// Returns the headers of the request of `resource` for which keys are being made; nil if there is none.
    @MainActor
    static func ofRequest(of resource: AnyObject) -> [String: String]? {
        guard let current, current.resource == ObjectIdentifier(resource) else { return nil }
        return current.headers()
    }
}

extension [UInt8] {
    /// Appends the number of bytes, and then the bytes, so that two different sequences of texts never give the same
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
