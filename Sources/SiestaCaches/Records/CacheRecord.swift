public import Foundation
import HTTPRules
import SiestaCore

/// An entity as a cache stores it: its content as bytes, and the metadata needed to restore and revalidate it.
///
/// The headers include validators and dates, so a resource can revalidate restored data with `If-None-Match` or
/// `If-Modified-Since`. The age of restored data is measured from the ``timestamp``.
public struct CacheRecord: Equatable, Sendable {
    /// The principal to which the entity belongs; empty if the cache is not partitioned.
    public var principal: String
    /// The resource's absolute URL.
    public var address: String
    /// The name of the ``ContentCodec`` that encoded the content.
    public var coding: String
    /// The version of the app's types with which the entity was written; see ``EntityCacheOptions/schemaVersion``.
    public var schemaVersion: UInt32
    /// The time at which the content was last known to be current, in seconds since the reference date (1 January
    /// 2001).
    public var timestamp: TimeInterval
    /// The entity's character set.
    public var charset: String?
    /// The entity's headers, with names in lower case. Connection-specific headers, headers that apply to a single
    /// exchange (RFC 9111 §3.1), and credentials are not included.
    public var headers: [String: String]
    /// A digest (SHA-256) of the request headers that the response's `Vary` names (RFC 9111 §4.1); empty if there is no
    /// `Vary`. Requests with other values of these headers do not find the entity. If the cache is partitioned, the
    /// digest does not include credentials.
    public var variant: String
    /// The status code of the response; nil if it is unknown.
    public var statusCode: Int?
    /// The time at which the request was sent, in seconds since the reference date, measured by the wall clock. This
    /// time and ``responseTime`` are stored only if `Configuration.freshness` is `.http`. Otherwise, both are nil.
    public var requestTime: TimeInterval?
    /// The time at which the response was received, measured in the same way as ``requestTime``.
    public var responseTime: TimeInterval?
    /// The number of seconds after the response during which the redirects that led to it may be used again; nil if
    /// there is no limit.
    public var redirectLimit: UInt32?
    /// True if one of these redirects must not be used when it is stale.
    package var redirectsForbidStale = false
    /// True if the entity comes from an error response. The ``content`` then consists of the bytes of the response
    /// body.
    public var isError: Bool
    /// The place of the record: 0 for the first place of its URL, 1 to 8 for the places of further variants.
    package var slot: UInt8 = 0
    /// The content, encoded by the codec that ``coding`` names.
    public var content: Data

    /// Creates a record from its parts.
    public init(
        principal: String = "", address: String, coding: String, schemaVersion: UInt32 = 0, timestamp: TimeInterval,
        charset: String? = nil, headers: [String: String] = [:], variant: String = "", statusCode: Int? = nil,
        requestTime: TimeInterval? = nil, responseTime: TimeInterval? = nil, redirectLimit: UInt32? = nil,
        isError: Bool = false, content: Data
    ) {
        self.principal = principal
        self.address = address
        self.coding = coding
        self.schemaVersion = schemaVersion
        self.timestamp = timestamp
        self.charset = charset
        self.headers = headers
        self.variant = variant
        self.statusCode = statusCode
        self.requestTime = requestTime
        self.responseTime = responseTime
        self.redirectLimit = redirectLimit
        self.isError = isError
        self.content = content
    }

    /// The names of headers that the cache does not store: headers of one connection or one exchange (RFC 9111 §3.1),
    /// and credentials.
    ///
    /// The cache also omits header fields that `Connection` or a `no-cache` directive names (RFC 9111 §3.1, §5.2.2.4),
    /// and the header fields in `SiestaLog.redactedHeaders`. It stores the headers that are needed to find, revalidate
    /// and decode the entity, even if they are in `SiestaLog.redactedHeaders`. It omits such a header only if
    /// `Connection` or `no-cache` names the header.
    package static let headersLeftOut: Set<String> = [
        "connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade", "set-cookie",
        "set-cookie2",
        "proxy-authenticate", "proxy-authentication-info", "proxy-authorization", "www-authenticate",
        "authentication-info",
    ]

    private static let headersNeeded: Set<String> = [
        "age", "cache-control", "content-encoding", "content-type", "date", "etag", "expires", "last-modified",
        "pragma", "vary",
    ]

    static func kept(_ headers: [String: String]) -> [String: String] {
        let secret = SiestaLog.allRedactedHeaders.subtracting(headersNeeded)
        let unverified = CacheControl(headers["cache-control"]).noCacheFields
        return StoredFields.storable(headers).filter { name, _ in
            !headersLeftOut.contains(name) && !secret.contains(name) && !unverified.contains(name)
        }
    }

    /// Sets the values of the entity's caching info.
    mutating func setCachingInfo(_ cachingInfo: CachingInfo?) {
        (requestTime, responseTime) = (cachingInfo?.requestTime, cachingInfo?.responseTime)
        redirectLimit = cachingInfo?.redirectLimit
        redirectsForbidStale = cachingInfo?.redirectsForbidStale ?? false
    }

    /// The caching info of the entity; nil if its times are unknown.
    var cachingInfo: CachingInfo? {
        guard let requestTime, let responseTime else { return nil }
        return CachingInfo(
            requestTime: requestTime, responseTime: responseTime, redirectLimit: redirectLimit,
            redirectsForbidStale: redirectsForbidStale)
    }

    var validator: Validator? { Validator(field: { headers[$0] }) }

    var key: RecordKey { RecordKey(principal: principal, address: address, coding: coding, slot: slot) }
}
