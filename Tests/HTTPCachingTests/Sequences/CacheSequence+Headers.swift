extension CacheSequence {
    /// The header fields that come back with stored responses (RFC 9111 §3.1).
    static let headers: [CacheSequence] =
        stored.map(storing) + ofConnection.map(omittingField) + particularFields

    private static let particularFields = [
        CacheSequence(
            "header.Connection.omitted", "9111 §3.1", .required,
            .get(.ok("Cache-Control: max-age=3600", "Connection: keep-alive")),
            .get(after: 3, then: .cached.lacks("Connection"))),
        CacheSequence(
            "header.named-by-connection.omitted", "9111 §3.1", .required,
            .get(.ok("Cache-Control: max-age=3600", "Connection: X-A, x-b", "X-A: 1", "X-B: 2", "X-C: 3")),
            .get(after: 3, then: .cached.lacks("X-A").lacks("X-B").has("X-C", "3"))),
        CacheSequence(
            "header.repeated", "9110 §5.3", .required,
            .get(.ok("Cache-Control: max-age=3600", "X-A: 1", "X-A: 2")),
            .get(after: 3, then: .cached.has("X-A", "1, 2"))),
        CacheSequence(
            "header.empty", "9110 §5.5", .required, .get(.ok("Cache-Control: max-age=3600", "X-A:")),
            .get(after: 3, then: .cached.has("X-A", ""))),
    ]

    private static func storing(_ line: String) -> CacheSequence {
        CacheSequence(
            "header.\(name(line)).stored", "9111 §3.1", .required, .get(.ok("Cache-Control: max-age=3600", line)),
            .get(after: 3, then: .cached.has(name(line), String(line.dropFirst(name(line).count + 2)))))
    }

    private static func omittingField(_ line: String) -> CacheSequence {
        CacheSequence(
            "header.\(name(line)).omitted", "9111 §3.1", .required,
            .get(.ok("Cache-Control: max-age=3600", "Connection: \(name(line))", line)),
            .get(after: 3, then: .cached.lacks(name(line))))
    }

    private static let ofConnection = [
        "Keep-Alive: timeout=5", "Proxy-Authenticate: Basic", "Proxy-Authentication-Info: a=b",
        "Proxy-Authorization: Basic", "Proxy-Connection: keep-alive", "TE: trailers", "Upgrade: foo/1",
    ]

    /// The name in a field line.
    static func name(_ line: String) -> String { String(line.prefix { $0 != ":" }) }

    private static let stored = [
        "Content-Type: text/plain; charset=utf-8", "Content-Location: /foo", "Content-Language: en",
        "Content-Disposition: attachment", "Content-Security-Policy: default-src 'self'",
        "Content-MD5: rL0Y20zC+Fzt72VPzMSk2A==",
        "ETag: \"a\"", "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT", "Expires: Sun, 06 Nov 2094 08:49:37 GMT",
        "Link: <https://example.org>; rel=next", "Location: /bar", "Server: x", "Set-Cookie: a=b",
        "Vary: Accept-Language",
        "WWW-Authenticate: Foo", "X-Frame-Options: DENY", "X-XSS-Protection: 1", "X-Test-Header: 1", "Test-Header: 2",
        "Strict-Transport-Security: max-age=1", "Access-Control-Allow-Origin: *", "Retry-After: 5", "Allow: GET",
        "Accept-Ranges: bytes", "Public-Key-Pins: x", "Warning: 199 - foo", "Via: 1.1 x", "Content-Foo: x",
        "Pragma: foo",
    ]
}
