#if Encryption
public import Foundation
public import SiestaCore
import SiestaCaches

/// An object that encrypts the records of caches and outboxes with AES in Galois/Counter Mode (NIST SP 800-38D), using
/// OpenSSL.
///
///     let options = EntityCacheOptions(sealing: try AESGCMSealing(key: key))
///     service.configure { $0.pipeline[.rawData].cacheUsing(.file(at: folder, options: options)) }
///
/// A record can be decrypted only with the encryption key that encrypted it, and only if the store still keeps the
/// record under its original `RecordKey`. A cache removes records that were altered, that were moved to the `RecordKey`
/// of another record, or that are not encrypted, and counts them as failures. It keeps records that were encrypted with
/// an unknown key. Encryption adds 40 bytes to a record.
///
/// Because the nonce of each record is random, encrypt at most 2³² (about four billion) records with one key (NIST SP
/// 800-38D §8.3).
public struct AESGCMSealing: EntitySealing {
    private let key: SealingKey
    private let formerKeys: [SealingKey]

    /// Creates an object that encrypts and decrypts with the given keys.
    ///
    /// - Parameters:
    ///   - key: 16, 24 or 32 random bytes, for AES-128, AES-192 or AES-256. Do not use a password.
    ///   - formerKeys: The keys with which existing records were encrypted earlier. They are used only to decrypt
    ///     records; all writes use `key`. After the cache has been compacted, or the outbox has been loaded, the former
    ///     keys are no longer needed.
    /// - Throws: ``SealingError`` if a key has another length, or if OpenSSL cannot be used.
    public init(key: Data, formerKeys: [Data] = []) throws {
        self.key = try SealingKey(key)
        self.formerKeys = try formerKeys.map { try SealingKey($0) }
    }

    /// Returns a new key for AES-256: 32 random bytes. Store the key where the app keeps its secrets.
    ///
    /// - Throws: ``SealingError`` if the system provides no random bytes.
    public static func newKey() throws -> Data {
        var key = Data(count: 32)
        try key.withUnsafeMutableBytes { try OpenSSL.fillWithRandomness($0) }
        return key
    }

    /// A digest of the current key, which does not reveal the key.
    public var keyIdentifier: String { key.identifier.map { String(format: "%02x", $0) }.joined() }

    /// Encrypts `plain` with the current key and a new random nonce. The result can be decrypted only with the same
    /// `context`.
    public func seal(_ plain: Data, context: Data) throws -> Data {
        let layout = SealedLayout(contentLength: plain.count)
        var sealed = Data(count: layout.length)
        try sealed.withUnsafeMutableBytes { bytes in
            bytes[layout.keyIdentifier].copyBytes(from: key.identifier)
            try OpenSSL.fillWithRandomness(.init(rebasing: bytes[layout.nonce]))
            let cipher = try GaloisCounterMode(.encryption, key, nonce: .init(rebasing: bytes[layout.nonce]))
            try context.withUnsafeBytes { try cipher.authenticate($0) }
            try plain.withUnsafeBytes { try cipher.transform($0, into: .init(rebasing: bytes[layout.content])) }
            try cipher.finish(writingTagTo: .init(rebasing: bytes[layout.tag]))
        }
        return sealed
    }

    /// Returns true if `sealed` was encrypted with the current key, and false if it was encrypted with a former key.
    public func isSealedWithPresentKey(_ sealed: Data) -> Bool {
        guard let layout = SealedLayout(length: sealed.count) else { return false }
        return sealed.withUnsafeBytes { $0[layout.keyIdentifier].elementsEqual(key.identifier) }
    }

    /// Decrypts a result of ``seal(_:context:)`` that was encrypted with the same context.
    ///
    /// - Throws: `CacheRecord.Malformation.damaged` if the bytes were altered, or if the context differs;
    ///   ``SealingError/unknownKey`` if they were encrypted with a key that is neither the current key nor a former
    ///   key.
    public func open(_ sealed: Data, context: Data) throws -> Data {
        guard let layout = SealedLayout(length: sealed.count) else { throw CacheRecord.Malformation.damaged }
        var plain = Data(count: layout.contentLength)
        try sealed.withUnsafeBytes { bytes in
            let key = ([key] + formerKeys).first { bytes[layout.keyIdentifier].elementsEqual($0.identifier) }
            guard let key else { throw SealingError.unknownKey }
            let cipher = try GaloisCounterMode(.decryption, key, nonce: .init(rebasing: bytes[layout.nonce]))
            try context.withUnsafeBytes { try cipher.authenticate($0) }
            try plain.withUnsafeMutableBytes { try cipher.transform(.init(rebasing: bytes[layout.content]), into: $0) }
            guard try cipher.isConfirmed(byTag: .init(rebasing: bytes[layout.tag])) else {
                throw CacheRecord.Malformation.damaged
            }
        }
        return plain
    }
}
#else
/// Encryption of caches and outboxes. It needs the package trait `Encryption`.
@available(
    *, unavailable,
    message: """
        SiestaEncryption needs the trait Encryption: add traits: ["Encryption"] to the dependency on this package. On \
        Debian, the headers are in the package libssl-dev.
        """
)
public struct AESGCMSealing: Sendable {}
#endif
