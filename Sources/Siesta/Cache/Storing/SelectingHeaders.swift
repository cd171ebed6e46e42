import Foundation

/// Which request a response is the answer to, as far as its `Vary` says that others may get another (RFC 9111 §4.1).
enum SelectingHeaders {
    /// A digest of the headers of a request that `vary` names; empty if there is no `vary`.
    ///
    /// The digest is on the disk, the values must not be: hence SHA-256, over the address, too, so that equal values
    /// look different for each resource. Every header counts, whatever logs redact. In the partition of a principal
    /// ``credentials`` do not count: they change while the user stays the same.
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

    /// Whether `vary` says that no other request gets the response (RFC 9111 §4.1).
    static func areUnknown(_ vary: String?) -> Bool { vary?.lowercasedListMembers.contains("*") ?? false }

    /// The headers that say who makes a request (RFC 9110 §11.6.2 and §11.7.2, RFC 6265 §5.4).
    private static let credentials: Set = ["authorization", "proxy-authorization", "cookie"]

    /// The headers of the request for which caches are just making their keys, and whose resource that is.
    ///
    /// A cache of the app may wrap one of the library's, and ask that for its key: what it has for an argument is the
    /// resource alone, but a response varies by the headers of its own request.
    @MainActor private static var current: (resource: ObjectIdentifier, headers: () -> [String: String])?

    /// Makes `headers` those of the request for which `work` makes keys.
    @MainActor
    static func making<Result>(
        keysFor resource: AnyObject, _ headers: @escaping () -> [String: String], _ work: () -> Result
    ) -> Result {
        let outer = current
        defer { current = outer }
        current = (ObjectIdentifier(resource), headers)
        return work()
    }

    /// The headers of the request of `resource` for which keys are being made, if there is one.
    @MainActor
    static func ofRequest(of resource: AnyObject) -> [String: String]? {
        guard let current, current.resource == ObjectIdentifier(resource) else { return nil }
        return current.headers()
    }
}

extension [UInt8] {
    /// Appends the number of bytes and then the bytes, so that no two sequences of texts are taken for each other.
    fileprivate mutating func append(counted text: String) {
        Swift.withUnsafeBytes(of: UInt64(text.utf8.count).littleEndian) { append(contentsOf: $0) }
        append(contentsOf: text.utf8)
    }
}

extension String {
    /// The members of a header's list (RFC 9110 §5.6.1) whose members are tokens without regard to case.
    var lowercasedListMembers: [String] {
        lowercased().split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    }
}
