public import Foundation
public import SiestaCore

extension CredentialStore where Self == StandardCredentialStore {
    /// Returns a store that keeps a credential in a file. Only the system account that runs the process can access it.
    ///
    /// Without `sealing`, the file contains JSON. Every program of this account can read it, and so can anyone with a
    /// copy of the disk. On Apple platforms, prefer the keychain.
    ///
    /// With `sealing`, nobody can read the credential without the key, and the store rejects an altered file. The
    /// module `SiestaEncryption` contains a cipher:
    ///
    /// ```swift
    /// let store: StandardCredentialStore = .file(at: file, sealing: try AESGCMSealing(key: key))
    /// service.authenticate(with: .bearer(credentials: store))
    /// ```
    ///
    /// If an encrypted file is renamed, it can no longer be decrypted, because the encryption depends on its name. If
    /// the file was altered, is not encrypted, or was encrypted with an unknown key, `load()` throws the cipher's
    /// error.
    ///
    /// The store writes a credential to a new file, which then replaces the old file in one step. After a crash, the
    /// file therefore contains either the old or the new credential. The next read or write removes an incomplete new
    /// file. If the folder does not exist, the first write creates it with mode 0700. The file has mode 0600. Several
    /// stores and processes may use the same file; the last write wins.
    ///
    /// If the file or its folder does not meet these conditions, `load()` and `save(_:)` throw an error that names the
    /// file, the reason and the remedy:
    ///
    /// - The folder must belong to this account, and no other account may have permission to write to it. It must not
    ///   be a symbolic link. If its path contains symbolic links, they must belong to this account or to root (the
    ///   administrator).
    /// - The file must be a regular file that belongs to this account and has a single name (no other hard links). It
    ///   must not be a symbolic link, and no other account may have permission to read or write it.
    ///
    /// The store does not check access control lists.
    ///
    /// - Parameters:
    ///   - file: The URL of the file. The store does not access the file system before the first read or write.
    ///   - sealing: The cipher that encrypts the file. The default is nil: no encryption.
    public static func file(at file: URL, sealing: (any EntitySealing)? = nil) -> Self {
        guard let sealing else { return Self(base: FileCredentialStore(file: file)) }
        let context = Data("Siesta credential \(file.lastPathComponent)".utf8)
        let store = FileCredentialStore(
            file: file, seal: { try sealing.seal($0, context: context) },
            open: { try sealing.open($0, context: context) })
        return Self(base: store)
    }
}
