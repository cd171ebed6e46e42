#if os(Linux) || os(Android)
public import Foundation

/// A type that provides a request body in pieces.
///
/// An exchange makes one call at a time, from its own task. The task is cancelled when the exchange ends, or when the
/// body must be sent again. ``rewind()`` is called only after the last call of ``next()`` has returned; the result of
/// that call is dropped. An exchange reads ahead by at most one piece and 256 KB.
public protocol BodySource: Sendable {
    /// Returns the next piece; nil at the end. An error ends the exchange with ``TransportError/Kind/bodySource``.
    func next() async throws -> Data?

    /// True if ``rewind()`` can go back to the start. If it is false, a redirect that requires the body is returned as
    /// the response.
    var canRewind: Bool { get }

    /// Goes back to the start, because the body must be sent again.
    func rewind() async throws
}

extension BodySource {
    /// False: by default, a source can be read only once.
    public var canRewind: Bool { false }

    /// Does nothing.
    public func rewind() async throws {}
}
#endif
