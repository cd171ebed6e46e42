/// The request field `Idempotency-Key`, by which a server detects a second copy of a request
/// (draft-ietf-httpapi-idempotency-key-header).
package enum IdempotencyKey {
    /// The name of the field.
    package static let field = "Idempotency-Key"

    /// Returns true if a value of the field identifies a request. A missing or blank value does not.
    package static func isKey(_ value: String?) -> Bool {
        value.map { !$0.allSatisfy(\.isWhitespace) } ?? false
    }
}

extension HTTPMethods {
    /// Returns true if a second copy of a request does no harm: its method is idempotent, or the server can detect the
    /// copy by an ``IdempotencyKey``. `hasKey` is evaluated only if it is needed.
    package static func isRepeatable(_ method: String, hasKey: @autoclosure () -> Bool) -> Bool {
        isIdempotent(method) || hasKey()
    }
}
