#if Encryption
import CCrypto
import Foundation

/// An encryption key. It is erased from memory when it is released.
final class SealingKey: @unchecked Sendable {  // sound: never changed
    let bytes: UnsafeRawBufferPointer
    /// The identifier in records that were sealed with this key.
    let identifier: [UInt8]
    /// AES for keys of this length. It is fetched only once, because fetching takes longer than encrypting a small
    /// record.
    let algorithm: OpaquePointer

    init(_ key: Data) throws {
        guard [16, 24, 32].contains(key.count) else { throw SealingError.keyLength(key.count) }
        let name = "AES-\(key.count * 8)-GCM"
        OpenSSL.isReady
        guard let algorithm = EVP_CIPHER_fetch(nil, name, nil) else {
            throw SealingError.library(OpenSSL.failure(name))
        }
        self.algorithm = algorithm
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: key.count, alignment: 16)
        copy.copyBytes(from: key)
        bytes = UnsafeRawBufferPointer(copy)
        identifier = Self.identifier(of: bytes)
        guard !identifier.isEmpty else { throw SealingError.library(OpenSSL.failure("SHA-256")) }
    }

    deinit {
        OPENSSL_cleanse(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
        bytes.deallocate()
        EVP_CIPHER_free(algorithm)
    }

    /// Returns the first bytes of the SHA-256 digest of a purpose and the key; empty if OpenSSL cannot compute the
    /// digest. Another format of sealing would use another purpose.
    private static func identifier(of key: UnsafeRawBufferPointer) -> [UInt8] {
        var digest: [UInt8] = Array(repeating: 0, count: 32)
        var input = Array("Siesta AES-GCM key ".utf8) + key
        let isDone = EVP_Digest(input, input.count, &digest, nil, EVP_sha256(), nil) == 1
        OPENSSL_cleanse(&input, input.count)
        return isDone ? Array(digest[..<SealedLayout.keyIdentifierLength]) : []
    }
}
#endif
