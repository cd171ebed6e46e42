package import Foundation
import JSONCoding
import SiestaCore

/// A store in a file that only the system account of the process can access; see `file(at:sealing:)` of
/// ``StandardCredentialStore``.
package struct FileCredentialStore: CredentialStore {
    private let file: URL
    private let seal: @Sendable (Data) throws -> Data
    private let open: @Sendable (Data) throws -> Data

    /// The maximum size of the file, in bytes.
    static let sizeLimit = 1 << 20

    /// Creates a store. The store does not access the file system before the first read or write.
    package init(file: URL) {
        self.init(file: file, seal: { $0 }, open: { $0 })
    }

    /// Creates a store with encryption.
    ///
    /// - Parameters:
    ///   - seal: Encrypts the content of the file.
    ///   - open: Decrypts a result of `seal`.
    package init(
        file: URL, seal: @escaping @Sendable (Data) throws -> Data, open: @escaping @Sendable (Data) throws -> Data
    ) {
        (self.file, self.seal, self.open) = (file, seal, open)
    }

    private var name: String { file.lastPathComponent }
    /// The name of the new file until it replaces the old one.
    private var newName: String { ".\(name).new" }
    private var folder: String { FolderPath.parent(of: FolderPath.normalized(file.path)) }

    // MARK: Reading

    /// Returns the saved credential; nil if there is no file.
    ///
    /// - Throws: An error that names the file if the file cannot or must not be read, or contains no credential. If decryption
    ///   fails, the error of the decryption. The errors contain no part of the file.
    package func load() throws -> StoredCredential? {
        guard let folder = try Folder.open(folder) else { return nil }
        if folder.has(newName) { folder.whileLocked { _ = try? folder.remove(newName) } }  // remained after a crash
        try folder.checkFile(name)
        guard let (file, status) = try folder.file(name) else { return nil }
        defer { file.close() }
        if status.mode & 0o077 != 0 { throw FileSystemError("read", file.path, .readable(status.mode)) }
        guard status.size <= Self.sizeLimit else { throw FileSystemError("read", file.path, code: EFBIG) }
        let content = try open(try file.contents(count: status.size))
        guard let saved = try? JSONCoding.decode(Format.self, from: content), saved.version == Format.current else {
            throw FileSystemError("read", file.path, .content)
        }
        return saved.stored
    }

    // MARK: Writing

    /// Writes the credential, and waits until it survives a power failure. If `stored` is nil, removes the file.
    ///
    /// - Throws: An error that names the file if the file cannot be written, is a link, a folder or a file of another user,
    ///   or would be larger than 1 MB. If encryption fails, the error of the encryption. If this method throws, the old
    ///   file remains, unless only writing the folder to the disk has failed.
    package func save(_ stored: StoredCredential?) throws {
        guard let stored else { return try remove() }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let content = try seal(try encoder.encode(Format(version: Format.current, stored: stored)))
        guard content.count <= Self.sizeLimit else { throw FileSystemError("write", file.path, code: EFBIG) }
        let changed = try FolderPath.make(folder)
        guard let folder = try Folder.open(folder) else { throw FileSystemError("open", folder, code: ENOENT) }
        try folder.whileLocked {
            try check(folder)
            try write(content, in: folder)
        }
        // The credential is saved. This user may not be allowed to open the parent folders.
        for parent in changed { try? FolderPath.synchronize(parent) }
    }

    /// Throws if there is something that a new file should not replace. Permissions are no reason, because the new file
    /// has its own.
    private func check(_ folder: Folder) throws {
        guard let status = folder.status(of: name), let defect = folder.trust.defect(of: status, as: .file) else {
            return
        }
        switch defect {
        case .permissions, .names: return
        default: throw FileSystemError("write", folder.path(of: name), defect)
        }
    }

    private func write(_ content: Data, in folder: Folder) throws {
        try folder.remove(newName)  // remained after a crash
        let file = try folder.newFile(newName)
        do {
            defer { file.close() }
            try file.append(content)
            try file.synchronize()
            try folder.move(newName, to: folder, as: name)
        } catch {
            _ = try? folder.remove(newName)
            throw error
        }
        try folder.synchronize()
    }

    private func remove() throws {
        guard let folder = try Folder.open(folder) else { return }
        try folder.whileLocked {
            let isRemoved = try folder.remove(name)
            try folder.remove(newName)
            if isRemoved { try folder.synchronize() }
        }
    }

    /// The content of the file.
    private struct Format: Codable {
        static let current = 1

        let version: Int
        let stored: StoredCredential
    }
}
