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
    public var charset: String?

    /// The time at which this content was last known to be current, in seconds since the reference date (1 January
    /// 2001).
    public var timestamp: TimeInterval

    /// The time at which this content was last known to be current: ``timestamp`` as a `Date`.
    public var date: Date {
        get { Date(timeIntervalSinceReferenceDate: timestamp) }
        set { timestamp = newValue.timeIntervalSinceReferenceDate }
    }

    var headerFields: HeaderFields

    /// The exchange from which this entity comes; nil for local data, and if the freshness of the resource does not
    /// follow HTTP.
    package var exchange: HTTPExchange?

    /// The status code of the response; 0 if there is none.
    var status: Int16 = 0

    /// The status code of the response from which this entity comes; nil for an entity that the app has created. Also
    /// known for an entity from a persistent cache, if this version of the library has stored it.
    public var statusCode: Int? { status == 0 ? nil : Int(status) }

    /// Sets the status code; nil for none.
    package mutating func setStatusCode(_ code: Int?) {
        status = Int16(clamping: code ?? 0)
    }

    /// The MIME type with its parameters, from the `Content-Type` header. If the header is missing,
    /// `application/octet-stream` (RFC 9110 §8.3).
    public var contentType: String { headerFields["content-type"] ?? "application/octet-stream" }

    /// The entity tag, from the `ETag` header (RFC 9110 §8.8.3), exactly as the server sent it, with its quotes and the
    /// prefix `W/`, if any.
    public var etag: String? { headerFields["etag"] }

    /// All headers, with their names in lower case. Header names are lowercased when set.
    public var headers: [String: String] {
        get { headerFields.dictionary }
        set { headerFields = HeaderFields(newValue) }
    }

    /// Returns the value of the header `key`; nil if there is no such header. Header names are case-insensitive.
    public func header(forKey key: String) -> String? { headerFields[key] }

    /// Creates an entity with the headers and the charset of `response`, and with the current time as its timestamp.
    public init(response: HTTPURLResponse?, content: ContentType) {
        self.init(headerFields: response.map { HeaderFields($0) } ?? HeaderFields([:]), content: content)
        status = Int16(clamping: response?.statusCode ?? 0)
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
        self.charset = charset
        self.headerFields = HeaderFields(headers)
        self.timestamp = timestamp ?? SiestaClock.active.wallTime
    }

    init(headerFields: HeaderFields, content: ContentType) {
        self.init(headerFields: headerFields, contentType: headerFields["content-type"], content: content)
    }

    /// Creates an entity from headers whose `Content-Type` the caller has already read.
    init(headerFields: HeaderFields, contentType: String?, content: ContentType) {
        self.content = content
        self.headerFields = headerFields
        charset = contentType.flatMap { MediaType.parameter("charset", of: $0) }
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
        entity.exchange = nil
        return entity
    }

    func withContent<NewType>(_ content: NewType) -> Entity<NewType> {
        Entity<NewType>(content, like: self)
    }

    private init<Other>(_ content: ContentType, like other: Entity<Other>) {
        self.content = content
        charset = other.charset
        timestamp = other.timestamp
        headerFields = other.headerFields
        exchange = other.exchange
        status = other.status
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
