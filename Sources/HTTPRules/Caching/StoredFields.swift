/// The header fields of a stored response. The names of all dictionaries are in lower case.
package enum StoredFields {
    /// Returns the fields that a cache stores (RFC 9111 §3.1): all except fields of the connection, those that
    /// `Connection` names, and fields of a proxy. A shared cache does not store those of a qualified `private` either
    /// (§5.2.2.7).
    package static func storable(
        _ fields: [String: String], in kind: CachePolicy.Kind = .private
    ) -> [String: String] {
        var excluded = connectionOptions(fields)
        if kind == .shared { excluded.formUnion(CacheControl(fields["cache-control"]).privateFields) }
        return fields.filter { !connectionFields.contains($0.key) && !excluded.contains($0.key) }
    }

    /// Returns the stored fields updated by a 304, or by the response to a HEAD (RFC 9111 §3.2): each field of the
    /// response replaces the stored field.
    ///
    /// These fields never change: those that ``storable(_:)`` removes, and the ``contentFields``. `Date` and `Age` never
    /// stay, because the stored response counts as received with the update: without `Date`, its arrival is its date (RFC
    /// 9110 §6.6.1), and without `Age`, no cache has stored it before (§4.2.3).
    package static func updated(_ stored: [String: String], by response: [String: String]) -> [String: String] {
        let update = storable(response).filter { !contentFields.contains($0.key) }
        var fields = stored.merging(update) { _, new in new }
        for name in ["date", "age"] { fields[name] = update[name] }
        return fields
    }

    /// The stored names that `Connection` names, so that a long list needs no memory.
    private static func connectionOptions(_ fields: [String: String]) -> Set<String> {
        var options: Set<String> = []
        fields["connection"]?.withUTF8Bytes { bytes in
            var reader = FieldReader(bytes)
            reader.skipToMember()
            while !reader.isAtEnd {
                let name = reader.takeToken().lowercased
                if fields[name] != nil { options.insert(name) }
                reader.skipMember()
                reader.skipToMember()
            }
        }
        return options
    }

    /// The fields that describe the stored bytes: their type, coding, length, range and digests. A response without
    /// content does not change them, because the client has processed the bytes by them (RFC 9111 §3.2).
    package static let contentFields: Set<String> = [
        "content-type", "content-length", "content-encoding", "content-range", "content-digest", "content-md5",
        "digest",
        "repr-digest",
    ]

    /// RFC 9110 §7.6.1, RFC 9111 §3.1.
    package static let connectionFields: Set<String> = [
        "connection", "keep-alive", "proxy-authenticate", "proxy-authentication-info", "proxy-authorization",
        "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
    ]
}
