#if Encryption
public import Foundation

/// The reason for a failed encryption or decryption.
public enum SealingError: LocalizedError, Equatable, Sendable {
    /// A key has the given number of bytes instead of 16, 24 or 32.
    case keyLength(Int)
    /// The record was encrypted with a key that is neither the current key nor a former key.
    case unknownKey
    /// OpenSSL has failed, for the given reason.
    case library(String)

    /// A description that names the reason and the remedy.
    public var errorDescription: String? {
        switch self {
        case .keyLength(let count): "An AES key has 16, 24 or 32 bytes; this one has \(count)"
        case .unknownKey: "The record was sealed with an unknown key; pass that key among the former keys"
        case .library(let reason): "OpenSSL: \(reason)"
        }
    }
}
#endif
