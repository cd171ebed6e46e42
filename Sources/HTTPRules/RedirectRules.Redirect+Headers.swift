extension RedirectRules.Redirect {
    /// Whether the next request has the header field `name`, whose case does not matter, if the request that was
    /// answered had it.
    ///
    /// - A field that describes the body goes with the body.
    /// - To the same origin, all other fields go along.
    /// - To another origin, only fields of a list go along. The app set all others for a server of its choice; any of
    ///   them may be a credential, whatever its name (RFC 9110, section 15.4, 2).
    public func keepsHeader(_ name: String) -> Bool {
        let name = name.lowercased()
        if Self.aboutBody.contains(name) { return keepsBody }
        return keepsOrigin || Self.forEveryOrigin.contains(name) || !isSafe && Self.preconditions.contains(name)
    }

    /// Whether the method of the next request asks for no change (RFC 9110, section 9.2.1).
    private var isSafe: Bool { method == "GET" || method == "HEAD" || method == "OPTIONS" }

    private static let aboutBody: Set = [
        "content-digest", "content-disposition", "content-encoding", "content-language", "content-length",
        "content-location", "content-type", "digest", "expect", "idempotency-key", "last-modified", "repr-digest",
        "trailer", "transfer-encoding",
    ]

    /// Fields that say which form of a response the client can use, and nothing about who asks.
    ///
    /// `Range` and `If-Range` belong together: a download that is resumed got its validator from the server at the end
    /// of the redirects, and without `If-Range`, parts of two versions could be put together.
    private static let forEveryOrigin: Set = [
        "accept", "accept-charset", "accept-datetime", "accept-encoding", "accept-language", "cache-control",
        "if-range", "pragma", "range", "user-agent",
    ]

    /// Fields that keep a request from changing what the app has not seen (RFC 9110, section 13.1). Without them, the
    /// request would do more than the app asked for.
    ///
    /// In a safe request they only save bytes, at a risk: an entity tag means something at its own resource alone (RFC
    /// 9110, section 8.8.3), so that a 304 of another origin could confirm other content.
    private static let preconditions: Set = ["if-match", "if-modified-since", "if-none-match", "if-unmodified-since"]
}
