#if os(Linux)
public import Foundation

/// A type that provides a request body piece by piece.
///
/// A transfer makes one call at a time, from its own task, which is cancelled when the transfer ends or the body must
/// be sent again. ``rewind()`` is called only after the last ``next()`` has returned, whose result is dropped. A
/// transfer reads at most one piece and 256 KB ahead.
public protocol BodySource: Sendable {
    /// Returns the next piece, or nil at the end. An error ends the transfer with ``TransportError/Kind/bodySource``.
    func next() async throws -> Data?

    /// True if ``rewind()`` can go back to the start. Otherwise a redirect that requires the body is delivered as the
    /// response.
    var canRewind: Bool { get }

    /// Goes back to the start, because the body must be sent again.
    func rewind() async throws
}

extension BodySource {
    /// False, for sources that can be read only once.
    public var canRewind: Bool { false }

    /// Does nothing.
    public func rewind() async throws {}
}
#endif
