import Foundation
import Isolation

import TestDoubles
import TestKit
import Testing

@testable import SiestaCore
@testable import SiestaNetworking

/// The rule for files that a process may rely on.
@Suite(.timeLimit(.test))
struct FileTrustTests {
    private let trust = FileTrust(users: [1000])

    private func defect(
        _ type: mode_t, _ mode: mode_t, owner: uid_t = 1000, names: Int = 1, as kind: FileTrust.Kind
    ) -> FileTrust.Defect? {
        trust.defect(mode: type | mode, owner: owner, names: names, as: kind)
    }

    @Test func `Folders and files of one's own that nobody else can change are trusted`() {
        for mode: mode_t in [0o700, 0o755, 0o500, 0o1755] {
            #expect(defect(S_IFDIR, mode, names: 7, as: .folder) == nil)
        }
        for mode: mode_t in [0o600, 0o644, 0o400] {
            #expect(defect(S_IFREG, mode, as: .file) == nil)
        }
        #expect(defect(S_IFREG, 0o600, names: 0, as: .file) == nil, "It was replaced meanwhile.")
    }

    @Test func `Everything else has a defect`() {
        for type in [S_IFREG, S_IFIFO, S_IFSOCK, S_IFCHR, S_IFBLK] {
            #expect(defect(type, 0o700, as: .folder) == .notFolder)
        }
        for type in [S_IFDIR, S_IFIFO, S_IFSOCK, S_IFCHR, S_IFBLK] {
            #expect(defect(type, 0o600, as: .file) == .notFile)
        }
        for (kind, type) in [(FileTrust.Kind.folder, S_IFDIR), (.file, S_IFREG)] {
            #expect(defect(S_IFLNK, 0o700, as: kind) == .link)
            #expect(defect(type, 0o700, owner: 0, as: kind) == .owner(0))
            for mode: mode_t in [0o720, 0o702, 0o777] {
                #expect(defect(type, mode, as: kind) == .permissions(type | mode))
            }
        }
        #expect(defect(S_IFREG, 0o600, names: 2, as: .file) == .names)
    }

    @Test func `Links are trusted if they are one's own or the administrator's`() {
        for (owner, isTrusted): (uid_t, Bool) in [(1000, true), (0, true), (1001, false)] {
            #expect(trust.trusts(linkOf: owner) == isTrusted)
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

    #if os(Linux)
    @Test(.enabled(if: geteuid() == 0, "Only the administrator can make links of other users."))
    func `A link that takes the place of a folder on the way is not followed unless it is trusted`() throws {
        let folder = try TemporaryFolder()
        let (way, other) = (folder.url.path + "/way", folder.url.path + "/other")
        for path in [way + "/cache", other + "/cache"] { try FolderPath.make(path) }
        try Data().write(to: URL(fileURLWithPath: other + "/cache/file"))
        try #require(
            symlink(other, folder.url.path + "/link") == 0 && lchown(folder.url.path + "/link", 12_345, 12_345) == 0)
        let (isOver, ended) = (Locked(false), DispatchSemaphore(value: 0))
        Thread.detachNewThread {
            while !isOver.withLock({ $0 }) {
                for (old, new) in [("way", "kept"), ("link", "way"), ("way", "link"), ("kept", "way")] {
                    rename("\(folder.url.path)/\(old)", "\(folder.url.path)/\(new)")
                }
            }
            ended.signal()
        }
        defer {
            isOver.withLock { $0 = true }
            ended.wait()
        }
        var (opened, refused) = (0, 0)
        var count = 0
        while count < 20_000 || opened == 0 || refused == 0 {
            count += 1
            do {
                guard let cache = try Folder.open(way + "/cache") else { continue }
                opened += 1
                try #require(!cache.has("file"))
            } catch let error as FileSystemError {
                refused += 1
                #expect([EPERM, ENOTDIR].contains(error.code), "\(error)")  // ENOTDIR: changed after the check
            }
        }
    }

    @Test func `Links of one's own on the way are followed, in circles a few times alone`() throws {
        let folder = try TemporaryFolder()
        let path = folder.url.path
        try FolderPath.make(path + "/a/b/cache")
        try Data().write(to: URL(fileURLWithPath: path + "/a/b/cache/file"))
        for (link, target) in [
            ("down", "a/b"), ("absolute", path + "/a"), ("a/up", "../down"), ("self", "self"), ("missing", "nowhere"),
        ] {
            try #require(symlink(target, "\(path)/\(link)") == 0)
        }
        for way in ["down", "absolute/b", "a/up", "a/../down", "./a/.//b"] {
            #expect(try Folder.open("\(path)/\(way)/cache")?.has("file") == true, "\(way)")
        }
        #expect(try Folder.open(path + "/missing/cache") == nil)
        #expect(throws: FileSystemError.self) { try Folder.open(path + "/self/cache") }
        #expect(throws: FileSystemError.self) { try Folder.open(path + "/a/b/cache/file/cache") }
        #expect(throws: FileSystemError.self) { try Folder.open(path + "/down") }
    }
    #endif
}
