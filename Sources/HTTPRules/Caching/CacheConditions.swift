/// The conditions of requests, as a cache sends and answers them (RFC 9111 §4.3). Names of fields are in lower case.
package enum CacheConditions {
    /// Returns the fields with which a request asks whether the stored response is valid (§4.3.1): `If-None-Match`
    /// with its `ETag` and `If-Modified-Since` with its `Last-Modified`. Empty if the response has no validator. An
    /// invalid `Last-Modified` is not sent.
    package static func revalidating(_ stored: some CacheFields) -> [String: String] {
        var fields: [String: String] = [:]
        if let tag = stored["etag"], !tag.isEmpty { fields["if-none-match"] = tag }
        if let date = stored["last-modified"], CacheDate.seconds(date, now: 0) != nil {
            fields["if-modified-since"] = date
        }
        return fields
    }

    /// Returns true if the cache can answer a request with 304 in place of the stored response (§4.3.2). False if the
    /// request has no condition, or if the condition does not hold.
    ///
    /// `If-Modified-Since` counts only if there is no `If-None-Match`. It is compared with `Last-Modified`, or with
    /// `Date` if that is missing. The conditions have a meaning only for `GET` and `HEAD`. Only stored responses with
    /// status 200 are compared, because a server evaluates conditions only for success (RFC 9110 §13.2.1).
    package static func isNotModified(
        request: some CacheFields, stored: some CacheFields, status: Int
    ) -> Bool {
        guard status == 200 else { return false }
        if let tags = request["if-none-match"] { return contains(tags, EntityTag(stored["etag"])) }
        guard let since = CacheDate.seconds(request["if-modified-since"], now: 0),
            let modified = CacheDate.seconds(stored["last-modified"] ?? stored["date"], now: 0)
        else { return false }
        return modified <= since
    }

    /// Returns true if the list contains the tag or is `*` (RFC 9110 §13.1.2). Compares weakly.
    private static func contains(_ list: String, _ tag: EntityTag?) -> Bool {
        list.withUTF8Bytes { bytes in
            var reader = FieldReader(bytes)
            reader.skipToMember()
            while !reader.isAtEnd {
                if let other = reader.takeTag(), other == "*" || tag?.opaque.hasSameBytes(as: other) == true {
                    return true
                }
                reader.skipMember()
                reader.skipToMember()
            }
            return false
        }
    }
}

extension FieldReader {
    /// Takes an entity tag without the weak mark, or `*`. A tag without quotes, which some servers send, counts too.
    /// Returns nil if the member contains other text.
    fileprivate mutating func takeTag() -> String? {
        let word = takeToken()
        var tag = String(decoding: word, as: UTF8.self)
        if word.isEmpty || tag == "W" && skip(UInt8(ascii: "/")) {
            guard let quoted = takeTagText() else { return nil }
            tag = "\"\(String(decoding: quoted, as: UTF8.self))\""
        }
        skipSpaces()
        return isAtEndOfMember ? tag : nil
    }
}
