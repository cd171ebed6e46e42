#if os(Linux)
/// Why a transfer has no response.
public struct TransportError: Error, Sendable, CustomStringConvertible {
    /// What happened, in terms a program can act on.
    public var kind: Kind

    /// libcurl's code (`CURLcode`) if it was libcurl that gave up; nil if it was the transport.
    public var curlCode: Int?

    /// What happened in words for programmers, libcurl's if it had any.
    public var message: String

    /// The system's error number, or 0 if there is none.
    public var errno: Int32

    /// How far the transfer had come.
    public var metrics = TransferMetrics()

    /// What a body source, a body consumer or a file failed with.
    public var underlyingError: (any Error)?

    /// Creates an error.
    public init(
        _ kind: Kind, _ message: String, curlCode: Int? = nil, errno: Int32 = 0, underlyingError: (any Error)? = nil
    ) {
        self.kind = kind
        self.message = message
        self.curlCode = curlCode
        self.errno = errno
        self.underlyingError = underlyingError
    }

    /// The kinds of failure.
    public enum Kind: Sendable, Hashable {
        /// The host, or its network, cannot be reached.
        case noConnection
        /// The name of the host, or of the proxy, is not known.
        case nameNotFound
        /// Nobody listens at the address.
        case refused
        /// A time-out passed.
        case timedOut(while: Phase)
        /// No trust, or no agreement, about encryption.
        case tls(TLSFailure)
        /// What came is not HTTP.
        case protocolViolation
        /// The body is not encoded as its `Content-Encoding` says, or in a way that is not supported.
        case undecodable
        /// The decoded body is longer than ``TransportOptions/bodyBytes``.
        case bodyTooLarge
        /// The headers are longer than ``TransportOptions/headerBytes``, or have more fields than
        /// ``TransportOptions/headerFields``.
        case headersTooLarge
        /// There were more redirects than are followed.
        case tooManyRedirects
        /// A redirect leads from https to http, and ``TransportOptions/followsInsecureRedirects`` is off.
        case insecureRedirect
        /// The connection ended before the response did.
        case connectionLost
        /// The connection ended after the request began to be sent and before the head of the response was complete,
        /// and the request is not one that may be sent twice: the server may have carried it out, or not (RFC 9110,
        /// section 9.2.2).
        case outcomeUnknown
        /// The transfer was cancelled.
        case cancelled
        /// The URL is not one of http or https with a host.
        case badURL
        /// The method or a header field contains what cannot be sent.
        case badRequest
        /// The request or an option asks for what the transport or the installed libcurl cannot do.
        case unsupported
        /// The proxy declined.
        case proxy
        /// The source of the request body failed, or did not keep to the length it announced.
        case bodySource
        /// The consumer of the response body failed.
        case bodyConsumer
        /// A file could not be read or written.
        case file
        /// There is not enough memory.
        case outOfMemory
    }

    /// What a transfer was doing when its time was over.
    public enum Phase: Sendable, Hashable {
        /// Looking up the name, connecting, or agreeing on encryption; or waiting for a connection to become free.
        case connecting
        /// Sending the request, or waiting for the response to begin.
        case waiting
        /// Receiving the response.
        case reading
    }

    /// What was wrong with encryption.
    public enum TLSFailure: Sendable, Hashable {
        /// Nobody vouches for the server's certificate.
        case untrusted
        /// The server's certificate has expired, or is not valid yet.
        case expired
        /// The server's certificate is for another host.
        case wrongHost
        /// The server's key is none of those that are pinned.
        case pinned
        /// The two sides did not come to an agreement; or the server wants a client certificate.
        case handshake
        /// A certificate or key file of the options cannot be used.
        case localCertificate
    }

    /// The kind and the message, without the secrets of URLs and with control characters escaped.
    public var description: String { TransportText.line("\(kind): \(message)") }
}
#endif
