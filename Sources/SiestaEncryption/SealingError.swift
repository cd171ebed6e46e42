#if Encryption
public import Foundation

/// Why something cannot be encrypted or decrypted.
public enum SealingError: LocalizedError, Hashable, Sendable {
    /// A key has so many bytes, and not 16, 24 or 32.
    case keyLength(Int)
    /// The record was sealed with a key that is neither the present one nor among the former ones.
    case unknownKey
    /// OpenSSL has failed, and gives a reason.
    case library(String)

    /// What is wrong, and what to do about it.
    public var errorDescription: String? {
        switch self {
        case .keyLength(let count): "A key for AES has 16, 24 or 32 bytes, and not \(count)"
        case .unknownKey: "The key that this was sealed with is not known; name it among the former keys"
        case .library(let reason): "OpenSSL: \(reason)"
        }
    }
}
#endif
