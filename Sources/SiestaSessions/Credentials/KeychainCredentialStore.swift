import SiestaCore

#if canImport(Security)
import Foundation
import Security

/// A store in the keychain; see `keychain(service:account:)` of ``StandardCredentialStore``.
package struct KeychainCredentialStore: CredentialStore {
    /// The name of the service, for example the app's bundle identifier.
    package let service: String
    /// The name of the account. Stores with the same service and account share their credential.
    package let account: String

    /// Creates a store. The store does not access the keychain before the first read or write.
    package init(service: String, account: String) {
        (self.service, self.account) = (service, account)
    }

    /// Returns the saved credential; nil if there is none.
    ///
    /// - Throws: ``KeychainError`` if the keychain cannot be read, for example before the device has been unlocked
    ///   once, or if the item contains no credential.
    package func load() throws -> StoredCredential? {
        var result: CFTypeRef?
        let query = item([
            kSecReturnData as NSString: true, kSecMatchLimit as NSString: kSecMatchLimitOne as NSString,
        ])
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        if status == errSecItemNotFound { return nil }
        guard status == errSecSuccess else { throw KeychainError(status: status) }
        guard let data = result as? Data, let stored = try? JSONDecoder().decode(StoredCredential.self, from: data)
        else { throw KeychainError(status: errSecDecode) }
        return stored
    }

    /// Saves a credential. If `stored` is nil, removes the saved credential.
    ///
    /// - Throws: ``KeychainError``.
    package func save(_ stored: StoredCredential?) throws {
        guard let stored else {
            let status = SecItemDelete(item([:]) as CFDictionary)
            return try check(status == errSecItemNotFound ? errSecSuccess : status)
        }
        let content: [AnyHashable: Any] = [
            kSecValueData as NSString: try JSONEncoder().encode(stored),
            kSecAttrAccessible as NSString: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly as NSString,
        ]
        let status = SecItemUpdate(item([:]) as CFDictionary, NSDictionary(dictionary: content) as CFDictionary)
        guard status == errSecItemNotFound else { return try check(status) }
        try check(SecItemAdd(item(content) as CFDictionary, nil))
    }

    private func check(_ status: Int32) throws {
        if status != errSecSuccess { throw KeychainError(status: status) }
    }

    /// Returns the attributes that identify the item, and further ones.
    private func item(_ further: [AnyHashable: Any]) -> NSDictionary {
        let identity: [AnyHashable: Any] = [
            kSecClass as NSString: kSecClassGenericPassword as NSString,
            kSecAttrService as NSString: service, kSecAttrAccount as NSString: account,
        ]
        return NSDictionary(dictionary: identity.merging(further) { own, _ in own })
    }
}

extension CredentialStore where Self == StandardCredentialStore {
    /// Returns a store that keeps a credential in the system's keychain, as a generic password.
    ///
    /// Once the device has been unlocked after a restart, the app can read the item, even in the background. The item
    /// stays on this device: it is not synchronized, and a backup restores it only on the same device. On macOS, the
    /// item is in the user's login keychain.
    ///
    /// - Parameters:
    ///   - service: The service name of the keychain item, for example the app's bundle identifier.
    ///   - account: The account name of the item. Stores with the same service and account share one credential.
    public static func keychain(service: String, account: String) -> Self {
        Self(base: KeychainCredentialStore(service: service, account: account))
    }
}
#endif
