#if Encryption
public import Foundation
public import Siesta

/// Encrypts what a cache keeps with AES in Galois/Counter Mode (NIST SP 800-38D), through OpenSSL.
///
///     let options = EntityCacheOptions(sealing: try AESGCMSealing(key: key))
///     service.configure { $0.pipeline[.rawData].cacheUsing(.file(at: folder, options: options)) }
///
/// A record opens only under the key that has sealed it, and only where it was put: one that was altered, or took the
/// place of another, or is in the open, is removed and counts as a failure. One whose key is not known here is left
/// alone. A record takes 40 bytes more than in the open.
///
/// The nonce of each record is random, so seal no more than 2³² (about four billion) records with one key (§8.3 there).
public struct AESGCMSealing: EntitySealing {
    private let key: SealingKey
    private let formerKeys: [SealingKey]

    /// Creates a sealing.
    ///
    /// - Parameters:
    ///   - key: 16, 24 or 32 random bytes, which make it AES-128, AES-192 or AES-256. A password is no key.
    ///   - formerKeys: keys that records may still be sealed with. They open what is there; all that is written is
    ///     sealed with `key`, and after a compaction of the cache nothing needs the former ones.
    /// - Throws: ``SealingError``, if a key has another length or OpenSSL cannot be used.
    public init(key: Data, formerKeys: [Data] = []) throws {
        self.key = try SealingKey(key)
        self.formerKeys = try formerKeys.map { try SealingKey($0) }
    }

    /// A new key for AES-256: 32 random bytes, to be kept where secrets are kept.
    ///
    /// - Throws: ``SealingError``, if there is no randomness to be had.
    public static func newKey() throws -> Data {
        var key = Data(count: 32)
        try key.withUnsafeMutableBytes { try OpenSSL.fillWithRandomness($0) }
        return key
    }

    /// A digest of the key that seals, which does not tell the key.
    public var keyIdentifier: String { key.identifier.map { String(format: "%02x", $0) }.joined() }

    /// Encrypts `plain` under a nonce of its own.
    public func seal(_ plain: Data, context: Data) throws -> Data {
        let form = SealedForm(contentLength: plain.count)
        var sealed = Data(count: form.length)
        try sealed.withUnsafeMutableBytes { bytes in
            bytes[form.keyIdentifier].copyBytes(from: key.identifier)
            try OpenSSL.fillWithRandomness(.init(rebasing: bytes[form.nonce]))
            let cipher = try GaloisCounterMode(.encryption, key, nonce: .init(rebasing: bytes[form.nonce]))
            try context.withUnsafeBytes { try cipher.authenticate($0) }
            try plain.withUnsafeBytes { try cipher.transform($0, into: .init(rebasing: bytes[form.content])) }
            try cipher.finish(writingTagTo: .init(rebasing: bytes[form.tag]))
        }
        return sealed
    }

    /// Whether it need not be sealed anew because a former key has sealed it.
    public func isSealedWithPresentKey(_ sealed: Data) -> Bool {
        guard let form = SealedForm(length: sealed.count) else { return false }
        return sealed.withUnsafeBytes { $0[form.keyIdentifier].elementsEqual(key.identifier) }
    }

    /// Decrypts what ``seal(_:context:)`` returned for the same context.
    ///
    /// - Throws: `StoredEntity.Malformation.damaged` if it was altered; ``SealingError/unknownKey`` if
    ///   it was sealed with a key that is not known here.
    public func open(_ sealed: Data, context: Data) throws -> Data {
        guard let form = SealedForm(length: sealed.count) else { throw StoredEntity.Malformation.damaged }
        var plain = Data(count: form.content.count)
        try sealed.withUnsafeBytes { bytes in
            let key = ([key] + formerKeys).first { bytes[form.keyIdentifier].elementsEqual($0.identifier) }
            guard let key else { throw SealingError.unknownKey }
            let cipher = try GaloisCounterMode(.decryption, key, nonce: .init(rebasing: bytes[form.nonce]))
            try context.withUnsafeBytes { try cipher.authenticate($0) }
            try plain.withUnsafeMutableBytes { try cipher.transform(.init(rebasing: bytes[form.content]), into: $0) }
            guard try cipher.isConfirmed(byTag: .init(rebasing: bytes[form.tag])) else {
                throw StoredEntity.Malformation.damaged
            }
        }
        return plain
    }
}
#endif
