public import Foundation

/// Encrypts what a store gets, and decrypts what it gives back.
///
/// Called off the main thread, by several threads at once. Records are sealed as a whole, headers, URL and principal
/// included; what stays in the open are sizes, times of use, and the digests that are the records' keys.
public protocol EntitySealing: Sendable {
    /// Encrypts `plain`, and binds it to `context`: ``open(_:context:)`` has to fail with any other.
    func seal(_ plain: Data, context: Data) throws -> Data

    /// Decrypts what ``seal(_:context:)`` returned for the same context; throws if it was altered, or sealed with
    /// another key.
    func open(_ sealed: Data, context: Data) throws -> Data
}
