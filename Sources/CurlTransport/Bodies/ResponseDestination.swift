#if os(Linux)
public import Foundation

/// Where a response body goes.
public enum ResponseDestination: Sendable {
    /// Into ``TransportResponse/body``, up to ``TransportOptions/bodyBytes``.
    case memory
    /// Into a file, whatever the status. It appears, or replaces the one that was there, when the body is complete.
    case file(URL)
    /// To a consumer.
    case consumer(any BodyConsumer)
}
#endif
