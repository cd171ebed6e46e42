import Foundation

/// Which request a response is the answer to, as far as its `Vary` says that others may get another (RFC 9111 §4.1).
enum SelectingHeaders {
    /// The headers of a request that `vary` names, their names in lower case; those that it has not are missing.
    ///
    /// Credentials are left out: they change while the user stays the same, and different users have partitions.
    static func named(by vary: String?, in requestHeaders: [String: String]) -> [String: String] {
        guard let vary else { return [:] }
        let secret = SiestaLog.redactedHeaders
        var names = Set(members(of: vary))
        names = names.filter { !StoredEntity.headersLeftOut.contains($0) && !secret.contains($0) }
        var result: [String: String] = [:]
        for (name, value) in requestHeaders where names.contains(name.lowercased()) {
            result[name.lowercased()] = value.trimmingCharacters(in: .whitespaces)
        }
        return result
    }

    /// Whether no other request gets the same response, whatever its headers.
    static func matchNothing(_ vary: String) -> Bool { members(of: vary).contains("*") }

    private static func members(of list: String) -> [String] {
        list.lowercased().split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    }
}
