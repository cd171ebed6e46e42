public import Foundation
import HTTPRules

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// The content of a response, or of a local change, with the headers that describe it.
///
/// `ContentType` is the type of ``content``: `Data` at the beginning of the pipeline and, at its end, the type that the
/// service's transformers produce. Copies of an entity are independent. Header names are stored in lower case.
public struct Entity<ContentType> {
    /// All parts of the entity. One reference, because entities are copied far more often than they change.
    @usableFromInline var storage: EntityStorage<ContentType>

    /// The value inside the entity, for example `Data` or a decoded model.
    @inlinable public var content: ContentType {
        get { storage.content }
        _modify {
            makeUnique()
            yield &storage.content
        }
    }

    /// The name of the content's character set, from the `Content-Type` header; nil if the header does not name a
    /// character set.
    public var charset: String? {
        get { storage.charset }
        set {
            makeUnique()
            storage.charset = newValue
        }
    }

    /// The time at which this content was last known to be current, in seconds since the reference date (1 January
    /// 2001).
    @inlinable public var timestamp: TimeInterval {
        get { storage.timestamp }
        set {
            makeUnique()
            storage.timestamp = newValue
        }
    }

    /// The time at which this content was last known to be current: ``timestamp`` as a `Date`.
    public var date: Date {
        get { Date(timeIntervalSinceReferenceDate: timestamp) }
        set { timestamp = newValue.timeIntervalSinceReferenceDate }
    }

    @inlinable package var headerFields: HeaderFields {
        get { storage.fields }
        set {
            makeUnique()
            storage.fields = newValue
        }
    }

    /// The facts of the response for the rules of HTTP caching; nil for local data, and if the freshness of the resource
    /// does not follow HTTP.
    @inlinable package var cachingInfo: CachingInfo? { storage.cachingInfo }

    /// The status code of the response from which this entity comes; nil for an entity that the app has created.
    ///
    /// Entities from persistent caches keep their status code, unless an earlier version of the library stored them.
    @inlinable public var statusCode: Int? { storage.status == 0 ? nil : Int(storage.status) }

    /// Sets the status code and the caching info; nil for none.
    @inlinable package mutating func setOrigin(status: Int?, _ cachingInfo: CachingInfo?) {
        let status = Int16(clamping: status ?? 0)
        guard status != storage.status || cachingInfo !== storage.cachingInfo else { return }
        makeUnique()
        (storage.status, storage.cachingInfo) = (status, cachingInfo)
    }

    /// Sets the status code and the caching info to those of `other`.
    @inlinable package mutating func setOrigin<Other>(like other: Entity<Other>) {
        setOrigin(status: other.statusCode, other.cachingInfo)
    }

    /// Sets the caching info; nil for none.
    @inlinable package mutating func setCachingInfo(_ cachingInfo: CachingInfo?) {
        setOrigin(status: statusCode, cachingInfo)
    }

    /// Returns an entity with this content, and with everything else but the timestamp from `other`.
    @inlinable package func confirmed(by other: Entity?, at timestamp: TimeInterval) -> Entity {
        Entity(EntityStorage(content, like: (other ?? self).storage, timestamp: timestamp))
    }

    /// Returns true if both are copies of the same entity, of which none has changed, or if both are nil.
    @inlinable package static func areSame(_ one: Entity?, _ other: Entity?) -> Bool { one?.storage === other?.storage }

    @inlinable package mutating func makeUnique() {
        if !isKnownUniquelyReferenced(&storage) {
            storage = EntityStorage(storage.content, like: storage, timestamp: storage.timestamp)
        }
    }

    /// The MIME type with its parameters, from the `Content-Type` header. If the header is missing, the value is
    /// `application/octet-stream` (RFC 9110 §8.3).
    public var contentType: String { storage.fields.contentType ?? "application/octet-stream" }

    /// The entity tag, from the `ETag` header (RFC 9110 §8.8.3); nil if there is no such header. The value is exactly
    /// as the server sent it, with its quotes and the prefix `W/`, if any.
    public var etag: String? { storage.fields["etag"] }

    /// All headers, by name. When you set this property, the names are converted to lower case.
    public var headers: [String: String] {
        get { storage.fields.dictionary }
        set { headerFields = HeaderFields(newValue) }
    }

    /// Returns the value of the header `key`; nil if there is no such header. Header names are case-insensitive.
    public func header(forKey key: String) -> String? { storage.fields[key] }

