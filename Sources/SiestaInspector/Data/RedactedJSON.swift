import Foundation
import HTTPRules
import Siesta

/// Bodies and contents as JSON without secrets. Pure.
///
/// Members whose names indicate a secret, such as `accessToken`, are redacted, and so are the secrets in URLs.
enum RedactedJSON {
    /// The maximum size of shown JSON, in bytes.
    static let limit = 256 << 10

    /// Returns a body as JSON; nil if it is no JSON, or too large.
    static func text(of body: Data) -> String? {
        guard body.count <= limit, let value = try? JSONValue(parsing: body) else { return nil }
        return redacted(value).description
    }

    /// Returns the content of a resource as JSON; nil if it cannot be written as JSON, or is too large.
    static func text(ofContent content: Any) -> String? {
        switch content {
        case let data as Data: text(of: data)
        case is String: nil
        case let value as any Encodable: encoded(value)
        default:
            JSONSerialization.isValidJSONObject(content)
                ? (try? JSONSerialization.data(withJSONObject: content)).flatMap { text(of: $0) } : nil
        }
    }

    private static func encoded(_ value: some Encodable) -> String? {
        guard let json = try? JSONValue(encoding: value) else { return nil }
        let text = redacted(json).description
        return text.utf8.count <= limit ? text : nil
    }

    /// Returns the value without secrets.
    static func redacted(_ value: JSONValue) -> JSONValue {
        redacted(value, SiestaLog.allRedactedHeaders)
    }

    private static func redacted(_ value: JSONValue, _ secret: Set<String>) -> JSONValue {
        switch value {
        case .object(let members):
            .object(
                members.reduce(into: [:]) { result, member in
                    let isSecret = SecretHeaders.include(member.key, among: secret)
                    result[member.key] = isSecret ? .string(SecretHeaders.mark) : redacted(member.value, secret)
                })
        case .array(let elements): .array(elements.map { redacted($0, secret) })
        case .string(let text): .string(PreparedText.line(text, limit: 20_000))
        default: value
        }
    }
}
