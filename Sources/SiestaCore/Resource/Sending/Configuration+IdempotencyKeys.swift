extension Configuration {
    /// True if the library adds an `Idempotency-Key` header with a random key to each POST and PATCH request without
    /// this header. The default is false.
    ///
    /// All attempts of a request carry the same key, so a server that supports the header carries out the request only
    /// once. A request created with ``Request/repeated()`` receives a new key. A header with a blank value counts as
    /// missing.
    public var sendsIdempotencyKeys: Bool {
        get { self[SendsIdempotencyKeysKey.self] }
        set { self[SendsIdempotencyKeysKey.self] = newValue }
    }
}

private struct SendsIdempotencyKeysKey: ConfigurationKey {
    static let defaultValue = false
}
