import Foundation

extension StoredFields {
    /// The relation of a 304 to a stored response that could be meant (RFC 9111 §4.3.4).
    package enum Selection: Sendable, Equatable {
        /// The validators are the same: the 304 updates the stored response.
        case match
        /// The 304 has no validators, but the stored response has some. The 304 means the stored response only if the
        /// condition of the request named no other.
        case unnamed
        /// The 304 means another response and must not update this one.
        case mismatch
    }

    /// Returns whether a 304 means the stored response.
    ///
    /// - A strong `ETag` must be the strong `ETag` of the stored response. If that is the same, but weak, both must have the
    ///   same strong `Last-Modified`: nginx, for example, weakens the `ETag` of compressed content, but not that of a 304.
    /// - Otherwise, each of a weak `ETag` and `Last-Modified` must correspond to that of the stored response.
    /// - A 304 without validators means a stored response without validators.
    package static func selection(of stored: some CacheFields, by304 response: some CacheFields) -> Selection {
        let (tag, storedTag) = (EntityTag(response["etag"]), EntityTag(stored["etag"]))
        let (date, storedDate) = (response["last-modified"], stored["last-modified"])
        if let tag {
            guard let storedTag, tag.isWeaklyEqual(to: storedTag) else { return .mismatch }
            if tag == storedTag, !tag.isWeak { return .match }
            if !tag.isWeak { return date == storedDate && hasStrongDate(stored) ? .match : .mismatch }
        }
        if let date { return storedDate == date || tag != nil && storedDate == nil ? .match : .mismatch }
        return tag != nil || storedTag == nil && storedDate == nil ? .match : .unnamed
    }

    /// Returns true if `Last-Modified` is a strong validator: a second before the date of the response (RFC 9110 §8.8.2.2).
    private static func hasStrongDate(_ stored: some CacheFields) -> Bool {
        guard let modified = stored["last-modified"].flatMap(HTTPDate.date),
            let sent = stored["date"].flatMap(HTTPDate.date)
        else { return false }
        return sent.timeIntervalSince(modified) >= 1
    }

    /// Returns true if a 304 names another version than the stored response, by its `ETag` or, if the stored response
    /// has no `ETag`, by its `Last-Modified`. Unlike ``selection(of:by304:)``, the 304 may have fewer or more
    /// validators, and its `ETag` may be strong although that of the stored response is weak: many servers weaken the
    /// `ETag` of compressed content only.
    package static func isOtherVersion(_ stored: some CacheFields, by304 response: some CacheFields) -> Bool {
        if let storedTag = EntityTag(stored["etag"]) {
            return EntityTag(response["etag"]).map { !$0.isWeaklyEqual(to: storedTag) } ?? false
        }
        guard let date = response["last-modified"], let storedDate = stored["last-modified"] else { return false }
        return date != storedDate
    }

    /// Returns true if a HEAD response with status 200 updates the stored response to GET (RFC 9111 §4.3.5). Otherwise,
    /// the stored response becomes stale. All validators and the `Content-Length` that the response has must match.
    package static func isConfirmed(_ stored: some CacheFields, byHead response: some CacheFields) -> Bool {
        ["etag", "last-modified", "content-length"].allSatisfy { name in
            response[name].map { stored[name]?.hasSameBytes(as: $0) ?? false } ?? true
        }
    }
}
