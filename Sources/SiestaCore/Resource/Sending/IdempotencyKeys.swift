/// The requests to which the library adds an `Idempotency-Key` header.
public enum IdempotencyKeys: Sendable, Equatable {
    /// The library adds no key.
    case none
    /// Each POST and PATCH request without a key receives a random key. The key stays the same for all attempts, so
    /// that a server that supports the header carries out the request only once. A repeated request
    /// (``Request/repeated()``) receives a new key. A blank key counts as none.
    case automatic
}

extension Configuration {
    /// The requests that receive an `Idempotency-Key` header. The default is ``IdempotencyKeys/none``.
    public var idempotencyKeys: IdempotencyKeys {
        get { self[IdempotencyKeysKey.self] }
        set { self[IdempotencyKeysKey.self] = newValue }
    }
}

private struct IdempotencyKeysKey: ConfigurationKey {
    static let defaultValue = IdempotencyKeys.none
}
