import Foundation

extension RequestError {
    /// The kind of an error, for use in code, as in `catch where error.code == .unreadableBody`.
    ///
    /// Several causes can have the same code. The ``RequestError/cause`` of an error contains the details.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The name of the code, such as `invalidHeader`.
        public let description: String
        /// The default message of errors with this code.
        package let message: any KeyPath<UserMessages, String> & Sendable

        package init(_ name: String, _ message: any KeyPath<UserMessages, String> & Sendable = \.requestFailed) {
            (description, self.message) = (name, message)
        }

        /// Returns true if both codes have the same name.
        public static func == (one: Code, other: Code) -> Bool { one.description == other.description }

        /// Hashes the name.
        public func hash(into hasher: inout Hasher) { hasher.combine(description) }
    }

    /// The kind of this error. If the cause is an error of the app, the value is ``Code/other``.
    public var code: Code {
        switch cause {
        case let cause as any CodedError: cause.code
        case is URLError: .network
        case is DecodingError: .invalidContent
        case is EncodingError: .unencodableBody
        case nil where httpStatusCode != nil: .httpStatus
        default: .other
        }
    }
}

/// An error that has a code as the cause of a ``RequestError``.
package protocol CodedError: Error {
    var code: RequestError.Code { get }
}

/// Requests that were not sent.
extension RequestError.Code {
    /// The resource has no valid URL.
    public static var invalidURL: Self { Self("invalidURL", \.invalidURL) }
    /// The method is not valid in HTTP (RFC 9110 §9.1).
    public static var invalidMethod: Self { Self("invalidMethod", \.cannotSendRequest) }
    /// A header has a name that is not a token, or a value with a control character such as a line break (RFC 9110 §5.1
    /// and §5.5). ``RequestError/Failure/name`` is the name of the header.
    ///
    /// A typical reason is an access token that was read from a file with a line break at its end. The error does not
    /// contain the value, because the value may be secret.
    public static var invalidHeader: Self { Self("invalidHeader", \.cannotSendRequest) }
    /// The content of the body cannot be encoded in the chosen format.
    public static var unencodableBody: Self { Self("unencodableBody", \.cannotSendRequest) }
    /// The body could not be read to its end. For example, a file is missing or unreadable, or was changed while it was
    /// being sent, or a sequence threw an error or did not produce the number of bytes stated as its length.
    public static var unreadableBody: Self { Self("unreadableBody", \.unreadableBody) }
    /// A body that can be read only once would have to be sent again, because the request was repeated or redirected.
    ///
    /// To make the body repeatable, send a file or a form instead of a sequence. Alternatively, create a new request
    /// with a new sequence.
    public static var unrepeatableBody: Self { Self("unrepeatableBody", \.cannotSendRequest) }
    /// The networking provider of the service does not support this transfer. Use a provider that conforms to
    /// ``StreamingNetworkingProvider``, such as ``DefaultNetworking``.
    public static var streamingUnsupported: Self { Self("streamingUnsupported", \.cannotSendRequest) }
    /// The server has asked for a longer wait than ``Pacing/waitLimit``, or the number of failures has reached
    /// ``Pacing/failureLimit``. ``RequestError/retryAfter`` is the number of seconds after which a request can be sent
    /// again.
    public static var serverUnavailable: Self { Self("serverUnavailable", \.serverUnavailable) }
    /// The caller did not allow the use of the network, and no acceptable response is stored. The library itself sets
    /// the status of the error to 504 (RFC 9111 §5.2.1.7).
    public static var notStored: Self { Self("notStored", \.noLocalData) }
    /// The request would never complete: its chains make it wait for itself, or its chains or decorators create new
    /// requests endlessly.
    ///
    /// A chain fails if it returns ``RequestChainAction/passTo(_:)`` with a request that waits for the chain itself. If
    /// the closure of each chain creates another chain, the series of chains fails after about 10 000 chains.
    ///
    /// A decorator can create an endless series of requests, for example if it sends another sign-in request whenever a
    /// sign-in request fails. In such a series, the 21st request with the same URL and method fails before it is sent.
    /// A request also fails if 100 decorators run inside one another.
    public static var endlessChain: Self { Self("endlessChain") }
}

