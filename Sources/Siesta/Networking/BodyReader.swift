public import Foundation

/// Reads a ``StreamedBody`` from its start to its end, once.
public protocol BodyReader: Sendable {
    /// The next piece, or nil at the end; an error ends the request.
    ///
    /// One call is made at a time, from a task that is cancelled when the request ends.
    func next() async throws -> Data?
}
