import Foundation
import Testing

@testable import Siesta

/// The lock on a folder. Every user who may read the folder can take it.
@Suite(.timeLimit(.minutes(5)))
struct FolderLockTests {
    @Test func `A lock that another process keeps holds up nobody for ever`() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        #expect(mkdir(path, 0o755) == 0)
        defer { rmdir(path) }
        let folder = try #require(try Folder.open(path))
        let other = open(path, O_RDONLY | O_DIRECTORY)
        defer { close(other) }
        #expect(flock(other, LOCK_EX) == 0)
        let clock = ContinuousClock()
        var isDone = false
        let duration = clock.measure { folder.whileLocked(attempts: 20) { isDone = true } }
        #expect(isDone)
        #expect(duration > .milliseconds(150))
        #expect(flock(other, LOCK_EX | LOCK_NB) == 0, "the other process still has the lock")
    }
}
