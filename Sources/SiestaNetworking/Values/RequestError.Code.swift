import Foundation

extension RequestError {
    /// The kind of an error, for programs: `catch where error.code == .unreadableBody`.
    ///
    /// The codes are coarser than the causes. The ``RequestError/cause`` of an error has the details.
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

    /// The kind of this error. ``Code/other`` if the cause is an error of the app.
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
    /// and §5.5). The ``RequestError/Failure/name`` of the failure is the name of the header.
    ///
    /// A typical reason is an access token that was read from a file with a line break at its end. The error does not
    /// contain the value, because the value may be secret.
    public static var invalidHeader: Self { Self("invalidHeader", \.cannotSendRequest) }
    /// The content of the body cannot be encoded in the chosen format.
    public static var unencodableBody: Self { Self("unencodableBody", \.cannotSendRequest) }
    /// The body could not be read to its end. If the body is a file, it is missing or unreadable, or was changed while
    /// it was sent. If the body is a sequence, it threw an error, or did not produce the announced number of bytes.
    public static var unreadableBody: Self { Self("unreadableBody", \.unreadableBody) }
    /// A body that can be read only once must be sent again, because the request was repeated or redirected.
    ///
    /// To allow repetitions, send a file or a form instead of a sequence. Alternatively, make a new request with a new
    /// sequence.
    public static var unrepeatableBody: Self { Self("unrepeatableBody", \.cannotSendRequest) }
    /// The networking provider of the service does not support this transfer. Use a provider that conforms to
    /// ``StreamingNetworkingProvider``, such as ``DefaultNetworking``.
    public static var streamingUnsupported: Self { Self("streamingUnsupported", \.cannotSendRequest) }
    /// The server has asked for a longer wait than ``Pacing/waitLimit``, or ``Pacing/failureLimit`` is reached.
    /// ``RequestError/retryAfter`` is the time after which a request can be sent again.
    public static var serverUnavailable: Self { Self("serverUnavailable", \.serverUnavailable) }
    /// The caller did not allow the use of the network, and no acceptable response is stored. The error has the status
    /// 504 (RFC 9111 §5.2.1.7), which does not come from a server.
    public static var notStored: Self { Self("notStored", \.noLocalData) }
    /// A request would never complete: chains make the request wait for itself, or its chains and decorators endlessly
    /// create new requests.
    ///
    /// A chain fails if it returns ``RequestChainAction/passTo(_:)`` with a request that waits for the chain itself. If
    /// the closure of each chain creates the next chain, the series is limited to about 10 000 chains. After that, the
    /// next chain fails.
    ///
    /// If the decorators of each request create the next request, the series may have at most 20 requests with the same
    /// URL and method. The next request fails before it is sent. A request also fails if 100 decorators run inside one
    /// another. An example is a sign-in request whose own decorator sends another sign-in request after a failure.
    public static var endlessChain: Self { Self("endlessChain") }
}

/// Exchanges that did not end with a usable response.
extension RequestError.Code {
    /// The network or the transport failed. The cause is a `URLError`.
    public static var network: Self { Self("network") }
    /// The app or the network cancelled the request.
    public static var cancelled: Self { Self("cancelled", \.requestCancelled) }
    /// The request has taken longer than ``Configuration/timeLimit``, including all attempts and waits. If the request
    /// was sent, the server may have carried it out.
    public static var timeLimitExceeded: Self { Self("timeLimitExceeded", \.timeLimitExceeded) }
    /// The server responded with a status of 400 or more.
    public static var httpStatus: Self { Self("httpStatus") }
    /// The response to a load, a download or a stream is a redirect that was not followed. The redirect has no address,
    /// or its address must not or cannot be used. The body of a redirect is not the resource's content.
    ///
    /// All other requests succeed with such a response and its headers.
    public static var redirectNotFollowed: Self { Self("redirectNotFollowed", \.redirectNotFollowed) }
    /// The response has a form that the request did not ask for: a part of the content, a difference, or another
    /// protocol. The body is the ``RequestError/entity`` of the error.
    ///
    /// The following responses are accepted only if the request has the named field:
    ///
    /// - A part in bytes needs `Range` (RFC 9110 §14). Such a response has the status 206, or a `Content-Range` in
    ///   bytes. A `Content-Range` in another unit, such as `items 0-24/319`, belongs to complete content, for example
    ///   to a page of a list.
    /// - A difference, with the status 226, needs `A-IM` (RFC 3229).
    /// - Another protocol, with the status 101, needs `Upgrade` (RFC 9110 §7.8). Other statuses below 200 do not count
    ///   as responses.
    public static var unrequestedResponse: Self { Self("unrequestedResponse", \.cannotParseResponse) }
    /// The server responded with 304 (not modified), but the resource has no data that the 304 confirms.
    public static var noLocalData: Self { Self("noLocalData", \.noLocalData) }
    /// The content of the response cannot be decoded, or a transformer failed.
    public static var invalidContent: Self { Self("invalidContent", \.cannotParseResponse) }
    /// The content does not have the requested type. The reason names both types and the remedy.
    public static var wrongContentType: Self { Self("wrongContentType", \.cannotParseResponse) }
    /// A line, a value or an event of a response is longer than its limit.
    public static var contentTooLong: Self { Self("contentTooLong", \.cannotParseText) }
}

/// Downloads.
extension RequestError.Code {
    /// The received bytes could not be written. ``RequestError/Failure/file`` is the target file, and
    /// ``RequestError/Failure/underlyingError`` the error of the system, such as `ENOSPC` for a full disk.
    public static var fileNotWritten: Self { Self("fileNotWritten", \.cannotWriteFile) }
    /// There is no content for the file of a download, and the target file is not changed. Either the status of the
    /// response is 204 or 205 (RFC 9110 §15.3.5), or a mutation has changed the request to a HEAD request. Such a
    /// request is not sent.
    public static var noFileContent: Self { Self("noFileContent", \.noLocalData) }
    /// The server sends the file in too many small parts.
    ///
    /// A download fails after the 16th partial response. The limit grows by one response for each 64 KB that the
    /// responses have contained, up to 10 000 responses. The received bytes are kept for the next download to the same
    /// file.
    public static var tooManyPartialResponses: Self { Self("tooManyPartialResponses", \.responseStalled) }
}

extension RequestError.Code {
    /// The cause is an error of the app, for example of one of its transformers.
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
