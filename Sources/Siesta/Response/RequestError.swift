public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Why a request failed, in words for people and in types for programs.
///
/// Every failure of a request arrives as one of these: no network, an HTTP status of 400 or more, a response that could
/// not be parsed, a request that could not be built, a cancellation.
public struct RequestError: Error {
    /// A sentence or phrase to show to a person.
    ///
    /// Words of a server or a network come without control characters and secrets of URLs, and with at most 1000
    /// characters. A message that the app sets stays as it is.
    public var userMessage: String {
        get { storage.fields.userMessage }
        set { modify { $0.userMessage = newValue } }
    }

    /// The status code, if the server answered at all.
    public var httpStatusCode: Int? {
        get { storage.fields.httpStatusCode }
        set { modify { $0.httpStatusCode = newValue } }
    }

    /// The body that the server sent with the error, after the pipeline, if there was one.
    public var entity: Entity<Any>? {
        get { storage.fields.entity.value }
        set { modify { $0.entity = UncheckedTransfer(newValue) } }
    }

    /// What a program can switch on: a ``Cause``, a `URLError`, or whatever a transformer threw.
    public var cause: (any Error)? {
        get { storage.fields.cause }
        set { modify { $0.cause = newValue } }
    }

    /// Whether the request was cancelled; it may have had its effect on the server or not.
    public var isCancellation: Bool { cause is Cause.RequestCancelled }

    /// When the error occurred, in seconds since the reference date (1 January 2001).
    public var timestamp: TimeInterval { storage.fields.timestamp }

    /// The address that the failed request went to, nil for an error made by hand.
    public internal(set) var requestURL: URL? {
        get { storage.fields.requestURL }
        set { modify { $0.requestURL = newValue } }
    }

    /// The HTTP method of the failed request in upper case, nil for an error made by hand.
    public internal(set) var requestMethod: String? {
        get { storage.fields.requestMethod }
        set { modify { $0.requestMethod = newValue } }
    }

    private var storage: Storage

    /// Creates an error from what a network call returned.
    ///
    /// Without a `userMessage` it takes, in this order: the words of problem details in `content` (RFC 9457) of at most
    /// 64 KB, the description of `cause`, the phrase of the status code, and "Request failed".
    public init(response: HTTPURLResponse?, content: Any?, cause: (any Error)?, userMessage: String? = nil) {
        self.init(
            statusCode: response?.statusCode, headerFields: response.map { HeaderFields($0) }, content: content,
            cause: cause, userMessage: userMessage, clock: .current)
    }

    /// Creates an error with a message of your own.
    public init(userMessage: String, cause: any Error, entity: Entity<Any>? = nil) {
        storage = Storage(
            Fields(
                userMessage: userMessage, entity: UncheckedTransfer(entity), cause: cause,
                timestamp: SiestaClock.current.wallTime))
    }

    init(
        statusCode: Int?, headerFields: HeaderFields?, content: Any?, cause: (any Error)?, userMessage: String?,
        clock: SiestaClock
    ) {
        let entity = content.map {
            Entity<Any>(headerFields: headerFields ?? HeaderFields([:]), content: $0, clock: clock)
        }
        storage = Storage(
            Fields(
                userMessage: userMessage ?? UserMessages.current.message(cause: cause, statusCode: statusCode),
                httpStatusCode: statusCode, entity: UncheckedTransfer(entity), cause: cause, timestamp: clock.wallTime))
        guard userMessage == nil, let words = entity.flatMap(ProblemDetails.message) else { return }
        self.userMessage = words
    }

    static func cancelled(networkError: (any Error)? = nil) -> RequestError {
        let cause = Cause.RequestCancelled(networkError: networkError)
        return RequestError(userMessage: UserMessages.current.requestCancelled, cause: cause)
    }

    /// Whether both are the very same occurrence, or both are missing.
    static func areSame(_ one: RequestError?, _ other: RequestError?) -> Bool {
        one?.storage === other?.storage
    }

    private mutating func modify(_ change: (inout Fields) -> Void) {
        var fields = storage.fields
        change(&fields)
        storage = Storage(fields)
    }

    private struct Fields: Sendable {
        var userMessage: String
        var httpStatusCode: Int?
        var entity: UncheckedTransfer<Entity<Any>?>
        var cause: (any Error)?
        var timestamp: TimeInterval
        var requestURL: URL?
        var requestMethod: String?
    }

    /// Keeps the error one pointer wide, so that results which are not errors stay small.
    private final class Storage: Sendable {
        let fields: Fields

        init(_ fields: Fields) {
            self.fields = fields
        }
    }
}

extension RequestError: CustomStringConvertible, CustomReflectable, LocalizedError {
    /// The message and the cause on one line, for logs: without the secrets of the URL, and never the content.
    public var description: String {
        let status = httpStatusCode.map { "HTTP \($0)" }
        let origin = requestURL.map { "\(requestMethod ?? "") \(PreparedText.url($0))" }
        let details = [status, origin, cause.map { "cause: \(PreparedText.error($0))" }].compactMap { $0 }.joined(
            separator: ", ")
        return PreparedText.line(details.isEmpty ? userMessage : "\(userMessage) (\(details))", limit: 4000)
    }

    /// No children: `dump` shows the ``description`` alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }

    /// The ``userMessage``, so that code which knows nothing of Siesta shows the right words.
    public var errorDescription: String? { userMessage }
}
