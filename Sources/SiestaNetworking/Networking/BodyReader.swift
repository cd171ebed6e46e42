public import Foundation

/// A type that reads a ``StreamedBody`` once, from its start to its end.
public protocol BodyReader: Sendable {
    /// Returns the next piece of the body; nil at the end. If the function throws an error, the request fails.
    ///
    /// Only one call is made at a time. The calling task is cancelled when the request ends.
    func next() async throws -> Data?
}
