import Foundation
import HTTPRules
import SiestaCore
import SiestaJSON

/// Bodies and contents as JSON without secrets. Pure.
///
/// Members whose names indicate a secret, such as `accessToken`, are redacted, and so are the secrets in URLs.
enum RedactedJSON {
    /// The maximum size of shown JSON, in bytes.
    static let limit = 256 << 10

    /// Returns a body as JSON; nil if it is no JSON, or too large.
    static func text(of body: Data) -> String? {
        parsed(body).map { redacted($0).description }
    }

    /// Returns the content of a resource as JSON; nil if it cannot be written as JSON, or is too large.
    static func text(ofContent content: Any) -> String? {
        guard let text = value(ofContent: content).map({ redacted($0).description }), text.utf8.count <= limit else {
            return nil
        }
        return text
    }

    /// Returns the content of a resource as JSON with its secrets; nil if it cannot be written as JSON, or is too large.
    private static func value(ofContent content: Any) -> JSONValue? {
        switch content {
        case let data as Data: parsed(data)
        case is String: nil
        case let value as any Encodable: try? JSONValue(encoding: value)
        default:
            JSONSerialization.isValidJSONObject(content)
                ? (try? JSONSerialization.data(withJSONObject: content)).flatMap { parsed($0) } : nil
        }
    }

    private static func parsed(_ data: Data) -> JSONValue? {
        data.count <= limit ? try? JSONValue(parsing: data) : nil
    }

    // MARK: Redacting

    /// Returns the value without secrets.
    static func redacted(_ value: JSONValue) -> JSONValue {
        redacted(value, secretNames(in: value))
    }

    private static func redacted(_ value: JSONValue, _ secret: Set<String>) -> JSONValue {
        switch value {
        case .object(let members):
            .object(
                members.reduce(into: [:]) { result, member in
                    result[member.key] =
                        isSecret(member.key, secret) ? .string(SecretHeaders.mark) : redacted(member.value, secret)
                })
        case .array(let elements): .array(elements.map { redacted($0, secret) })
        case .string(let text): .string(shown(text))
        default: value
        }
    }

    private static func isSecret(_ name: String, _ secret: Set<String>) -> Bool {
        SecretHeaders.include(name, among: secret) || SecretNames.include(name, among: secret)
    }

    /// The names that are secret in addition to those that sound secret. In a request for a token (RFC 6749 §4), these are
    /// also names such as `code`.
    private static func secretNames(in value: JSONValue) -> Set<String> {
        let names = SiestaLog.allRedactedHeaders
        return value["grant_type"] == nil ? names : names.union(SecretNames.ofParameters)
    }

    private static func shown(_ text: String) -> String { PreparedText.line(text, limit: 20_000) }

    // MARK: Restoring

    /// Returns JSON that a page has edited, with the original values wherever the page has not changed the value that it
    /// received. Otherwise an override would replace secrets by marks, line breaks by `\n`, and large numbers by others.
    static func restored(_ edited: JSONValue, from content: Any) -> JSONValue {
        guard let original = value(ofContent: content) else { return edited }
        return restored(edited, from: original, secretNames(in: original))
    }

    private static func restored(_ edited: JSONValue, from original: JSONValue, _ secret: Set<String>) -> JSONValue {
        switch (edited, original) {
        case (.object(let members), .object(let originals)):
            .object(
                members.reduce(into: [:]) { result, member in
                    result[member.key] = restored(member, from: originals[member.key], secret)
                })
        case (.array(let elements), .array(let originals)): .array(restored(elements, from: originals, secret))
        case (.string(let text), .string(let original)):
            text.hasSameBytes(as: shown(original)) ? .string(original) : edited
        case (.number(let number), .number(let original)):
            number.double == original.double ? .number(original) : edited
        default: edited
        }
    }

    private static func restored(
        _ member: (key: String, value: JSONValue), from original: JSONValue?, _ secret: Set<String>
    ) -> JSONValue {
        guard let original else { return member.value }
        guard isSecret(member.key, secret) else { return restored(member.value, from: original, secret) }
        return member.value == .string(SecretHeaders.mark) ? original : member.value
    }

    /// Elements that the page has moved are found by what the page received.
    private static func restored(
        _ elements: [JSONValue], from originals: [JSONValue], _ secret: Set<String>
    ) -> [JSONValue] {
        let received = originals.map { returned(redacted($0, secret)) }
        let known = Dictionary(zip(received, originals)) { first, _ in first }
        return elements.enumerated().map { index, element in
            let text = returned(element)
            guard originals.indices.contains(index) else { return known[text] ?? element }
            if text == received[index] { return originals[index] }
            return known[text] ?? restored(element, from: originals[index], secret)
        }
    }

    /// The text of a value that a page has received and sends back without a change.
    private static func returned(_ value: JSONValue) -> ExactText { ExactText(rounded(value).description) }

    /// A value as a browser knows it, which keeps numbers as doubles.
    private static func rounded(_ value: JSONValue) -> JSONValue {
        switch value {
        case .object(let members): .object(members.mapValues(rounded))
        case .array(let elements): .array(elements.map(rounded))
        case .number(let number): JSONValue.Number(number.double).map(JSONValue.number) ?? value
        default: value
        }
    }
}