/// Exchanges that did not end with a usable response.
extension RequestError.Code {
    /// The network or the transport failed. The cause is a `URLError`.
    public static var network: Self { Self("network") }
    /// The app or the networking provider cancelled the request.
    public static var cancelled: Self { Self("cancelled", \.requestCancelled) }
    /// The request has taken longer than ``Configuration/timeLimit``, including all attempts and waits. If the request
    /// was sent, the server may have carried it out.
    public static var timeLimitExceeded: Self { Self("timeLimitExceeded", \.timeLimitExceeded) }
    /// The server responded with a status of 400 or more.
    public static var httpStatus: Self { Self("httpStatus") }
    /// The response to a load, a download or a stream is a redirect that was not followed. The redirect has no
    /// `Location`, or a `Location` that must not or cannot be followed. The response is an error because the body of a
    /// redirect is not the content of the resource.
    ///
    /// All other requests succeed, and the redirect is their response.
    public static var redirectNotFollowed: Self { Self("redirectNotFollowed", \.redirectNotFollowed) }
    /// The response is of a kind that the request did not ask for: a part of the content, the differences from an
    /// earlier version, or a switch to another protocol. The ``RequestError/entity`` of the error contains the body.
    ///
    /// The library accepts the following responses only if the request has a certain header:
    ///
    /// - A range of bytes requires `Range` (RFC 9110 §14). Such a response has the status 206, or a `Content-Range` in
    ///   bytes. However, a response whose `Content-Range` has another unit, such as `items 0-24/319`, counts as
    ///   complete content, for example as a page of a list.
    /// - The differences from an earlier version (status 226) require `A-IM` (RFC 3229).
    /// - A switch to another protocol (status 101) requires `Upgrade` (RFC 9110 §7.8). Other responses with a status
    ///   below 200 are only interim responses.
    public static var unrequestedResponse: Self { Self("unrequestedResponse", \.cannotParseResponse) }
    /// The server responded with 304 (not modified), but the resource has no data that the 304 confirms.
    public static var noLocalData: Self { Self("noLocalData", \.noLocalData) }
    /// The content of the response cannot be decoded, or a transformer failed.
    public static var invalidContent: Self { Self("invalidContent", \.cannotParseResponse) }
    /// The content does not have the requested type. ``RequestError/Failure/reason`` names the requested type, the
    /// actual type and a remedy.
    public static var wrongContentType: Self { Self("wrongContentType", \.cannotParseResponse) }
    /// A line, a value, a part or an event of a response exceeds its limit.
    public static var contentTooLong: Self { Self("contentTooLong", \.cannotParseText) }
}

/// Downloads.
extension RequestError.Code {
    /// The received bytes could not be written. ``RequestError/Failure/file`` is the target file.
    /// ``RequestError/Failure/underlyingError`` is the error of the system, such as `ENOSPC` if the disk is full.
    public static var fileNotWritten: Self { Self("fileNotWritten", \.cannotWriteFile) }
    /// A download has no content, and the target file is not changed. Either the status of the response is 204 or 205
    /// (RFC 9110 §15.3.5), or a request mutation has changed the method to HEAD. In the second case, the request is not
    /// sent.
    public static var noFileContent: Self { Self("noFileContent", \.noLocalData) }
    /// The server has sent the file of a download in too many small parts.
    ///
    /// A download fails if the number of incomplete responses reaches a limit. The limit is 16, plus one for each 64 KB
    /// received, but at most 10 000. The received bytes are kept for the next download to the same file, unless
    /// `resuming` is false.
    public static var tooManyPartialResponses: Self { Self("tooManyPartialResponses", \.responseStalled) }
}

extension RequestError.Code {
    /// The cause is an error of the app, for example one that a transformer threw.
    public static var other: Self { Self("other") }
}

// The causes of Siesta 1.5.

extension RequestError.Cause.InvalidURL: CodedError {
    package var code: RequestError.Code { .invalidURL }
}

extension RequestError.Cause.UnencodableText: CodedError {
    package var code: RequestError.Code { .unencodableBody }
}

extension RequestError.Cause.InvalidJSONObject: CodedError {
    package var code: RequestError.Code { .unencodableBody }
}

extension RequestError.Cause.NotURLEncodable: CodedError {
    package var code: RequestError.Code { .unencodableBody }
}

extension RequestError.Cause.RequestCancelled: CodedError {
    package var code: RequestError.Code { .cancelled }
}

extension RequestError.Cause.NoLocalDataFor304: CodedError {
    package var code: RequestError.Code { .noLocalData }
}

extension RequestError.Cause.InvalidTextEncoding: CodedError {
    package var code: RequestError.Code { .invalidContent }
}

extension RequestError.Cause.UndecodableText: CodedError {
    package var code: RequestError.Code { .invalidContent }
}

extension RequestError.Cause.JSONResponseIsNotDictionaryOrArray: CodedError {
    package var code: RequestError.Code { .invalidContent }
}

extension RequestError.Cause.UnparsableImage: CodedError {
    package var code: RequestError.Code { .invalidContent }
}
