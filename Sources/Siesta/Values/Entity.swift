public import Foundation
import HTTPRules

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// The content of a response, or of a local change, with the headers that describe it.
///
/// `ContentType` is the type of ``content``: `Data` at the beginning of the pipeline, and the type that the service's
/// transformers produce at the end. An entity is a value: copies are independent. Header names are stored in lower
/// case.
public struct Entity<ContentType> {
    /// The content.
    public var content: ContentType

    /// The name of the content's character set, from the `Content-Type` header; nil if the header does not name a
    /// character set.
    public var charset: String? {
        get { head.charset }
        set { head = EntityHead(head.fields, charset: newValue, status: head.status, exchange: head.exchange) }
    }

    /// The time at which this content was last known to be current, in seconds since the reference date (1 January
    /// 2001).
    public var timestamp: TimeInterval

    /// The time at which this content was last known to be current: ``timestamp`` as a `Date`.
    public var date: Date {
        get { Date(timeIntervalSinceReferenceDate: timestamp) }
        set { timestamp = newValue.timeIntervalSinceReferenceDate }
    }

    /// All that describes the content, shared by copies of the entity.
    private(set) var head: EntityHead

    var headerFields: HeaderFields {
        get { head.fields }
        set { head = EntityHead(newValue, charset: head.charset, status: head.status, exchange: head.exchange) }
    }

    /// The exchange from which this entity comes; nil for local data, and if the freshness of the resource does not
    /// follow HTTP.
    package var exchange: HTTPExchange? { head.exchange }

    /// The status code of the response from which this entity comes; nil for an entity that the app has created. Also
    /// known for an entity from a persistent cache, if this version of the library has stored it.
    public var statusCode: Int? { head.status == 0 ? nil : Int(head.status) }

    /// Sets the status code and the exchange; nil for none.
    package mutating func setOrigin(status: Int?, _ exchange: HTTPExchange?) {
        let status = Int16(clamping: status ?? 0)
        guard status != head.status || exchange !== head.exchange else { return }
        head = EntityHead(head.fields, charset: head.charset, status: status, exchange: exchange)
    }

    /// Sets the status code and the exchange to those of `other`.
    mutating func setOrigin<Other>(like other: Entity<Other>) { setOrigin(status: other.statusCode, other.exchange) }

    /// Sets the exchange; nil for none.
    package mutating func setExchange(_ exchange: HTTPExchange?) { setOrigin(status: statusCode, exchange) }

    /// Sets all but the content and the timestamp to those of `other`.
    mutating func setHead(like other: Entity) { head = other.head }

    /// The MIME type with its parameters, from the `Content-Type` header. If the header is missing,
    /// `application/octet-stream` (RFC 9110 §8.3).
    public var contentType: String { head.fields.contentType ?? "application/octet-stream" }

    /// The entity tag, from the `ETag` header (RFC 9110 §8.8.3), exactly as the server sent it, with its quotes and the
    /// prefix `W/`, if any.
    public var etag: String? { head.fields["etag"] }

    /// All headers, with their names in lower case. Header names are lowercased when set.
    public var headers: [String: String] {
        get { head.fields.dictionary }
        set { headerFields = HeaderFields(newValue) }
    }

    /// Returns the value of the header `key`; nil if there is no such header. Header names are case-insensitive.
    public func header(forKey key: String) -> String? { head.fields[key] }

    /// Creates an entity with the headers and the charset of `response`, and with the current time as its timestamp.
    public init(response: HTTPURLResponse?, content: ContentType) {
        self.init(
            headerFields: response.map { HeaderFields($0) } ?? HeaderFields([:]), status: response?.statusCode,
            content: content)
    }

    /// Creates an entity from its parts, with the current time as its timestamp. `contentType` replaces a
    /// `Content-Type` in `headers`.
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
        self.content = content
        self.head = EntityHead(HeaderFields(headers), charset: charset)
        self.timestamp = timestamp ?? SiestaClock.active.wallTime
    }

    init(headerFields: HeaderFields, status: Int? = nil, content: ContentType) {
        self.init(
            headerFields: headerFields, contentType: headerFields.contentType, status: status, content: content)
    }

    /// Creates an entity from headers whose `Content-Type` the caller has already read.
    init(
        headerFields: HeaderFields, contentType: String?, status: Int? = nil, exchange: HTTPExchange? = nil,
        content: ContentType
    ) {
        self.content = content
        head = EntityHead(
            headerFields, charset: contentType.flatMap { MediaType.parameter("charset", of: $0) },
            status: Int16(clamping: status ?? 0), exchange: exchange)
        timestamp = SiestaClock.active.wallTime
    }

    /// Sets ``timestamp`` to the current time.
    public mutating func touch() {
        timestamp = SiestaClock.active.wallTime
    }

    /// Returns this entity with its content cast to another type; nil if the content is not of that type.
    public func withContentRetyped<NewType>() -> Entity<NewType>? {
        (content as? NewType).map(withContent)
    }

    /// This entity without the facts about its exchange.
    var withoutExchange: Entity {
        var entity = self
        entity.setExchange(nil)
        return entity
    }

    func withContent<NewType>(_ content: NewType) -> Entity<NewType> {
        Entity<NewType>(content, like: self)
    }

    private init<Other>(_ content: ContentType, like other: Entity<Other>) {
        self.content = content
        (head, timestamp) = (other.head, other.timestamp)
    }
}

/// The description of a content: what an ``Entity`` knows besides the content and its time. Never changes. One reference,
/// because entities are copied far more often than their headers change.
final class EntityHead: Sendable {
    let fields: HeaderFields
    let charset: String?
    /// The status code of the response; 0 if there is none.
    let status: Int16
    let exchange: HTTPExchange?

    init(_ fields: HeaderFields, charset: String?, status: Int16 = 0, exchange: HTTPExchange? = nil) {
        (self.fields, self.charset, self.status, self.exchange) = (fields, charset, status, exchange)
    }
}

extension Entity: Sendable where ContentType: Sendable {}

extension Entity: CustomStringConvertible, CustomReflectable {
    /// The static and the dynamic type of the content, and the MIME type. Contains neither the content nor the headers.
    public var description: String {
        PreparedText.line("Entity<\(ContentType.self)>: \(type(of: content as Any)) (\(contentType))")
    }

    /// No children: `dump` shows only the ``description``.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
