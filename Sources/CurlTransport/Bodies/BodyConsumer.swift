#if os(Linux)
public import Foundation

/// Takes a response body piece by piece.
///
/// A transfer makes one call at a time, in order, from a task of its own, which is cancelled when the transfer fails.
/// While a call takes its time, the server has to wait. The transfer completes after the last call has returned. If the
/// connection is lost, what came before is still handed over.
///
/// Memory is bounded: about 2 MB wait for the consumer, or what as many encoded bytes expand to; if that is more than
/// ``TransportOptions/bodyBytes``, the transfer fails.
public protocol BodyConsumer: Sendable {
    /// The response begins. Redirects that are followed, and interim responses, are not shown.
    func begin(_ head: ResponseHead) async throws

    /// The next piece of the decoded body; never empty.
    func consume(_ piece: Data) async throws

    /// The body is complete.
    func finish() async throws

    /// The transfer failed, or was cancelled, after ``begin(_:)`` was called. No other call follows.
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
