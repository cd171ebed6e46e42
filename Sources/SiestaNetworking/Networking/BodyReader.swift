public import Foundation

/// A reader that reads a ``StreamedBody`` once, from its start to its end.
public protocol BodyReader: Sendable {
    /// Returns the next piece; nil at the end. An error ends the request.
    ///
    /// Only one call is made at a time, from a task that is cancelled when the request ends.
    func next() async throws -> Data?
}
