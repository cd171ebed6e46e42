public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// The error of a failed request. It contains a message for the user, and a cause for use in code.
///
/// Every failure of a request is a `RequestError`. Examples are a missing network, an HTTP status of 400 or more, a
/// response that cannot be parsed, and a cancellation.
public struct RequestError: Error {
    /// A sentence or phrase to show to the user.
    ///
    /// A message that comes from a server or the network contains no control characters and no secrets from URLs, and
    /// has at most 1000 characters. The library does not change a message that the app sets.
    public var userMessage: String {
        get { storage.fields.userMessage }
        set { modify { $0.userMessage = newValue } }
    }

    /// The status code of the response; nil if there is no response, or if a transformer failed.
    public var httpStatusCode: Int? {
        get { storage.fields.httpStatusCode }
        set { modify { $0.httpStatusCode = newValue } }
    }

    /// The headers and the body of the error response, after the pipeline has processed the body; nil if there was no
    /// response.
    ///
    /// If a transformer threw a `RequestError`, the value is the entity of that error. If a transformer failed in
    /// another way, the value is the entity that the transformer received, even if the status of the response indicates
    /// success.
    public var entity: Entity<Any>? {
        get { storage.fields.entity.value }
        set { modify { $0.entity = UncheckedSendable(newValue) } }
    }

    /// The reason for the failure, for use in code. The value is one of these: a ``Failure``; an error of a type that
    /// ``Cause`` contains; a `URLError`; or the error that a transformer, an encoder or a networking provider threw. If
    /// the only reason is a status of 400 or more, the value is nil.
    public var cause: (any Error)? {
        get { storage.fields.cause }
        set { modify { $0.cause = newValue } }
    }

    /// True if the request was cancelled. The server may still have carried out the request.
    public var isCancellation: Bool { cause is Cause.RequestCancelled }

    /// The code of the `URLError` that is the cause of this error; nil if the cause is another error.
    package var networkErrorCode: Int? {
        guard let error = cause.map({ $0 as NSError }), error.domain == NSURLErrorDomain else { return nil }
        return error.code
    }

    /// The time at which the error occurred, in seconds since the reference date (1 January 2001).
    public var timestamp: TimeInterval { storage.fields.timestamp }

    /// The time at which the error occurred: ``timestamp`` as a `Date`.
    public var date: Date { Date(timeIntervalSinceReferenceDate: timestamp) }

    /// The URL of the failed request; nil for an error that the app created.
    public var requestURL: URL? { storage.fields.requestURL }

    /// The HTTP method of the failed request, in upper case; nil for an error that the app created.
    public var requestMethod: String? { storage.fields.requestMethod }

    /// Sets ``requestURL`` and ``requestMethod``.
    package mutating func setRequest(_ url: URL?, method: String?) {
        modify { ($0.requestURL, $0.requestMethod) = (url, method) }
    }

    /// Sets the time and the caching info of an error from a cache.
    package mutating func setStored(_ cachingInfo: CachingInfo, at timestamp: TimeInterval) {
        modify { fields in
            fields.timestamp = timestamp
            var entity = fields.entity.value
            entity?.timestamp = timestamp
            entity?.setCachingInfo(cachingInfo)
            fields.entity = UncheckedSendable(entity)
        }
    }

    /// The time for which ``Resource/loadIfNeeded()`` does not try again, in addition to ``Configuration/retryTime``. In
    /// seconds.
    package var additionalRetryTime: TimeInterval {
        get { storage.fields.additionalRetryTime }
        set { modify { $0.additionalRetryTime = newValue } }
    }

    /// True if the response has a lifetime by the rules of HTTP.
    package var isByHTTP: Bool { entity?.cachingInfo != nil }

    private var storage: Storage

    /// Creates an error from the result of a request.
    ///
    /// If `userMessage` is nil, the message is the first of these texts that exists:
    ///
    /// - The message of the problem details (RFC 9457) in `content`, if they are no larger than 64 KB.
    /// - The description of `cause`.
    /// - The phrase for the status code; see ``UserMessages/statusPhrase``.
    /// - "Request failed".
    public init(response: HTTPURLResponse?, content: Any?, cause: (any Error)?, userMessage: String? = nil) {
        self.init(
            statusCode: response?.statusCode, headerFields: response.map { HeaderFields($0) }, content: content,
            cause: cause, userMessage: userMessage)
    }

    /// Creates an error with a message from the app.
    public init(userMessage: String, cause: any Error, entity: Entity<Any>? = nil) {
        storage = Storage(
            Fields(
                userMessage: userMessage, entity: UncheckedSendable(entity), cause: cause,
                timestamp: SiestaClock.active.wallTime))
    }

    package init(
        statusCode: Int?, headerFields: HeaderFields?, cachingInfo: CachingInfo? = nil, content: Any?,
        cause: (any Error)?, userMessage: String? = nil
    ) {
        let fields = headerFields ?? HeaderFields([:])
        let entity = content.map {
            Entity<Any>(
                headerFields: fields, contentType: fields.contentType, status: statusCode, cachingInfo: cachingInfo,
                content: $0)
        }
        storage = Storage(
            Fields(
                userMessage: userMessage ?? UserMessages.current.message(cause: cause, statusCode: statusCode),
                httpStatusCode: statusCode, entity: UncheckedSendable(entity), cause: cause,
                timestamp: SiestaClock.active.wallTime))
        guard userMessage == nil, let words = entity.flatMap(ProblemDetails.message) else { return }
        self.userMessage = words
    }

    package static func cancelled(networkError: (any Error)? = nil) -> RequestError {
        let cause = Cause.RequestCancelled(networkError: networkError)
        return RequestError(userMessage: UserMessages.current.requestCancelled, cause: cause)
    }

    /// Returns true if both are the same occurrence of an error, or if both are nil.
    package static func areSame(_ one: RequestError?, _ other: RequestError?) -> Bool {
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
        var entity: UncheckedSendable<Entity<Any>?>
        var cause: (any Error)?
        var timestamp: TimeInterval
        var requestURL: URL?
        var requestMethod: String?
        var additionalRetryTime: TimeInterval = 0
    }

    /// Storage that keeps the error as small as a pointer, so that successful results stay small.
    private final class Storage: Sendable {
        let fields: Fields

        init(_ fields: Fields) {
            self.fields = fields
        }
    }
}

extension RequestError: CustomStringConvertible, CustomReflectable, LocalizedError {
    /// One line for logs, with the message, the status, the method, the URL and the cause. It contains neither the body
    /// of the response nor secrets from the URL.
    public var description: String {
        let status = httpStatusCode.map { "HTTP \($0)" }
        let origin = requestURL.map { "\(requestMethod ?? "") \(PreparedText.url($0))" }
        let details = [status, origin, cause.map { "cause: \(PreparedText.error($0))" }].compactMap { $0 }.joined(
            separator: ", ")
        return PreparedText.line(details.isEmpty ? userMessage : "\(userMessage) (\(details))", limit: 4000)
    }

    /// An empty mirror, so that `dump` shows only the ``description``.
    public var customMirror: Mirror { Mirror(self, children: [:]) }

    /// The ``userMessage``, for code that handles errors of any type.
    public var errorDescription: String? { userMessage }
}
