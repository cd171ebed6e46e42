/// One complete request as the parser found it.
struct HTTPRequest: Sendable, Equatable {
    /// The method, in the case in which it was sent (methods are case-sensitive).
    var method: String

    /// What is asked for.
    var target: RequestTarget

    /// The header fields.
    var headers: HTTPHeaders

    /// The content after any transfer coding was undone.
    var body: [UInt8]

    /// Whether the client expects the connection to stay open (RFC 9112 section 9.3).
    var keepsAlive: Bool

    /// Whether the answer carries a representation's headers but no content.
    var isHead: Bool { method == "HEAD" }

    /// Whether the request may be answered with 304.
    var isConditional: Bool {
        headers["If-None-Match"] != nil || headers["If-Modified-Since"] != nil
    }
}
