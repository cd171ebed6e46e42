import Foundation
import SiestaCore
import TestDoubles
import TestKit
import Testing
import Waiting

/// The lock on a folder. Every user who may read the folder can take it.
@Suite(.timeLimit(.test))
struct FolderLockTests {
    @Test func `A lock that another process keeps holds up nobody for ever`() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        #expect(mkdir(path, 0o755) == 0)
        defer { rmdir(path) }
        let folder = try #require(try Folder.open(path))
        let other = open(path, O_RDONLY | O_DIRECTORY)
        defer { close(other) }
        #expect(flock(other, LOCK_EX) == 0)
        var isDone = false
        folder.whileLocked(attempts: 3) { isDone = true }
        #expect(isDone)
        #expect(flock(other, LOCK_EX | LOCK_NB) == 0, "the other process still has the lock")
    }

    @Test func `A lock that another process gives up is taken`() throws {
        let folder = try TemporaryFolder()
        let locked = try #require(try Folder.open(folder.url.path))
        let other = open(folder.url.path, O_RDONLY | O_DIRECTORY)
        defer { close(other) }
        #expect(flock(other, LOCK_EX) == 0)
        Moment.after(.milliseconds(30)) { flock(other, LOCK_UN) }
        locked.whileLocked(attempts: .max) {
            #expect(flock(other, LOCK_EX | LOCK_NB) != 0, "the folder was not locked")
        }
        #expect(flock(other, LOCK_EX | LOCK_NB) == 0, "the folder is still locked")
    }
}
