public import Foundation
public import SiestaCore

extension CredentialStore where Self == FileCredentialStore {
    /// A store that keeps the credential in an encrypted file; see ``FileCredentialStore``.
    ///
    /// Nobody can read or change the credential without the key. The module `SiestaEncryption` contains a cipher:
    ///
    /// ```swift
    /// let store: FileCredentialStore = .file(at: file, sealing: try AESGCMSealing(key: key))
    /// service.authenticate(with: BearerToken(credentials: store))
    /// ```
    ///
    /// The encryption is bound to the name of the file: a file with another name cannot replace it. If the file was
    /// altered, is not encrypted, or was encrypted with an unknown key, `load()` throws the error of the encryption.
    public static func file(at file: URL, sealing: any EntitySealing) -> Self {
        let context = Data("Siesta credential \(file.lastPathComponent)".utf8)
        return Self(
            file: file, seal: { try sealing.seal($0, context: context) },
            open: { try sealing.open($0, context: context) })
    }
}
