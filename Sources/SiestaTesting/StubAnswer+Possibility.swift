import Foundation

extension StubAnswer {
    /// Returns the reason for which no server could send this answer; nil if a server could send it.
    func impossibility(method: String) -> String? {
        guard case .response(let status, let headers, let body) = outcome else { return nil }
        guard (200...999).contains(status) else {
            return "\(status) is not the status of a final response, which is from 200 to 599 (RFC 9110 §15)."
        }
        if let name = headers.first(where: { !Self.isSendable($0.key, $0.value) })?.key {
            return "The header \(name.debugDescription) has a name or a value that HTTP does not allow (RFC 9110 §5)."
        }
        guard !body.isEmpty else { return nil }
        if method == "HEAD" { return "A response to HEAD has no body (RFC 9110 §9.3.2)." }
        return status == 204 || status == 304 ? "A response with status \(status) has no body (RFC 9110 §6.4.1)." : nil
    }

    private static func isSendable(_ name: String, _ value: String) -> Bool {
        let isName = !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") }
        return isName && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    }

    /// A short description of the answer.
    var summary: String {
        switch outcome {
        case .response(let status, _, let body): isHeld ? "held" : "\(status), \(body.count) bytes"
        case .failure(let error): "\(error)"
        }
    }
}
