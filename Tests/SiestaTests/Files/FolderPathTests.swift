import Foundation
import SiestaCore
import TestDoubles
import TestKit
import Testing

@Suite(.timeLimit(.test))
struct FolderPathTests {
    private let folder: TemporaryFolder
    private var path: String { folder.url.path }

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `Folders with new entries are returned, the outermost first`() throws {
        #expect(try FolderPath.make(path + "/a/b/c") == [path, path + "/a", path + "/a/b"])
        #expect(try FolderPath.make(path + "/a/b/c").isEmpty)
        #expect(try FolderPath.make(path + "/a/b/d") == [path + "/a/b"])
    }

    @Test func `New folders can be accessed by this user alone`() throws {
        try FolderPath.make(path + "/a/b")
        for name in ["/a", "/a/b"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: path + name)
            #expect(attributes[.posixPermissions] as? Int == 0o700)
        }
    }

    @Test func `A folder that cannot be created is an error`() throws {
        try Data().write(to: folder.url.appendingPathComponent("file"))
        let error = #expect(throws: FileSystemError.self) { try FolderPath.make(path + "/file/a") }
        #expect(error?.code == ENOTDIR)
    }

    @Test func `Any folder can be synchronized, and nothing that is missing`() throws {
        try FolderPath.synchronize(path)
        let error = #expect(throws: FileSystemError.self) { try FolderPath.synchronize(path + "/missing") }
        #expect(error?.code == ENOENT)
    }
}
