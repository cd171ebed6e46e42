#if os(Linux) || os(Android)
/// The failure of an exchange.
public struct TransportError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure, for use in code.
    public var kind: Kind

    /// libcurl's code (`CURLcode`) if libcurl failed; nil if the transport itself failed.
    public var curlCode: Int?

    /// The description of the failure for developers. If libcurl failed, the description is libcurl's message.
    public var message: String

    /// The system's error number (`errno`); 0 if there is none.
    public var errno: Int32

    /// The metrics of the exchange until its failure.
    package var metrics = ExchangeMetrics()

    /// The origin of the last request, if a redirect has led to it. It contains no secrets.
    package var origin: String?

    /// The error with which a body source or a body consumer failed; nil for other failures.
    public var underlyingError: (any Error)?

    package init(
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
        /// The name of the host or of the proxy could not be resolved.
        case nameNotFound
        /// The host refused the connection, usually because no server listens on the port.
        case refused
        /// A time-out occurred in the given phase.
        case timedOut(while: Phase)
        /// TLS failed for the given reason.
        case tls(TLSFailure)
        /// The received bytes are not valid HTTP.
        case protocolViolation
        /// The body does not match its `Content-Encoding`, has more than one coding that the transport can decode, or
        /// has such a coding although the request does not accept it.
        case undecodable
        /// The body is longer than ``TransportOptions/bodyBytes``, or all bodies together need more memory than
        /// ``TransportOptions/totalBodyBytes``.
        case bodyTooLarge
        /// The headers are longer than ``TransportOptions/headerBytes``, or have more fields than
        /// ``TransportOptions/headerFields``.
        case headersTooLarge
        /// The number of redirects exceeded ``TransportOptions/redirectLimit``.
        case tooManyRedirects
        /// A redirect leads from https to http, and ``TransportOptions/followsInsecureRedirects`` is false.
        case insecureRedirect
        /// The connection ended before the end of the response.
        case connectionLost
        /// The connection ended before the response's head was complete, and the request must not be sent twice (RFC
        /// 9110, section 9.2.2). The server may have carried out the request. This kind is also used if the server
        /// responded to such a request with a redirect whose target cannot be reached.
        case outcomeUnknown
        /// The exchange was cancelled.
        case cancelled
        /// The URL has no host, or its scheme is neither http nor https.
        case badURL
        /// The method or a header field contains characters that HTTP does not allow.
        case badRequest
        /// The transport or the installed libcurl does not support the request or an option.
        case unsupported
        /// The proxy rejected the request.
        case proxy
        /// The source of the request body failed, or did not produce the number of bytes stated in `Content-Length`.
        case bodySource
        /// The consumer of the response body failed.
        case bodyConsumer
        /// A file could not be read or written.
        case file
        /// There is not enough memory.
        case outOfMemory
    }

    /// The phase of an exchange in which a time-out occurred.
    public enum Phase: Sendable, Hashable {
        /// Resolving the name, connecting, negotiating TLS, or waiting for a free connection.
        case connecting
        /// Sending the request, or waiting for the response to begin.
        case waiting
        /// Receiving the response.
        case reading
    }

    /// The reason for a TLS failure.
    public enum TLSFailure: Sendable, Hashable {
        /// The server's certificate has no trusted issuer.
        case untrusted
        /// The server's certificate has expired, or is not valid yet.
        case expired
        /// The server's certificate is for another host.
        case wrongHost
        /// The server's key is not one of the pinned keys.
        case pinned
        /// The negotiation failed, or the server requires a client certificate.
        case handshake
        /// A certificate or key file that the options name cannot be used.
        case localCertificate
    }

    /// The kind and the message. Secrets in URLs are removed, and control characters are escaped.
    public var description: String { TransportText.line("\(kind): \(message)") }
}
#endif
