import Foundation
import Testing

@testable import Siesta

/// The rule for files that a process may rely on.
@Suite(.timeLimit(.minutes(5)))
struct FileTrustTests {
    private let trust = FileTrust(users: [1000])

    private func status(_ type: mode_t, _ mode: mode_t, owner: uid_t = 1000, names: Int = 1) -> stat {
        var status = stat()
        (status.st_mode, status.st_uid, status.st_nlink) = (type | mode, owner, .init(names))
        return status
    }

    @Test func `Folders and files of one's own that nobody else can change are trusted`() {
        for mode: mode_t in [0o700, 0o755, 0o500, 0o1755] {
            #expect(trust.defect(of: status(S_IFDIR, mode, names: 7), as: .folder) == nil)
        }
        for mode: mode_t in [0o600, 0o644, 0o400] {
            #expect(trust.defect(of: status(S_IFREG, mode), as: .file) == nil)
        }
        #expect(trust.defect(of: status(S_IFREG, 0o600, names: 0), as: .file) == nil, "It was replaced meanwhile.")
    }

    @Test func `Everything else has a defect`() {
        for type in [S_IFREG, S_IFIFO, S_IFSOCK, S_IFCHR, S_IFBLK] {
            #expect(trust.defect(of: status(type, 0o700), as: .folder) == .notFolder)
        }
        for type in [S_IFDIR, S_IFIFO, S_IFSOCK, S_IFCHR, S_IFBLK] {
            #expect(trust.defect(of: status(type, 0o600), as: .file) == .notFile)
        }
        for (kind, type) in [(FileTrust.Kind.folder, S_IFDIR), (.file, S_IFREG)] {
            #expect(trust.defect(of: status(S_IFLNK, 0o700), as: kind) == .link)
            #expect(trust.defect(of: status(type, 0o700, owner: 0), as: kind) == .owner(0))
            for mode: mode_t in [0o720, 0o702, 0o777] {
                #expect(trust.defect(of: status(type, mode), as: kind) == .permissions(type | mode))
            }
        }
        #expect(trust.defect(of: status(S_IFREG, 0o600, names: 2), as: .file) == .names)
    }

    @Test func `Links are trusted if they are one's own or the administrator's`() {
        for (owner, isTrusted): (uid_t, Bool) in [(1000, true), (0, true), (1001, false)] {
            #expect(trust.trusts(link: status(S_IFLNK, 0o777, owner: owner)) == isTrusted)
        }
    }

    @Test func `What is only read may be the administrator's, and the program's owner's`() throws {
        #expect(FileTrust.own.users == [geteuid()])
        #expect(FileTrust.installed.users.isSuperset(of: [geteuid(), 0]))
        #expect(FileTrust.installed.users.count <= 3)
    }

    @Test(arguments: [
        ("/a/b", "/a/b"), ("/a/b/", "/a/b"), ("/a//b/.", "/a/b"), ("a/./b//", "a/b"), ("/", "/"), ("", "."),
        ("./", "."), ("/a/..", "/a/.."),
    ])
    func `A path has nothing after its last name that makes a link be followed`(path: String, normalized: String) {
        #expect(FolderPath.normalized(path) == normalized)
    }
}
