import CacheTorture
import Foundation
import Isolation
import LoopbackServer

import TestKit
import Testing
import Waiting

@testable import SiestaCore
@testable import SiestaNetworking

/// ``CookieStorage/file(at:)``, with each provider of the library that keeps cookies.
@MainActor @Suite(.timeLimit(.test))
final class CookieFileTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("cookies-\(UUID().uuidString)")
    private var file: URL { folder.appendingPathComponent("inner/cookies.txt") }

    init() throws {
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    private var content: String? { try? String(contentsOf: file, encoding: .utf8) }

    private func write(_ text: String, mode: Int = 0o600) throws {
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        try Data(text.utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
    }

    private func service(_ server: LoopbackServer, _ kind: String) -> Service {
        ServiceCookiesTests.service(server, kind, .file(at: file))
    }

    @Test(arguments: ServiceCookiesTests.kinds)
    func `Cookies with an end survive their service`(_ kind: String) async throws {
        let server = try ServiceCookiesTests.server()
        do {
            let service = service(server, kind)
            #expect(await service.cookies.isEmpty)
            let set = ["kept=1; Path=/; Max-Age=1000; HttpOnly", "session=1; Path=/"]
            _ = await ServiceCookiesTests.ask(service, set: set)
            try await Poll.until { content?.contains("kept\t1") == true }
            await service.context.transport.cookiesAreGone()  // Each cookie may have caused a write.
        }
        #expect(content?.contains("session") == false)
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path).count == 1)

        let second = service(server, kind)
        #expect(second.context.transport.addedFields.keepsCookies == true, "The file is not loaded yet")
        #expect((await ServiceCookiesTests.ask(second)) == "kept=1")
        #expect((await second.cookies.map(\.name)) == ["kept"])
        #expect((await second.cookies.first)?.isHTTPOnly == true)
        await second.removeCookies()
        try await Poll.until { content?.contains("kept") == false }
        #expect((await ServiceCookiesTests.ask(service(server, kind))) == "")
    }

    @Test(arguments: ServiceCookiesTests.kinds)
    func `Dropping cookies removes the file, and nothing of before is written again`(_ kind: String) async throws {
        let server = try ServiceCookiesTests.server()
        let service = service(server, kind)
        for _ in 0..<20 {
            _ = await ServiceCookiesTests.ask(service, set: ["old=1; Path=/; Max-Age=1000"])
            service.context.transport.dropCookies()
            #expect(await service.cookies.isEmpty)
            await service.context.transport.cookiesAreGone()
            #expect(content == nil)
        }
        _ = await ServiceCookiesTests.ask(service, set: ["new=1; Path=/; Max-Age=1000"])
        try await Poll.until { content?.contains("new") == true }
        #expect(content?.contains("old") == false)
        #expect((await ServiceCookiesTests.ask(self.service(server, kind))) == "new=1")
    }

    @Test(
        arguments: ServiceCookiesTests.kinds,
        ["\0\u{FFFD}\n\t\t\t\t\t\t\n", "127.0.0.1\tFALSE\t/\tFALSE\tx\ta\t1\n", ""])
    func `A damaged file is left as it is until the first change`(_ kind: String, _ text: String) async throws {
        try write(text)
        let server = try ServiceCookiesTests.server()
        let service = service(server, kind)
        #expect((await ServiceCookiesTests.ask(service)) == "")
        #expect(content == text)
        _ = await ServiceCookiesTests.ask(service, set: ["a=1; Path=/; Max-Age=1000"])
        try await Poll.until { content?.contains("a\t1") == true }
    }

    @Test(arguments: ServiceCookiesTests.kinds, [0o640, 0o604, 0o620, 0o666])
    func `A file that others can read or change is neither read nor written`(_ kind: String, _ mode: Int) async throws {
        let text = "127.0.0.1\tFALSE\t/\tFALSE\t9999999999\ta\t1\n"
        try write(text, mode: mode)
        let server = try ServiceCookiesTests.server()
        let service = service(server, kind)
        #expect((await ServiceCookiesTests.ask(service)) == "")
        _ = await ServiceCookiesTests.ask(service, set: ["b=1; Path=/; Max-Age=1000"])
        #expect((await ServiceCookiesTests.ask(service)) == "b=1")
        await service.context.transport.cookiesAreGone()
        #expect(content == text)
    }

    @Test(arguments: [0o640, 0o666])
    func `A file that others can read or change is removed`(_ mode: Int) async throws {
        try write("127.0.0.1\tFALSE\t/\tFALSE\t9999999999\ta\t1\n", mode: mode)
        let cookies = CookieFile(file)
        #expect(cookies.load(0).isEmpty)
        cookies.remove()
        await cookies.settle()
        #expect(content == nil)
    }
    @Test func `A link is neither followed nor replaced`() async throws {
        try write("127.0.0.1\tFALSE\t/\tFALSE\t9999999999\ta\t1\n")
        let target = folder.appendingPathComponent("target")
        try FileManager.default.moveItem(at: file, to: target)
        try FileManager.default.createSymbolicLink(at: file, withDestinationURL: target)
        let server = try ServiceCookiesTests.server()
        let service = service(server, "default")
        #expect((await ServiceCookiesTests.ask(service, set: ["b=1; Path=/; Max-Age=1000"])) == "")
        service.context.transport.dropCookies()
        await service.context.transport.cookiesAreGone()
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: file.path) == target.path)
        #expect(content?.contains("a\t1") == true)
    }

    @Test func `A link to nowhere is not replaced`() async throws {
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        symlink("/nowhere/target", file.path)
        await write([cookie("a", "1")], to: CookieFile(file))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: file.path) == "/nowhere/target")
    }

    #if os(Linux)
    @Test(.enabled(if: SmallDisk.isPossible, "mounting is not permitted"))
    func `A write that fails leaves the old file`() async throws {
        let disk = try SmallDisk()
        let url = disk.folder.url.appendingPathComponent("cookies.txt")
        let old = Data((cookie("old", "1").line + "\n").utf8)
        try old.write(to: url)
        chmod(url.path, 0o600)
        disk.fill()
        await write((0..<3).map { cookie("new\($0)", String(repeating: "x", count: 4000)) }, to: CookieFile(url))
        #expect(try Data(contentsOf: url) == old)
        #expect(disk.folder.files.sorted() == ["cookies.txt", "filler"])
    }

    @Test(.enabled(if: SmallDisk.isPossible, "mounting is not permitted"))
    func `After a write to a full disk, cookies are removed, and written when there is room`() async throws {
        let disk = try SmallDisk()
        let file = CookieFile(disk.folder.url.appendingPathComponent("cookies.txt"))
        func write(_ name: String, _ value: String) async {
            let cookies = [cookie(name, value)]
            file.scheduleWrite(file.generation) { cookies }
            await file.settle()
        }
        await write("old", "1")
        disk.fill()
        await write("new", String(repeating: "x", count: 4000))
        #expect(disk.folder.files.sorted() == ["cookies.txt", "filler"])
        file.remove()
        await file.settle()
        #expect(disk.folder.files == ["filler"])
        try FileManager.default.removeItem(atPath: disk.folder.path + "/filler")
        await write("later", "1")
        #expect(disk.folder.files == ["cookies.txt"])
    }

    @Test(.enabled(if: SmallDisk.isPossible, "mounting is not permitted"), arguments: [false, true])
    func `A file on a disk that cannot be written is read`(hasLeftover: Bool) async throws {
        let disk = try SmallDisk()
        let url = disk.folder.url.appendingPathComponent("cookies.txt")
        try Data((cookie("a", "1").line + "\n").utf8).write(to: url)
        chmod(url.path, 0o600)
        if hasLeftover { try Data().write(to: disk.folder.url.appendingPathComponent(".cookies.txt.new")) }
        try await disk.makeReadOnly()
        let file = CookieFile(url)
        #expect(file.mayExist)
        #expect(file.load(file.generation).map(\.name) == ["a"])
    }
    #endif

    private func cookie(_ name: String, _ value: String) -> Cookie {
        Cookie(
            name: name, value: value, domain: "a.test", includesSubdomains: false, path: "/", expires: .distantFuture,
            isSecure: false, isHTTPOnly: false)
    }

    @Test func `Cookies are removed even if the second file cannot be`() async throws {
        try write("127.0.0.1\tFALSE\t/\tFALSE\t9999999999\ta\t1\n")
        mkdir(file.deletingLastPathComponent().path + "/.cookies.txt.new", 0o700)
        let cookies = CookieFile(file)
        cookies.remove()
        await cookies.settle()
        #expect(content == nil)
    }

    @Test func `Two processes that write and read at the same time both go on`() async throws {
        let files = [CookieFile(file), CookieFile(file)]
        let (isDone, end) = (Locked(false), Gate())
        // A third process, which only reads.
        Thread.detachNewThread { [url = file as URL] in
            while !isDone.withLock({ $0 }) { _ = CookieFile(url).load(0) }
            end.open()
        }
        let cookie = cookie("a", "1")
        for _ in 0..<TestLevel.count(20, nightly: 200) {
            for file in files { file.scheduleWrite(file.generation) { [cookie] } }
            for file in files { await file.settle() }
        }
        isDone.withLock { $0 = true }
        await end.wait()
        for (file, name) in zip(files, ["first", "second"]) {
            let last = self.cookie(name, "1")
            file.scheduleWrite(file.generation) { [last] }
            await file.settle()
            #expect(content?.contains(name) == true)
        }
    }

    /// Writes cookies, and waits until the write has ended or failed. Use it once for each file.
    private func write(_ cookies: [Cookie], to file: CookieFile) async {
        await withCheckedContinuation { continuation in
            file.scheduleWrite(file.generation) {
                // A write that is scheduled during another begins after it.
                file.scheduleWrite(file.generation) {
                    continuation.resume()
                    return cookies
                }
                return cookies
            }
        }
        await file.settle()
    }

    @Test(arguments: ServiceCookiesTests.kinds)
    func `A cookie that has ended is not loaded`(_ kind: String) async throws {
        try write("127.0.0.1\tFALSE\t/\tFALSE\t1\told\t1\n127.0.0.1\tFALSE\t/\tFALSE\t9999999999\tnew\t1\n")
        let server = try ServiceCookiesTests.server()
        let service = service(server, kind)
        #expect((await ServiceCookiesTests.ask(service)) == "new=1")
        #expect((await service.cookies.map(\.name)) == ["new"])
    }

    @Test func `A line of a file and a cookie correspond`() throws {
        for line in [
            "a.test\tFALSE\t/\tFALSE\t0\tn\tv", "#HttpOnly_.a.test\tTRUE\t/x\tTRUE\t1234\tn\t",
            ".a.test\tTRUE\t/\tFALSE\t1\tn\tv=;",
        ] {
            let cookie = try #require(Cookie(line: line))
            #expect(cookie.line == line)
            #expect(Cookie(line: cookie.line) == cookie)
        }
        for line in [
            "", "# comment", "a\tFALSE\t/\tFALSE\t0\tn", "\tFALSE\t/\tFALSE\t0\tn\tv", "a\tFALSE\t/\tFALSE\t-1\tn\tv",
        ] {
            #expect(Cookie(line: line) == nil)
        }
    }
}
