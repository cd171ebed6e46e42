extension Configuration {
    /// True if each POST and PATCH request without an `Idempotency-Key` header receives a random key. The default is
    /// false: the library adds no key.
    ///
    /// The key stays the same for all attempts, so that a server that supports the header carries out the request only
    /// once. A repeated request (``Request/repeated()``) receives a new key. A blank key counts as none.
    public var sendsIdempotencyKeys: Bool {
        get { self[SendsIdempotencyKeysKey.self] }
        set { self[SendsIdempotencyKeysKey.self] = newValue }
    }
}

private struct SendsIdempotencyKeysKey: ConfigurationKey {
    static let defaultValue = false
}
