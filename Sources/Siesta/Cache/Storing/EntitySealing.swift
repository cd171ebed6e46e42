public import Foundation

/// A type that encrypts the records of a store, and decrypts them.
///
/// The functions are called off the main thread, by several threads at once. A record is sealed as a whole, including
/// headers, URL and principal. Three things are not encrypted: the sizes, the times of use, and the names of the
/// records. The names are digests of URL and principal, so an attacker can check a guess. Replay is not detected: if
/// somebody puts an older record back in its own place, it opens.
public protocol EntitySealing: Sendable {
    /// An identifier of the key that does not reveal the key. Caches at the same place share a storage only if their
    /// identifiers are equal.
    var keyIdentifier: String { get }

    /// Encrypts `plain` and binds it to `context`: ``open(_:context:)`` must fail with any other context.
    func seal(_ plain: Data, context: Data) throws -> Data

    /// Decrypts a result of ``seal(_:context:)`` that was sealed for the same context.
    ///
    /// - Throws: ``StoredEntity/Malformation/damaged`` if the bytes were altered; the cache then removes the record.
    ///   Any other error, such as an unknown key, leaves the record in place.
    func open(_ sealed: Data, context: Data) throws -> Data

    /// Returns true if `sealed`, a result of ``seal(_:context:)``, was sealed with the current key. Otherwise the cache
    /// seals the record anew when it is read, or when the cache is compacted.
    func isSealedWithPresentKey(_ sealed: Data) -> Bool
}

extension EntitySealing {
    /// Returns true, for an encryption that has only one key.
    public func isSealedWithPresentKey(_ sealed: Data) -> Bool { true }
}
