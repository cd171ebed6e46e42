import Foundation
import HTTPRules
import SiestaCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLRequest {
    /// Adds a header field with a credential. Keeps a field that the request already has. Does not add a field that
    /// would be invalid, because it could begin another field (RFC 9110 §5.5).
    mutating func addCredential(_ value: String, as name: String) {
        guard HeaderSyntax.isName(name), HeaderSyntax.isValue(value) else { return }
        // Foundation's `setValue` would check the value again, and take longer than all else that a credential needs.
        guard var fields = allHTTPHeaderFields, !fields.isEmpty else { return allHTTPHeaderFields = [name: value] }
        guard self.value(forHTTPHeaderField: name) == nil else { return }
        fields[name] = value
        allHTTPHeaderFields = fields
    }
}
