import SiestaCore

#if canImport(Security)
public import Foundation
import Security

/// The error of a keychain that could not be read or written.
public struct KeychainError: LocalizedError, CustomStringConvertible, Hashable, Sendable {
    /// The result code of the Security framework, such as `errSecInteractionNotAllowed`.
    public let status: Int32

    /// The text of the system for the result code, and the code.
    public var description: String {
        let text = SecCopyErrorMessageString(status, nil).map { String(describing: $0) }
        return "Keychain: \(text ?? "error") (\(status))"
    }

    /// The same text as ``description``.
    public var errorDescription: String? { description }
}
#endif
