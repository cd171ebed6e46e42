public import Foundation

/// An entity as a cache stores it: its content as bytes, and the metadata needed to restore and revalidate it.
///
/// The headers include validators and dates. A restored resource therefore asks the server with `If-None-Match` or
/// `If-Modified-Since`, and its data's age counts from the ``timestamp``.
public struct StoredEntity: Hashable, Sendable {
    /// The principal whose entity it is; empty in a cache that is not partitioned.
    public var principal: String
    /// The resource's absolute URL.
    public var address: String
    /// The name of the ``ContentCoding`` that made the bytes.
    public var coding: String
    /// The version of the app's types when the entity was written; see ``EntityCacheOptions/schemaVersion``.
    public var schemaVersion: UInt32
    /// The time at which the content was last known to be current, in seconds since the reference date (1 January
    /// 2001), by the wall clock.
    public var timestamp: TimeInterval
    /// The entity's character set.
    public var charset: String?
    /// The entity's headers, with names in lower case, without those of ``headersLeftOut``.
    public var headers: [String: String]
    /// A digest (SHA-256) of the request headers that the response's `Vary` names (RFC 9111 §4.1); empty without
    /// `Vary`. Requests with other values do not find the entity. With a principal, credentials do not count.
    public var variant: String
    /// The content, encoded by the coding.
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

    /// The names of headers that are not stored: those of one connection or one exchange (RFC 9111 §3.1), and
    /// credentials.
    ///
    /// The cache also leaves out the headers in ``SiestaLog/redactedHeaders``. It keeps the headers that decide which
    /// requests find the entity, and how it is revalidated and decoded.
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
