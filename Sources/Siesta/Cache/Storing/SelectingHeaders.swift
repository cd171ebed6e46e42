import Foundation

/// Which request a response is the answer to, as far as its `Vary` says that others may get another (RFC 9111 §4.1).
enum SelectingHeaders {
    /// A digest of the headers of a request that `vary` names, since their values are nobody's business; empty if there
    /// is no `vary`.
    ///
    /// Credentials are left out: they change while the user stays the same, and different users have partitions.
    static func digest(namedBy vary: String?, in requestHeaders: [String: String]) -> String {
        guard let vary else { return "" }
        let names = Set(vary.lowercasedListMembers)
            .subtracting(StoredEntity.headersLeftOut).subtracting(SiestaLog.redactedHeaders)
        let selecting = requestHeaders.map { (name: $0.key.lowercased(), value: $0.value) }
            .filter { names.contains($0.name) }.sorted { $0.name < $1.name }
        var digest = Digest(isThorough: true)
        for (name, value) in selecting {
            name.withUTF8Bytes { digest.add($0) }
            value.trimmingCharacters(in: .whitespaces).withUTF8Bytes { digest.add($0) }
        }
        return digest.finish().hexadecimal
    }
}

extension String {
    /// The members of a header's list (RFC 9110 §5.6.1) whose members are tokens without regard to case.
    var lowercasedListMembers: [String] {
        lowercased().split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    }
}
