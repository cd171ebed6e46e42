#if os(Linux) || os(Android)
package import Foundation

/// A type that receives a response body in pieces.
///
/// An exchange makes one call at a time, in order, from its own task. The task is cancelled when the exchange fails.
/// During a call, the server has to wait. The exchange completes after the last call has returned. If the connection is
/// lost, the consumer still receives the bytes that had arrived.
///
/// Memory is limited: about 2 MB of encoded bytes wait for the consumer, which receives a decoded body in pieces of at
/// most 256 KB. ``TransportOptions/bodyBytes`` does not apply.
package protocol BodyConsumer: Sendable {
    /// Receives the head of the response. The consumer does not receive interim responses, or redirects that are
    /// followed.
    func begin(_ head: ResponseHead) async throws

    /// Receives the next piece of the decoded body, which is never empty.
    func consume(_ piece: Data) async throws

    /// Handles the end of a complete body.
    func finish() async throws

    /// Handles the failure or cancellation of the exchange after a call to ``begin(_:)``. This includes errors that the
    /// consumer has thrown. No other call follows.
    func abandon() async
}

extension BodyConsumer {
    /// Does nothing.
    package func begin(_ head: ResponseHead) async throws {}

    /// Does nothing.
    package func finish() async throws {}

    /// Does nothing.
    package func abandon() async {}
}
#endif
