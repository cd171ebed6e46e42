#if Encryption
public import Foundation

/// The reason why a record cannot be encrypted or decrypted.
public enum SealingError: LocalizedError, Hashable, Sendable {
    /// A key has this number of bytes instead of 16, 24 or 32.
    case keyLength(Int)
    /// The record was sealed with a key that is neither the current key nor a former one.
    case unknownKey
    /// OpenSSL has failed with this reason.
    case library(String)

    /// A description of the error, and the remedy.
    public var errorDescription: String? {
        switch self {
        case .keyLength(let count): "A key for AES has 16, 24 or 32 bytes, and not \(count)"
        case .unknownKey: "The key that this was sealed with is not known; name it among the former keys"
        case .library(let reason): "OpenSSL: \(reason)"
        }
    }
}
#endif
