public import Foundation
public import SiestaCore

extension CredentialStore where Self == StandardCredentialStore {
    /// Returns a store that keeps a credential in a file that only the process's user can access.
    ///
    /// The file is JSON. Without `sealing`, every program of the same user can read the file, and so can everyone who
    /// has a copy of the disk. On Apple platforms, prefer the keychain.
    ///
    /// With `sealing`, nobody can read or change the credential without the key. The module `SiestaEncryption` contains
    /// a cipher:
    ///
    /// ```swift
    /// let store: StandardCredentialStore = .file(at: file, sealing: try AESGCMSealing(key: key))
    /// service.authenticate(with: .bearer(credentials: store))
    /// ```
    ///
    /// The encryption is bound to the name of the file: a file with another name cannot replace it. If the file was
    /// altered, is not encrypted, or was encrypted with an unknown key, `load()` throws the error of the encryption.
    ///
    /// The store writes a credential to a new file, which then replaces the old file in one step. After a crash, the
    /// file therefore contains either the old or the new credential. The next read or write removes an incomplete new
    /// file. The first write creates the folder, with mode 0700. The file has mode 0600. Several stores and processes
    /// may use the same file; the last write wins.
    ///
    /// If the file or its folder does not meet these conditions, the functions throw an error that names the file, the
    /// reason and the remedy:
    ///
    /// - The folder must belong to the process's user, and no other user may have permission to write to it. It must
    ///   not be a symbolic link. Links on its path must belong to that user or to root (the administrator).
    /// - The file must be a regular file that belongs to the process's user and has a single name (no further hard
    ///   links). It must not be a symbolic link, and no other user may have permission to read or write it.
    ///
    /// The store does not check access control lists.
    ///
    /// - Parameters:
    ///   - file: The URL of the file. The store does not access the file system before the first read or write.
    ///   - sealing: The encryption of the file. The default is nil: no encryption.
    public static func file(at file: URL, sealing: (any EntitySealing)? = nil) -> Self {
        guard let sealing else { return Self(base: FileCredentialStore(file: file)) }
        let context = Data("Siesta credential \(file.lastPathComponent)".utf8)
        let store = FileCredentialStore(
            file: file, seal: { try sealing.seal($0, context: context) },
            open: { try sealing.open($0, context: context) })
        return Self(base: store)
    }
}
