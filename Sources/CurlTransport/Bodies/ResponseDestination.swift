#if os(Linux) || os(Android)
package import Foundation

/// The destination of a response body.
package enum ResponseDestination: Sendable {
    /// ``TransportResponse/body``, for bodies up to ``TransportOptions/bodyBytes``.
    case memory
    /// A file, for responses with any status. When the body is complete, the file appears or replaces an existing file.
    case file(URL)
    /// A consumer.
    case consumer(any BodyConsumer)
}
#endif
