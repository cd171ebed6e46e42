public import Foundation

/// A type that encrypts and decrypts stored data, such as the records of a cache.
///
/// The functions are called off the main thread, possibly on several threads at once. Each record is encrypted as a
/// whole, including its headers, its URL and its principal. The sizes of the records, their names, and the times of
/// their last use are not encrypted. The names are digests of the URL and the principal. An attacker who guesses both
/// can therefore verify the guess. Replay is not detected: if an attacker replaces a record with an older version of
/// it, decryption succeeds.
///
/// An outbox uses the same functions to encrypt its changes and files. If the outbox cannot decrypt a change, it keeps
/// the change, regardless of the error, and counts the change in `Outbox.unreadableCount`.
public protocol EntitySealing: Sendable {
    /// An identifier of the key, which must not reveal the key. Caches in the same folder share a storage only if their
    /// key identifiers are equal.
    var keyIdentifier: String { get }

    /// Encrypts `plain`, and binds the result to `context`: if ``open(_:context:)`` is called with any other context,
    /// it must fail.
    func seal(_ plain: Data, context: Data) throws -> Data

    /// Decrypts data that ``seal(_:context:)`` has encrypted for the same context.
    ///
    /// - Throws: `CacheRecord.Malformation.damaged` if the bytes were altered. The cache then removes the record. If
    ///   the function throws any other error, for example because the key is unknown, the cache keeps the record. An
    ///   outbox never removes a record because of an error.
    func open(_ sealed: Data, context: Data) throws -> Data

    /// Returns true if `sealed`, a result of ``seal(_:context:)``, was encrypted with the current key.
    ///
    /// If the function returns false, the record is encrypted again with the current key. A cache does this when it
    /// reads the record, or when its storage is compacted. An outbox does this when it is loaded.
    func isSealedWithPresentKey(_ sealed: Data) -> Bool
}

extension EntitySealing {
    /// Returns true, because by default, there is only one key.
    public func isSealedWithPresentKey(_ sealed: Data) -> Bool { true }
}
