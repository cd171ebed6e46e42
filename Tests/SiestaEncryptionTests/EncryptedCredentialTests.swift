#if Encryption
import Foundation
import SiestaCaches
import SiestaCore
import SiestaEncryption
import SiestaSessions
import TestKit
import Testing

/// Credentials in files with real encryption.
@Suite(.timeLimit(.model))
struct EncryptedCredentialTests {
    @Test func `A credential is encrypted, and is read with its key only`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("siesta-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("session")
        let key = try AESGCMSealing.newKey()
        let stored = StoredCredential(principal: "ada", credential: Credential("s3cret", refreshToken: "s3cret"))
        try StandardCredentialStore.file(at: file, sealing: try AESGCMSealing(key: key)).save(stored)
        #expect(try Data(contentsOf: file).range(of: Data("s3cret".utf8)) == nil)
        #expect(try StandardCredentialStore.file(at: file, sealing: try AESGCMSealing(key: key)).load() == stored)
        let other = StandardCredentialStore.file(at: file, sealing: try AESGCMSealing(key: AESGCMSealing.newKey()))
        #expect(throws: SealingError.self) { _ = try other.load() }
    }
}
#endif
