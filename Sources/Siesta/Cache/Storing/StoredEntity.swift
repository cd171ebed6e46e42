public import Foundation

/// An entity as a cache keeps it beyond the process: bytes, and all that it takes to go on from there.
///
/// Validators and dates are among the headers, so that a resource that comes back asks the server with `If-None-Match`
/// or `If-Modified-Since`, and counts its age from the ``timestamp``.
public struct StoredEntity: Hashable, Sendable {
    /// Whose it is; empty in a cache that is not partitioned.
    public var principal: String
    /// The resource's absolute URL.
    public var address: String
    /// The name of the ``ContentCoding`` that made the bytes.
    public var coding: String
    /// The version of the app's types when the entity was written; see ``EntityCacheOptions/schemaVersion``.
    public var schemaVersion: UInt32
    /// When the content was last known to be current, in seconds since the reference date (1 January 2001), by the wall
    /// clock.
    public var timestamp: TimeInterval
    /// The entity's character set.
    public var charset: String?
    /// The entity's headers, their names in lower case, without those of ``headersLeftOut``.
    public var headers: [String: String]
    /// A digest (SHA-256) of the headers of the request that the response's `Vary` names (RFC 9111 §4.1); empty without
    /// `Vary`. Requests with other values do not find the entity. With a principal, credentials do not count.
    public var variant: String
    /// The content, in the form that the coding gives it.
    public var content: Data

    /// Creates a stored entity from its parts.
    public init(
        principal: String = "", address: String, coding: String, schemaVersion: UInt32 = 0, timestamp: TimeInterval,
        charset: String? = nil, headers: [String: String] = [:], variant: String = "", content: Data
    ) {
        self.principal = principal
        self.address = address
        self.coding = coding
        self.schemaVersion = schemaVersion
        self.timestamp = timestamp
        self.charset = charset
        self.headers = headers
        self.variant = variant
        self.content = content
    }

    /// Names of headers that are about one connection or one exchange (RFC 9111 §3.1), or that are credentials, and so
    /// are not kept; neither are those of ``SiestaLog/redactedHeaders``, but for the headers that decide who finds the
    /// entity and how it is revalidated and decoded.
    public static let headersLeftOut: Set<String> = [
        "connection", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade", "set-cookie", "set-cookie2",
        "proxy-authenticate", "proxy-authentication-info", "proxy-authorization", "www-authenticate",
        "authentication-info",
    ]

    private static let headersNeeded: Set<String> = [
        "cache-control", "content-encoding", "content-type", "date", "etag", "expires", "last-modified", "vary",
    ]

    static func kept(_ headers: [String: String]) -> [String: String] {
        let secret = SiestaLog.redactedHeaders.subtracting(headersNeeded)
        return headers.filter { !headersLeftOut.contains($0.key) && !secret.contains($0.key) }
    }

    var validator: Validator? { Validator(field: { headers[$0] }) }

    var key: EntityStoreKey { EntityStoreKey(principal: principal, address: address, coding: coding) }
}
