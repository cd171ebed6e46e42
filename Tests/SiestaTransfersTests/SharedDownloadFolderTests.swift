import CacheTorture
import Foundation
import LoopbackServer
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing
import Waiting

@testable import SiestaTransfers

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Downloads into folders that other users and processes can write to and read.
@MainActor @Suite(.timeLimit(.test))
struct SharedDownloadFolderTests {
    private let folder: TemporaryFolder
    private let target: URL
    private let part: URL
    private let record: URL
    private let intruder: Intruder
    private nonisolated static let body = Data((0..<600_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })

    init() throws {
        folder = try TemporaryFolder()
        target = folder.url.appendingPathComponent("file")
        part = folder.url.appendingPathComponent(".file.part")
        record = folder.url.appendingPathComponent(".file.part.json")
        intruder = try Intruder(in: folder.url, files: [])
    }

    private func download(_ url: URL) async -> RequestError? {
        await Service(baseURL: url).resource("/").download(to: target).completion().failure
    }

    private func mode(_ file: URL) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
    }

    // MARK: Secrets

    @Test func `Parts are for the user alone, and a complete file is as any new one`() async throws {
        let server = try FileServer(.init(body: Self.body, cut: 300_000))
        #expect(await download(server.url) != nil)
        #expect(try mode(part) == 0o600)
        #expect(try mode(record) == 0o600)
        chmod(part.path, 0o644)  // as an older version leaves it
        server.change { $0.cut = 250_000 }
        #expect(await download(server.url) != nil)
        #expect(try mode(part) == 0o600)
        server.change { $0.cut = nil }
        #expect(await download(server.url) == nil)
        #expect(FileManager.default.createFile(atPath: folder.url.path + "/new", contents: nil))
        #expect(try mode(target) == mode(folder.url.appendingPathComponent("new")))
        #expect(try Data(contentsOf: target) == Self.body)
    }

    @Test func `Neither users nor passwords nor signatures of a URL are on the disk`() async throws {
        let server = try FileServer(.init(body: Self.body, cut: 300_000))
        var parts = try #require(URLComponents(url: server.url, resolvingAgainstBaseURL: false))
        (parts.user, parts.password, parts.path, parts.query) = ("zoe", "s3cret", "/signed/t0ken", "signature=abcdef")
        let url = try #require(parts.url)
        func resource() -> Resource { Service(baseURL: server.url).resource(absoluteURL: url) }
        #expect(await resource().download(to: target).completion().failure != nil)
        let text = try String(contentsOf: record, encoding: .utf8)
        for secret in ["zoe", "s3cret", "t0ken", "signature", "127.0.0.1", "http"] { #expect(!text.contains(secret)) }
        #expect(try !folder.files.contains { $0.contains("s3cret") })
        server.change { $0.cut = nil }
        #expect(await resource().download(to: target).completion().failure == nil)
        #expect(server.ranges.count == 2 && server.ranges[1] != nil)
    }

    @Test func `A part of the same file with another query, user or path is not gone on with`() async throws {
        let server = try FileServer(.init(body: Self.body))
        for other in ["?a", "x", "?a=2"] {
            server.change { $0.cut = 300_000 }
            #expect(await download(server.url) != nil)
            server.change { $0.cut = nil }
            let url = try #require(URL(string: server.url.absoluteString + other))
            #expect(await Service().resource(absoluteURL: url).download(to: target).completion().failure == nil)
            #expect(server.ranges.last == .some(nil))
        }
    }

    // MARK: Planted files

    enum Plant: CaseIterable {
        case link, linkToFolder, brokenLink, secondName, owner, folder, pipe
    }

    @Test(arguments: Plant.allCases)
    func `What another user puts in the place of the part is neither written nor read`(plant: Plant) async throws {
        guard plant != .owner || Intruder.canGiveAway else { return }
        let server = try FileServer(.init(body: Self.body))
        let old = try folder.file("file", Data("old".utf8))
        let other = try folder.file("other", Data("precious".utf8))
        switch plant {
        case .link: try intruder.plantLink(at: part.path, to: "old")
        case .linkToFolder: try intruder.plantLink(at: part.path)
        case .brokenLink: symlink(folder.url.path + "/nothing", part.path)
        case .secondName: link(other.path, part.path)
        case .owner:
            try FileManager.default.moveItem(at: other, to: part)
            try Data("precious".utf8).write(to: other)
            Intruder.giveAway(part.path)
        case .folder: mkdir(part.path, 0o700)
        case .pipe: mkfifo(part.path, 0o600)
        }
        let error = await download(server.url)
        let failure = try #require(error?.cause as? RequestError.Failure)
        let code = (failure.underlyingError as? POSIXError)?.code
        #expect([.ELOOP, .EPERM, .EINVAL].contains(code))
        #expect(server.requests.isEmpty)
        #expect(intruder.isVictimUnharmed)
        #expect(try Data(contentsOf: old) == Data("old".utf8))
        #expect(try Data(contentsOf: other) == Data("precious".utf8))
        #expect(!FileManager.default.fileExists(atPath: folder.url.path + "/nothing"))
    }

    @Test func `A part of one's own that others can write is not gone on with, and nobody can write the next one`()
        async throws
    {
        let server = try FileServer(.init(body: Self.body, cut: 300_000))
        #expect(await download(server.url) != nil)
        chmod(part.path, 0o666)
        let theirs = try FileHandle(forUpdating: part)
        server.change { $0.cut = nil }
        #expect(await download(server.url) == nil)
        try theirs.write(contentsOf: Data("planted".utf8))
        #expect(try Data(contentsOf: target) == Self.body)
        #expect(server.ranges == [nil, nil])
    }

    @Test(arguments: Plant.allCases)
    func `What another user puts in the place of a part's record is neither written nor read`(plant: Plant) async throws
    {
        guard plant != .owner || Intruder.canGiveAway else { return }
        let server = try FileServer(.init(body: Self.body, cut: 300_000))
        #expect(await download(server.url) != nil)
        let other = folder.url.appendingPathComponent("other")
        try FileManager.default.moveItem(at: record, to: other)
        let content = try Data(contentsOf: other)
        switch plant {
        case .link: symlink(other.path, record.path)
        case .linkToFolder: try intruder.plantLink(at: record.path)
        case .brokenLink: symlink(folder.url.path + "/nothing", record.path)
        case .secondName: link(other.path, record.path)
        case .owner:
            try content.write(to: record)
            Intruder.giveAway(record.path)
        case .folder: mkdir(record.path, 0o700)
        case .pipe: mkfifo(record.path, 0o600)
        }
        server.change { $0.cut = nil }
        let error = await download(server.url)
        if plant == .folder {
            #expect(error?.code == .fileNotWritten)
        } else {
            #expect(error == nil)
            #expect(try Data(contentsOf: target) == Self.body)
        }
        #expect(server.ranges == [nil, nil])
        #expect(try Data(contentsOf: other) == content)
        #expect(intruder.isVictimUnharmed)
        #expect(!FileManager.default.fileExists(atPath: folder.url.path + "/nothing"))
    }

    @Test func `A file that takes the place of the part while it is written does not become the target`() async throws {
        let (sent, replaced, body) = (Gate(), Gate(), Self.body)
        let server = try LoopbackServer { exchange in
            try exchange.send("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n")
            try exchange.send(body.prefix(1000))
            sent.open()
            try exchange.wait(for: replaced)
            try exchange.send(body.dropFirst(1000))
        }
        _ = try folder.file("file", Data("old".utf8))
        let request = Service(baseURL: server.url()).resource("/").download(to: target)
        await sent.wait()
        try await Poll.until { (try? Data(contentsOf: part).isEmpty) == false }
        try FileManager.default.removeItem(at: part)
        try Data("planted".utf8).write(to: part)
        replaced.open()
        #expect(await request.completion().failure?.code == .fileNotWritten)
        #expect(try Data(contentsOf: target) == Data("old".utf8))
    }

    @Test func `A link in the place of the target is replaced, and not followed`() async throws {
        let server = try FileServer(.init(body: Self.body))
        try intruder.plantLink(at: target.path, to: "old")
        #expect(await download(server.url) == nil)
        #expect(intruder.isVictimUnharmed)
        #expect(try target.resourceValues(forKeys: [.isSymbolicLinkKey]).isSymbolicLink == false)
    }

    // MARK: Other processes

    @Test func `A part that another process writes is left alone`() async throws {
        let server = try FileServer(.init(body: Self.body))
        _ = try folder.file(".file.part", Data("theirs".utf8))
        let handle = try FileHandle(forUpdating: part)
        #expect(flock(handle.fileDescriptor, LOCK_EX | LOCK_NB) == 0)
        let error = await download(server.url)
        #expect(((error?.cause as? RequestError.Failure)?.underlyingError as? POSIXError)?.code == .EAGAIN)
        #expect(try Data(contentsOf: part) == Data("theirs".utf8))
        #expect(server.requests.isEmpty)
        flock(handle.fileDescriptor, LOCK_UN)  // a child of another test may still have the descriptor
        try handle.close()
        #expect(await download(server.url) == nil)
    }

    @Test func `A part that another process has changed before the response is not continued`() async throws {
        let server = try FileServer(.init(body: Self.body, cut: 300_000))
        #expect(await download(server.url) != nil)
        server.change { content in
            content.cut = nil
            content.answersRange = { [part] _, _ in
                let handle = try FileHandle(forUpdating: part)
                try handle.seekToEnd()
                try handle.write(contentsOf: Data("theirs".utf8))
                try handle.close()
                return false
            }
        }
        let error = await download(server.url)
        #expect(((error?.cause as? RequestError.Failure)?.underlyingError as? POSIXError)?.code == .EAGAIN)
        #expect(!FileManager.default.fileExists(atPath: target.path))
    }

    @Test func `A link in place of the part is not followed`() async throws {
        let server = try FileServer(.init(body: Self.body))
        let victim = try folder.file("victim", Data("precious".utf8))
        try FileManager.default.createSymbolicLink(at: part, withDestinationURL: victim)
        #expect(await download(server.url)?.code == .fileNotWritten)
        #expect(try Data(contentsOf: victim) == Data("precious".utf8))
    }

    // MARK: Cancellation near the end

    @Test func `A download that is cancelled at the end has either replaced its target and succeeded, or neither`()
        async throws
    {
        let body = Data("new".utf8)
        let server = try TwoStepServer(body)
        var gates = server.gates.makeAsyncIterator()
        let resource = Service(baseURL: server.url).resource("/")
        var outcomes: Set<Bool> = []
        for round in 0..<TestLevel.count(80, nightly: 400) {
            try Data("old".utf8).write(to: target)
            let request = resource.download(to: target)
            let rest = try #require(await gates.next())
            try await Poll.until { (try? Data(contentsOf: part).isEmpty) == false }
            rest.open()
            await Moment.after(.microseconds(round % 40 * 50))
            request.cancel()
            let isReplacedAtOnce = try Data(contentsOf: target) == body
            let isSuccess = await request.completion().failure == nil
            // Waits for the end of the download.
            FileQueue.shared.end(await FileQueue.shared.waitForAccess(to: target) {})
            let isReplaced = try Data(contentsOf: target) == body
            #expect(isSuccess == isReplaced, "round \(round)")
            #expect(isReplaced == isReplacedAtOnce, "round \(round)")
            outcomes.insert(isSuccess)
        }
        #expect(outcomes.contains(false))
    }

    @Test func `A task that is cancelled at the end gets the file, or an error and none`() async throws {
        let body = Data("new".utf8)
        let server = try TwoStepServer(body)
        var gates = server.gates.makeAsyncIterator()
        let resource = Service(baseURL: server.url).resource("/")
        for round in 0..<TestLevel.count(40, nightly: 200) {
            try Data("old".utf8).write(to: target)
            let request = resource.download(to: target)
            let waiting = Task { await request.response.failure == nil }
            let rest = try #require(await gates.next())
            try await Poll.until { (try? Data(contentsOf: part).isEmpty) == false }
            rest.open()
            await Moment.after(.microseconds(round % 40 * 50))
            waiting.cancel()
            let isSuccess = await waiting.value
            FileQueue.shared.end(await FileQueue.shared.waitForAccess(to: target) {})
            #expect(try isSuccess == (Data(contentsOf: target) == body), "round \(round)")
        }
    }
}

/// A server that sends a body without its last byte, and that byte when the test opens the gate of the exchange.
private final class TwoStepServer: Sendable {
    let gates: AsyncStream<Gate>
    private let server: LoopbackServer

    init(_ body: Data) throws {
        let (gates, continuation) = AsyncStream.makeStream(of: Gate.self)
        self.gates = gates
        server = try LoopbackServer { exchange in
            try exchange.send("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n")
            try exchange.send(body.dropLast())
            let gate = Gate()
            continuation.yield(gate)
            try exchange.wait(for: gate)
            try exchange.send(body.suffix(1))
        }
    }

    var url: URL { server.url() }
}
