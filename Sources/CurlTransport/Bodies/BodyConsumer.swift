#if os(Linux)
public import Foundation

/// A type that receives a response body piece by piece.
///
/// A transfer makes one call at a time, in order, from its own task, which is cancelled when the transfer fails. During
/// a call the server has to wait. The transfer completes after the last call has returned. If the connection is lost,
/// the bytes received before are still passed on.
///
/// Memory is limited: about 2 MB wait for the consumer, before decoding. If decoding expands them to more than
/// ``TransportOptions/bodyBytes``, the transfer fails.
public protocol BodyConsumer: Sendable {
    /// Receives the head of the response. Interim responses, and redirects that are followed, are not passed on.
    func begin(_ head: ResponseHead) async throws

    /// Receives the next piece of the decoded body, which is never empty.
    func consume(_ piece: Data) async throws

    /// Handles the end of a complete body.
    func finish() async throws

    /// Handles the failure or cancellation of the transfer after ``begin(_:)`` was called, including an error that the
    /// consumer itself has thrown. No other call follows.
    func abandon() async
}

extension BodyConsumer {
    /// Does nothing.
    public func begin(_ head: ResponseHead) async throws {}

    /// Does nothing.
    public func finish() async throws {}

    /// Does nothing.
    public func abandon() async {}
}
#endif
