public import Foundation

/// Encrypts what a store gets, and decrypts what it gives back.
///
/// Called off the main thread, by several threads at once. Records are sealed as a whole, headers, URL and principal
/// included. What stays in the open are sizes, times of use, and the records' names: digests of URL and principal, by
/// which a guess can be checked. An older record that is put back in its own place opens: nothing tells that there was a
/// later one.
public protocol EntitySealing: Sendable {
    /// Tells keys apart without telling them: caches at the same place with other keys share nothing.
    var keyIdentifier: String { get }

    /// Encrypts `plain`, and binds it to `context`: ``open(_:context:)`` has to fail with any other.
    func seal(_ plain: Data, context: Data) throws -> Data

    /// Decrypts what ``seal(_:context:)`` returned for the same context.
    ///
    /// - Throws: ``StoredEntity/Malformation/damaged`` if it was altered, and the record is removed; any
    ///   other error, as for a key that is not known, leaves it alone.
    func open(_ sealed: Data, context: Data) throws -> Data

    /// Whether what ``seal(_:context:)`` has returned at some time need not be sealed anew; otherwise it is, when it is
    /// read, or the cache compacted.
    func isSealedWithPresentKey(_ sealed: Data) -> Bool
}

extension EntitySealing {
    /// True: there is one key alone.
    public func isSealedWithPresentKey(_ sealed: Data) -> Bool { true }
}