    /// Creates an entity with the headers and the charset of `response`, and with the current time as its timestamp.
    public init(response: HTTPURLResponse?, content: ContentType) {
        self.init(
            headerFields: response.map { HeaderFields($0) } ?? HeaderFields([:]), status: response?.statusCode,
            content: content)
    }

    /// Creates an entity from its parts, with the current time as its timestamp. If `headers` contains a
    /// `Content-Type`, `contentType` replaces it.
    public init(content: ContentType, contentType: String, charset: String? = nil, headers: [String: String] = [:]) {
        var headers = headers
        for name in headers.keys where name.lowercased() == "content-type" { headers[name] = nil }
        headers["content-type"] = contentType
        self.init(content: content, charset: charset, headers: headers)
    }

    /// Creates an entity from its parts. `timestamp` is in seconds since the reference date; the default is the current
    /// time.
    public init(
        content: ContentType, charset: String? = nil, headers: [String: String], timestamp: TimeInterval? = nil
    ) {
        storage = EntityStorage(
            content, HeaderFields(headers), charset: charset, timestamp: timestamp ?? SiestaClock.active.wallTime)
    }

    package init(headerFields: HeaderFields, status: Int? = nil, content: ContentType) {
        self.init(
            headerFields: headerFields, contentType: headerFields.contentType, status: status, content: content)
    }

    /// Creates an entity from headers whose `Content-Type` the caller has already read.
    @inlinable package init(
        headerFields: HeaderFields, contentType: String?, status: Int? = nil, cachingInfo: CachingInfo? = nil,
        content: ContentType
    ) {
        storage = EntityStorage(
            content, headerFields, charset: headerFields.charset(in: contentType),
            status: Int16(clamping: status ?? 0), cachingInfo: cachingInfo, timestamp: SiestaClock.active.wallTime)
    }

    @inlinable init(_ storage: EntityStorage<ContentType>) { self.storage = storage }

    /// Sets ``timestamp`` to the current time.
    @inlinable public mutating func touch() {
        timestamp = SiestaClock.active.wallTime
    }

    /// Returns this entity with its content cast to another type; nil if the content is not of that type.
    @inlinable public func withContentRetyped<NewType>() -> Entity<NewType>? {
        (content as? NewType).map(withContent)
    }

    /// This entity without caching info.
    @inlinable package var withoutCachingInfo: Entity {
        var entity = self
        entity.setCachingInfo(nil)
        return entity
    }

    @inlinable package func withContent<NewType>(_ content: NewType) -> Entity<NewType> {
        Entity<NewType>(EntityStorage(content, like: storage, timestamp: timestamp))
    }
}

/// The parts of an ``Entity``.
///
/// An entity changes them only while no other entity shares them, and within an access to itself. Therefore the
/// exclusivity of an access is not checked again.
@usableFromInline
final class EntityStorage<ContentType> {
    @usableFromInline @exclusivity(unchecked) var fields: HeaderFields
    @usableFromInline @exclusivity(unchecked) var charset: String?
    @usableFromInline @exclusivity(unchecked) var cachingInfo: CachingInfo?
    @usableFromInline @exclusivity(unchecked) var timestamp: TimeInterval
    /// The status code of the response; 0 if there is none.
    @usableFromInline @exclusivity(unchecked) var status: Int16
    @usableFromInline @exclusivity(unchecked) var content: ContentType

    @inlinable init(
        _ content: ContentType, _ fields: HeaderFields, charset: String?, status: Int16 = 0,
        cachingInfo: CachingInfo? = nil, timestamp: TimeInterval
    ) {
        (self.content, self.fields, self.charset) = (content, fields, charset)
        (self.status, self.cachingInfo, self.timestamp) = (status, cachingInfo, timestamp)
    }

    @inlinable convenience init<Other>(
        _ content: ContentType, like other: EntityStorage<Other>, timestamp: TimeInterval
    ) {
        self.init(
            content, other.fields, charset: other.charset, status: other.status, cachingInfo: other.cachingInfo,
            timestamp: timestamp)
    }
}

extension EntityStorage: @unchecked Sendable where ContentType: Sendable {}  // sound: never changed while it is shared

extension Entity: Sendable where ContentType: Sendable {}

extension Entity: CustomStringConvertible, CustomReflectable {
    /// The static and the dynamic type of the content, and the MIME type. The text contains neither the content nor the
    /// headers.
    public var description: String {
        PreparedText.line("Entity<\(ContentType.self)>: \(type(of: content as Any)) (\(contentType))")
    }

    /// An empty mirror, so that `dump` shows only the ``description``.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
