extension RedirectRules.Redirect {
    /// Returns true if the next request keeps the header field `name` of the redirected request. The name is
    /// case-insensitive.
    ///
    /// - Fields that describe the body are kept if the body is kept.
    /// - Preconditions are kept unless the method of the next request is safe. With a safe method, they are removed,
    ///   because they refer to the resource of the redirected request. If the next resource happened to have the same
    ///   entity tag, its 304 would confirm content that the next resource never had (RFC 9110, sections 8.8.3 and
    ///   15.4).
    /// - All other fields are kept if the origin stays the same.
    /// - If the origin changes, only those in a fixed list are kept, such as `Accept`. The app has set the others for
    ///   the original server, and any of them may be a credential, no matter what it is called (RFC 9110, section 15.4,
    ///   2).
    public func keepsHeader(_ name: String) -> Bool {
        let name = name.lowercased()
        if Self.aboutBody.contains(name) { return keepsBody }
        if Self.preconditions.contains(name) { return !HTTPMethods.isSafe(method) }
        return keepsOrigin || Self.forEveryOrigin.contains(name)
    }

    private static let aboutBody: Set = [
        "content-digest", "content-disposition", "content-encoding", "content-language", "content-length",
        "content-location", "content-type", "digest", "expect", "idempotency-key", "last-modified", "repr-digest",
        "trailer", "transfer-encoding",
    ]

    /// The fields that describe acceptable responses and reveal nothing about the user.
    ///
    /// `Range` and `If-Range` belong together. A resumed download has its validator from the server at the end of the
    /// redirects. Without `If-Range`, parts of two versions could be combined. `Last-Event-ID` comes from the end of the
    /// redirects, too; without it, events would be missed.
    private static let forEveryOrigin: Set = [
        "accept", "accept-charset", "accept-datetime", "accept-encoding", "accept-language", "cache-control",
        "if-range", "last-event-id", "pragma", "range", "user-agent",
    ]

    /// The fields that prevent a request from changing a state that the app has not seen (RFC 9110, section 13.1).
    /// Without them, the request could change more than the app intended.
    ///
    /// In a safe request, these fields only save bytes, and are a risk. An entity tag is valid only for its own
    /// resource (RFC 9110, section 8.8.3). Therefore a 304 from another origin could confirm other content.
    private static let preconditions: Set = ["if-match", "if-modified-since", "if-none-match", "if-unmodified-since"]
}
