import SiestaCore

#if canImport(Security)
public import Foundation
import Security

/// An error that the keychain reports when a credential is read, saved or removed.
public struct KeychainError: LocalizedError, CustomStringConvertible, Hashable, Sendable {
    /// The result code of the Security framework, such as `errSecInteractionNotAllowed`.
    public let status: Int32

    /// The system's message for the result code, followed by the code.
    public var description: String {
        let text = SecCopyErrorMessageString(status, nil).map { String(describing: $0) }
        return "Keychain: \(text ?? "error") (\(status))"
    }

    /// The same text as ``description``.
    public var errorDescription: String? { description }
}
#endif
