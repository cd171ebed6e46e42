#if Encryption
import CCrypto

/// The encryption or decryption of one record. Call ``authenticate(_:)``, then ``transform(_:into:)``, then one of the
/// functions that end the work.
final class GaloisCounterMode {
    enum Direction: Int32 {
        case decryption = 0
        case encryption = 1
    }

    private let context: OpaquePointer
    /// The maximum number of bytes for one call of OpenSSL, which uses 32-bit numbers for lengths. Longer input is
    /// split.
    private static let partLength = 1 << 30

    init(_ direction: Direction, _ key: SealingKey, nonce: UnsafeRawBufferPointer) throws {
        guard let context = EVP_CIPHER_CTX_new() else { throw SealingError.library(OpenSSL.failure("No memory")) }
        self.context = context
        let (key, algorithm) = (key.bytes, key.algorithm)
        try check(
            EVP_CipherInit_ex2(
                context, algorithm, key.bindMemory(to: UInt8.self).baseAddress,
                nonce.bindMemory(to: UInt8.self).baseAddress, direction.rawValue, nil))
    }

    deinit { EVP_CIPHER_CTX_free(context) }

    /// Adds bytes that are not encrypted. The same bytes must be added at decryption.
    func authenticate(_ bytes: UnsafeRawBufferPointer) throws {
        try update(bytes, into: nil)
    }

    /// Encrypts or decrypts the whole input; `output` is as long as `input`.
    func transform(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) throws {
        try update(input, into: output)
    }

    /// Ends an encryption and writes its tag.
    func finish(writingTagTo tag: UnsafeMutableRawBufferPointer) throws {
        var length: Int32 = 0
        var none: UInt8 = 0
        try check(EVP_CipherFinal_ex(context, &none, &length))
        try check(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(tag.count), tag.baseAddress))
    }

    /// Ends a decryption. Returns true if the bytes are exactly the bytes that were encrypted. Otherwise the output
    /// must not be used.
    func isConfirmed(byTag tag: UnsafeRawBufferPointer) throws -> Bool {
        let tagBytes = UnsafeMutableRawPointer(mutating: tag.baseAddress)  // only read
        try check(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), tagBytes))
        var length: Int32 = 0
        var none: UInt8 = 0
        return EVP_CipherFinal_ex(context, &none, &length) == 1
    }

    private func update(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer?) throws {
        for start in stride(from: 0, to: input.count, by: Self.partLength) {
            let part = UnsafeRawBufferPointer(rebasing: input[start..<min(start + Self.partLength, input.count)])
            var length: Int32 = 0
            try check(
                EVP_CipherUpdate(
                    context, output?.baseAddress.map { ($0 + start).assumingMemoryBound(to: UInt8.self) }, &length,
                    part.bindMemory(to: UInt8.self).baseAddress, Int32(part.count)))
        }
    }

    private func check(_ result: Int32) throws {
        guard result == 1 else { throw SealingError.library(OpenSSL.failure("AES-GCM")) }
    }
}
#endif
