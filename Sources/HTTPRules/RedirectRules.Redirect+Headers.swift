extension RedirectRules.Redirect {
    /// Returns true if the next request keeps the header field `name` of the request that was redirected. The case of
    /// the name does not matter.
    ///
    /// - Fields that describe the body are kept if the body is kept.
    /// - To the same origin, all other fields are kept.
    /// - To another origin, only fields of a fixed list are kept. The app set all others for a server of its choice.
    ///   Any of them may be a credential under any name (RFC 9110, section 15.4, 2).
    public func keepsHeader(_ name: String) -> Bool {
        let name = name.lowercased()
        if Self.aboutBody.contains(name) { return keepsBody }
        return keepsOrigin || Self.forEveryOrigin.contains(name) || !isSafe && Self.preconditions.contains(name)
    }

    /// True if the method of the next request is safe, so that it asks for no change (RFC 9110, section 9.2.1).
    private var isSafe: Bool { method == "GET" || method == "HEAD" || method == "OPTIONS" }

    private static let aboutBody: Set = [
        "content-digest", "content-disposition", "content-encoding", "content-language", "content-length",
        "content-location", "content-type", "digest", "expect", "idempotency-key", "last-modified", "repr-digest",
        "trailer", "transfer-encoding",
    ]

    /// The fields that describe acceptable responses and reveal nothing about the user.
    ///
    /// `Range` and `If-Range` belong together: a resumed download got its validator from the server at the end of the
    /// redirects. Without `If-Range`, parts of two versions could be combined.
    private static let forEveryOrigin: Set = [
        "accept", "accept-charset", "accept-datetime", "accept-encoding", "accept-language", "cache-control",
        "if-range", "pragma", "range", "user-agent",
    ]

    /// The fields that keep a request from changing a state that the app has not seen (RFC 9110, section 13.1). Without
    /// them, the request could change more than the app intended.
    ///
    /// In a safe request these fields only save bytes, and they are a risk. An entity tag is valid only for its own
    /// resource (RFC 9110, section 8.8.3), so a 304 from another origin could confirm other content.
    private static let preconditions: Set = ["if-match", "if-modified-since", "if-none-match", "if-unmodified-since"]
}
