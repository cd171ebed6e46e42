#if os(Linux)
public import Foundation

/// The destination of a response body.
public enum ResponseDestination: Sendable {
    /// ``TransportResponse/body``, for bodies up to ``TransportOptions/bodyBytes``.
    case memory
    /// A file, for responses with any status. It appears, or replaces an existing one, when the body is complete.
    case file(URL)
    /// A consumer.
    case consumer(any BodyConsumer)
}
#endif
