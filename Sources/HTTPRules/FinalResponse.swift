/// The rules for responses that a server can send.
package enum FinalResponse {
    /// Returns the reason why no server could send this response; nil if a server could send it.
    package static func impossibility(
        status: Int, headers: [String: String], hasBody: Bool, method: String
    ) -> String? {
        guard (200...999).contains(status) else {
            return "\(status) is not the status of a final response, which is from 200 to 599 (RFC 9110 §15)."
        }
        if let name = headers.first(where: { !isSendable($0.key, $0.value) })?.key {
            return "The header \(name.debugDescription) has a name or a value that HTTP does not allow (RFC 9110 §5)."
        }
        guard hasBody else { return nil }
        if method == "HEAD" { return "A response to HEAD has no body (RFC 9110 §9.3.2)." }
        return status == 204 || status == 304 ? "A response with status \(status) has no body (RFC 9110 §6.4.1)." : nil
    }

    private static func isSendable(_ name: String, _ value: String) -> Bool {
        let isName = !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") }
        return isName && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    }
}
