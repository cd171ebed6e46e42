#if os(Linux)
public import Foundation

/// Gives a request body piece by piece.
///
/// A transfer makes one call at a time, from a task of its own, which is cancelled when the transfer ends, or when the
/// body has to be sent once more. ``rewind()`` is called only after the last ``next()`` has returned, whose result is
/// dropped. A transfer asks ahead by no more than one piece and 256 KB.
public protocol BodySource: Sendable {
    /// The next piece, or nil at the end. An error ends the transfer with ``TransportError/Kind/bodySource``.
    func next() async throws -> Data?

    /// Whether ``rewind()`` can go back to the start: without that, a redirect that wants the body again is the answer.
    var canRewind: Bool { get }

    /// Goes back to the start, because the body has to be sent once more.
    func rewind() async throws
}

extension BodySource {
    /// False: what was read is gone.
    public var canRewind: Bool { false }

    /// Does nothing.
    public func rewind() async throws {}
}
#endif
