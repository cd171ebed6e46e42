import Foundation
import SiestaCaches
import SiestaCore
import SiestaSessions
import TestKit
import Testing

/// Credentials in encrypted files.
@Suite(.timeLimit(.test))
struct CredentialStoreSealingTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("siesta-\(UUID().uuidString)")
    private let stored = StoredCredential(principal: "ada", credential: Credential("s3cret", refreshToken: "s3cret"))

    private func store(_ name: String = "session", key: UInt8 = 7) -> StandardCredentialStore {
        .file(at: folder.appendingPathComponent(name), sealing: TestSealing(key: key))
    }

    @Test func `An encrypted credential can be read with the same key and name only`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try store().save(stored)
        #expect(try store().load() == stored)
        let file = folder.appendingPathComponent("session")
        let bytes = try Data(contentsOf: file)
        #expect(bytes.range(of: Data("s3cret".utf8)) == nil)
        #expect(throws: TestSealing.Refusal.self) { _ = try store(key: 8).load() }
        try FileManager.default.moveItem(at: file, to: folder.appendingPathComponent("other"))
        #expect(throws: TestSealing.Refusal.self) { _ = try store("other").load() }
    }

    @Test func `An altered or a plain file is an error`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("session")
        try StandardCredentialStore.file(at: file).save(stored)
        #expect(throws: (any Error).self) { _ = try store().load() }
        try store().save(stored)
        #expect(throws: FileSystemError.self) { _ = try StandardCredentialStore.file(at: file).load() }
        var bytes = try Data(contentsOf: file)
        bytes[bytes.startIndex + 3] ^= 1
        let handle = try FileHandle(forWritingTo: file)
        try handle.write(contentsOf: bytes)
        try handle.close()
        #expect(throws: TestSealing.Refusal.self) { _ = try store().load() }
        try store().save(nil)
        #expect(try store().load() == nil)
    }
}
