public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// The content of a response, or of a local stand-in for one, with the headers that describe it.
///
/// `ContentType` is what the pipeline made of the body: `Data` at first, and at the end whatever the service's
/// transformers produce. A value: copies are independent. Header names are kept in lower case.
public struct Entity<ContentType> {
    /// The content.
    public var content: ContentType

    /// The name of the content's character set as `Content-Type` gives it, if it does.
    public var charset: String?

    /// When this content was last known to be current, in seconds since the reference date (1 January 2001).
    public var timestamp: TimeInterval

    var headerFields: HeaderFields

    /// The MIME type with its parameters, from the `Content-Type` header; `application/octet-stream` without one
    /// (RFC 9110 §8.3).
    public var contentType: String { headerFields["content-type"] ?? "application/octet-stream" }

    /// The entity tag, from the `ETag` header (RFC 9110 §8.8.3), as it was sent: quotes and weakness mark included.
    public var etag: String? { headerFields["etag"] }

    /// All headers, with names in lower case; names that are set are lowered.
    public var headers: [String: String] {
        get { headerFields.dictionary }
        set { headerFields = HeaderFields(newValue) }
    }

    /// The value of the header `key`, whose case does not matter.
    public func header(forKey key: String) -> String? { headerFields[key] }

    /// Creates an entity with the headers and charset of `response`, current as of now.
    public init(response: HTTPURLResponse?, content: ContentType) {
        self.init(
            headerFields: response.map { HeaderFields($0) } ?? HeaderFields([:]), content: content, clock: .current)
    }

    /// Creates an entity from its parts, current as of now; `contentType` replaces a `Content-Type` among the headers.
    public init(content: ContentType, contentType: String, charset: String? = nil, headers: [String: String] = [:]) {
        var headers = headers
        for name in headers.keys where name.lowercased() == "content-type" { headers[name] = nil }
        headers["content-type"] = contentType
        self.init(content: content, charset: charset, headers: headers)
    }

    /// Creates an entity from its parts, with a timestamp in seconds since the reference date (default: now).
    public init(
        content: ContentType, charset: String? = nil, headers: [String: String], timestamp: TimeInterval? = nil
    ) {
        self.content = content
        self.charset = charset
        self.headerFields = HeaderFields(headers)
        self.timestamp = timestamp ?? SiestaClock.current.wallTime
    }

    init(headerFields: HeaderFields, content: ContentType, clock: SiestaClock) {
        self.content = content
        self.headerFields = headerFields
        charset = headerFields["content-type"].flatMap { MediaType.parameter("charset", of: $0) }
        timestamp = clock.wallTime
    }

    /// Sets ``timestamp`` to now.
    public mutating func touch() {
        timestamp = SiestaClock.current.wallTime
    }

    /// The same entity with its content as another type, or nil if the content is not of that type.
    public func withContentRetyped<NewType>() -> Entity<NewType>? {
        (content as? NewType).map(withContent)
    }

    func withContent<NewType>(_ content: NewType) -> Entity<NewType> {
        Entity<NewType>(content: content, charset: charset, timestamp: timestamp, headerFields: headerFields)
    }

    private init(content: ContentType, charset: String?, timestamp: TimeInterval, headerFields: HeaderFields) {
        self.content = content
        self.charset = charset
        self.timestamp = timestamp
        self.headerFields = headerFields
    }
}

extension Entity: Sendable where ContentType: Sendable {}

extension Entity: CustomStringConvertible, CustomReflectable {
    /// The types of the content, and never the content itself or the headers.
    public var description: String {
        PreparedText.line("Entity<\(ContentType.self)>: \(type(of: content as Any)) (\(contentType))")
    }

    /// No children: `dump` shows the ``description`` alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
