import CacheTorture
import Foundation
import SiestaCore
import TestDoubles
import TestKit
import Testing

@testable import SiestaSessions

/// Credentials in files.
@Suite(.timeLimit(.test))
struct FileCredentialStoreTests {
    private let folder: TemporaryFolder
    private let stored = StoredCredential(
        principal: "ada",
        credential: Credential(
            "s3cret", refreshToken: "s3cret-r", expirationDate: Date(timeIntervalSinceReferenceDate: 1.25),
            details: ["scope": "a\u{0} é"]))

    init() throws {
        folder = try TemporaryFolder()
        chmod(folder.url.path, 0o700)
    }

    private var store: FileCredentialStore { FileCredentialStore(file: file) }
    private var file: URL { folder.url.appendingPathComponent("session") }

    private func mode(_ url: URL) -> mode_t? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
        return (attributes?[.posixPermissions] as? NSNumber).map { mode_t($0.uint32Value) }
    }

    private func refusal(_ body: () throws -> Void) -> FileSystemError? {
        #expect(throws: FileSystemError.self) { try body() }
    }

    @Test func `A credential is saved, replaced and removed`() throws {
        #expect(try store.load() == nil)
        try store.save(stored)
        #expect(try store.load() == stored)
        #expect(mode(file) == 0o600)
        var second = stored
        second.credential = Credential(user: "ada", password: "engine")
        try store.save(second)
        #expect(try StandardCredentialStore.file(at: file).load() == second)
        #expect(try folder.files == ["session"])
        try store.save(nil)
        try store.save(nil)
        #expect(try store.load() == nil)
        #expect(try folder.files.isEmpty)
    }

    @Test func `A credential that is too large to be read again is not saved`() throws {
        try store.save(stored)
        var large = stored
        large.credential.secret = String(repeating: "a", count: FileCredentialStore.sizeLimit)
        #expect(refusal { try store.save(large) }?.code == EFBIG)
        #expect(try store.load() == stored)
    }

    @Test func `Missing folders are created for this user only`() throws {
        let file = folder.url.appendingPathComponent("a/b/session")
        let store = FileCredentialStore(file: file)
        #expect(try store.load() == nil)
        try store.save(nil)
        #expect(try folder.files.isEmpty)
        try store.save(stored)
        #expect(try store.load() == stored)
        for name in ["a", "a/b"] { #expect(mode(folder.url.appendingPathComponent(name)) == 0o700) }
    }

    @Test(arguments: [0o644, 0o640, 0o604, 0o660, 0o602, 0o666, 0o610] as [mode_t])
    func `A file that others can read or write is not read, and is replaced`(mode: mode_t) throws {
        try store.save(stored)
        chmod(file.path, mode)
        let error = refusal { _ = try store.load() }
        #expect(error?.path == file.path)
        #expect(error?.refusal?.contains("other users") == true)
        #expect(error?.refusal?.contains("chmod") == true)
        try store.save(stored)
        #expect(self.mode(file) == 0o600)
        #expect(try store.load() == stored)
    }

    @Test(arguments: [0o777, 0o770, 0o1777] as [mode_t])
    func `A folder that others can change is refused`(mode: mode_t) throws {
        try store.save(stored)
        chmod(folder.url.path, mode)
        for error in [
            refusal { _ = try store.load() }, refusal { try store.save(stored) }, refusal { try store.save(nil) },
        ] {
            #expect(error?.refusal?.contains("chmod go-w") == true)
        }
        chmod(folder.url.path, 0o700)
        #expect(try store.load() == stored)
    }

    @Test func `A link is neither followed nor replaced, but removed`() throws {
        let target = folder.url.appendingPathComponent("target")
        try FileCredentialStore(file: target).save(stored)
        for path in [target.path, "/nowhere"] {
            symlink(path, file.path)
            #expect(refusal { _ = try store.load() }?.refusal?.contains("symbolic link") == true)
            #expect(refusal { try store.save(stored) }?.refusal?.contains("symbolic link") == true)
            try store.save(nil)
            #expect(mode(file) == nil)
        }
        #expect(try FileCredentialStore(file: target).load() == stored)
    }

    @Test func `A folder that is a link is refused`() throws {
        let link = folder.url.appendingPathComponent("link")
        try FileManager.default.createDirectory(
            at: folder.url.appendingPathComponent("real"), withIntermediateDirectories: false)
        symlink("real", link.path)
        let store = FileCredentialStore(file: link.appendingPathComponent("session"))
        #expect(refusal { _ = try store.load() }?.refusal?.contains("symbolic link") == true)
        #expect(refusal { try store.save(stored) }?.refusal?.contains("symbolic link") == true)
    }

    @Test func `A folder or a pipe is no file`() throws {
        mkdir(file.path, 0o700)
        #expect(refusal { _ = try store.load() }?.refusal == "is not a regular file")
        #expect(refusal { try store.save(stored) }?.refusal == "is not a regular file")
        rmdir(file.path)
        mkfifo(file.path, 0o600)
        #expect(refusal { _ = try store.load() }?.refusal == "is not a regular file")
    }

    @Test func `A file with a second name is refused`() throws {
        try store.save(stored)
        link(file.path, folder.url.appendingPathComponent("other").path)
        #expect(refusal { _ = try store.load() }?.refusal?.contains("several names") == true)
    }

    @Test(.enabled(if: geteuid() == 0, "Only root can give a file to another user"))
    func `A file of another user is refused`() throws {
        try store.save(stored)
        chown(file.path, 12345, 12345)
        #expect(refusal { _ = try store.load() }?.refusal?.contains("belongs to user 12345") == true)
        #expect(refusal { try store.save(stored) }?.refusal?.contains("belongs to user 12345") == true)
    }

    @Test func `Other content is an error that does not contain it`() throws {
        var contents = ["", "{", "null", "s3cret", #"{"version":1}"#, #"{"version":2,"stored":{}}"#, "\0\u{FFFD}"]
        contents.append(String(repeating: "[", count: 100_000))
        for content in contents {
            try Data(content.utf8).write(to: file)
            chmod(file.path, 0o600)
            let error = refusal { _ = try store.load() }
            #expect(error?.refusal == "has no valid content: remove it")
            #expect(error?.description.contains("s3cret") == false)
        }
        try store.save(stored)
        #expect(try store.load() == stored)
    }

    @Test func `A file of another version is not read`() throws {
        try store.save(stored)
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text.contains(#""version":1"#))
        try Data(text.replacing(#""version":1"#, with: #""version":2"#).utf8).write(to: file)
        chmod(file.path, 0o600)
        #expect(refusal { _ = try store.load() }?.refusal == "has no valid content: remove it")
    }

    @Test func `A file is not larger than the limit`() throws {
        try Data(count: FileCredentialStore.sizeLimit + 1).write(to: file)
        chmod(file.path, 0o600)
        #expect(refusal { _ = try store.load() }?.code == EFBIG)
    }

    @Test func `The remains of a crash are removed, and never read`() throws {
        let remains = folder.url.appendingPathComponent(".session.new")
        for hasLink in [false, true] {
            if hasLink { symlink("/nowhere", remains.path) } else { try Data("s3cret".utf8).write(to: remains) }
            #expect(try store.load() == nil)
            #expect(try folder.files.isEmpty)
            try Data().write(to: remains)
            try store.save(stored)
            #expect(try folder.files == ["session"])
            try Data().write(to: remains)
            #expect(try store.load() == stored)
            #expect(try folder.files == ["session"])
            try Data().write(to: remains)
            try store.save(nil)
            #expect(try folder.files.isEmpty)
        }
    }

    @Test func `A credential is removed even if the remains of a crash cannot be`() throws {
        try store.save(stored)
        mkdir(folder.url.appendingPathComponent(".session.new").path, 0o700)
        #expect(throws: FileSystemError.self) { try store.save(nil) }
        #expect(mode(file) == nil)
    }

    @Test func `A failed write leaves the old credential`() throws {
        try store.save(stored)
        struct Failure: Error {}
        let broken = FileCredentialStore(file: file, seal: { _ in throw Failure() }, open: { $0 })
        #expect(throws: Failure.self) { try broken.save(StoredCredential(principal: "b", credential: Credential("b"))) }
        #expect(try store.load() == stored)
        #expect(try folder.files == ["session"])
    }

    #if os(Linux)
    @Test(.enabled(if: SmallDisk.isPossible, "mounting is not permitted"))
    func `A write to a full disk leaves the old credential`() throws {
        let disk = try SmallDisk()
        let store = FileCredentialStore(file: disk.folder.url.appendingPathComponent("session"))
        try store.save(stored)
        disk.fill()
        var large = stored
        large.credential.secret = String(repeating: "x", count: 10_000)
        #expect(throws: FileSystemError.self) { try store.save(large) }
        #expect(try store.load() == stored)
        #expect(disk.folder.files.sorted() == ["filler", "session"])
    }

    @Test(.enabled(if: SystemTrace.isPossible, "strace is not installed"))
    func `A credential is on the disk before it gets its name, and then the name is`() async throws {
        let (path, trace) = (file.path, folder.url.appendingPathComponent("trace").path)
        await #expect(processExitsWith: .success) {
            [path = path as String, trace = trace as String] in
            let store = FileCredentialStore(file: URL(fileURLWithPath: path))
            try store.save(StoredCredential(principal: "ada", credential: Credential("old")))
            try SystemTrace.begin(trace, calls: "fsync,fdatasync,rename,renameat,renameat2")
            try store.save(StoredCredential(principal: "ada", credential: Credential("new")))
            exit(0)
        }
        let lines = try await SystemTrace.lines(of: trace)
        #expect(lines.compactMap { $0.firstMatch(of: /(sync|rename)[a-z0-9]*\(/)?.1 } == ["sync", "rename", "sync"])
    }
    #endif

    @Test func `Several writers leave a complete credential`() async throws {
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask {
                    let credential = Credential(String(repeating: "\(number) ", count: 500))
                    try? store.save(StoredCredential(principal: "\(number)", credential: credential))
                    let found = try? store.load()
                    #expect(found?.credential.secret == found.map { String(repeating: "\($0.principal) ", count: 500) })
                }
            }
        }
        #expect(try store.load() != nil)
        #expect(try folder.files == ["session"])
    }

    @Test func `The memory store keeps nothing`() throws {
        let store: StandardCredentialStore = .memory
        try store.save(stored)
        #expect(try store.load() == nil)
    }
}
