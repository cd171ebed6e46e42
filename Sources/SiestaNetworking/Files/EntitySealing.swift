public import Foundation

/// A type that encrypts and decrypts the records of a store.
///
/// The functions are called off the main thread, by several threads at once. The whole record is encrypted, including
/// headers, URL and principal. The sizes, the times of use and the names of the records are not encrypted. The names
/// are digests of URL and principal. An attacker who guesses both can therefore verify the guess. Replay is not
/// detected: if an attacker replaces a record with an older version of it, decryption succeeds.
///
/// An outbox uses the same functions for its changes and files. Regardless of the error, the outbox keeps all data that
/// it cannot decrypt, and counts this data in `Outbox.unreadableCount`.
public protocol EntitySealing: Sendable {
    /// An identifier of the key. The identifier must not reveal the key. Caches in the same folder share a storage only
    /// if their identifiers are equal.
    var keyIdentifier: String { get }

    /// Encrypts `plain` and binds the result to `context`: ``open(_:context:)`` must fail with any other context.
    func seal(_ plain: Data, context: Data) throws -> Data

    /// Decrypts a result of ``seal(_:context:)`` that was made for the same context.
    ///
    /// - Throws: `CacheRecord.Malformation.damaged` if the bytes were altered; the cache then removes the record.
    ///   After any other error, such as an unknown key, the cache keeps the record. An outbox always keeps its record.
    func open(_ sealed: Data, context: Data) throws -> Data

    /// Returns true if `sealed`, a result of ``seal(_:context:)``, was sealed with the current key.
    ///
    /// If the function returns false, the cache seals the record again when the record is read, or when the cache is
    /// compacted. An outbox seals the record again when the outbox is loaded.
    func isSealedWithPresentKey(_ sealed: Data) -> Bool
}

extension EntitySealing {
    /// Returns true: by default, there is only one key.
    public func isSealedWithPresentKey(_ sealed: Data) -> Bool { true }
}
