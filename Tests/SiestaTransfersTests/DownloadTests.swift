import CacheTorture
import Foundation
import LoopbackServer
import SiestaCore
import SiestaTesting
import SiestaTransfers
import TestDoubles
import TestKit
import Testing
import Waiting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Downloads to files, from a server on the loopback interface.
@MainActor @Suite(.timeLimit(.test))
struct DownloadTests {
    let folder: TemporaryFolder
    let target: URL
    nonisolated static let body = Data((0..<1_500_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })
    nonisolated static let other = Data((0..<1_400_000).map { UInt8(truncatingIfNeeded: $0 &* 17 >> 2) })

    init() throws {
        folder = try TemporaryFolder()
        target = folder.url.appendingPathComponent("file")
    }

    func resource(_ url: URL, _ transport: NetworkingKind = .platform) -> Resource {
        Service(baseURL: url, networking: transport.networking).resource("/")
    }

    func download(
        _ server: FileServer, resuming: Bool = true, _ transport: NetworkingKind = .platform
    ) async -> ResponseInfo {
        await resource(server.url, transport).download(to: target, resuming: resuming).completion()
    }

    var content: Data {
        get throws { try Data(contentsOf: target) }
    }

    // MARK: Complete downloads

    @Test(arguments: NetworkingKind.allCases)
    func `A file appears when it is complete, and nothing else is left`(_ transport: NetworkingKind) async throws {
        let server = try FileServer(.init(body: Self.body, headers: ["ETag: \"1\"", "Content-Type: video/mp4"]))
        _ = try folder.file("file", Data("old".utf8))
        let entity = try await resource(server.url, transport).download(to: target).value
        #expect(entity.content as? URL == target)
        #expect(entity.header(forKey: "Content-Type") == "video/mp4")
        #expect(try content == Self.body)
        #expect(try folder.files == ["file"])
        #expect(server.requests.first?.header("Accept-Encoding") == "identity")
    }

    @Test func `The timestamp of a file is the time of the service's clock`() async throws {
        let server = try FileServer(.init(body: Self.body, headers: ["ETag: \"1\""]))
        let service = TestClock(wallTime: 77).whileCurrent {
            Service(baseURL: server.url, networking: NetworkingKind.platform.networking)
        }
        let entity = try await service.resource("/").download(to: target).value.entityForTypedContentAccessors
        #expect(entity?.timestamp == 77)
    }

    @Test(arguments: NetworkingKind.allCases)
    func `Empty and chunked answers are files, too`(_ transport: NetworkingKind) async throws {
        let server = try LoopbackServer { exchange in
            switch exchange.request.target {
            case "/empty": try exchange.respond()
            default:
                try exchange.send(
                    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n3\r\ndef\r\n0\r\n\r\n")
            }
        }
        let service = Service(baseURL: server.url(), networking: transport.networking)
        for (path, text) in [("empty", ""), ("chunked", "abcdef")] {
            let info = await service.resource(path).download(to: target).completion()
            #expect(info.failure == nil, "\(path)")
            #expect(try content == Data(text.utf8), "\(path)")
            try FileManager.default.removeItem(at: target)
        }
        #expect(try folder.files == [])
    }

    @Test func `A download is decorated, repeated, and followed over redirects; it leaves the resource as it is`()
        async throws
    {
        let body = Self.body
        let server = try LoopbackServer { exchange in
            if exchange.request.target == "/from" { return try exchange.respond(302, headers: ["Location: /to"]) }
            try exchange.respond(body: body)
        }
        let service = Service(baseURL: server.url())
        var decorated = 0
        service.configure { configuration in
            configuration.headers["X-Token"] = "t"
            configuration.decorateRequests { _, request in
                decorated += 1
                return request
            }
        }
        let resource = service.resource("/from")
        let request = resource.download(to: target) { $0.setValue("bytes=5-", forHTTPHeaderField: "Range") }
        #expect(try await request.value.content(as: URL.self) == target)
        try FileManager.default.removeItem(at: target)
        _ = try await request.repeated().value
        #expect(try content == body)
        #expect(decorated == 1)
        #expect(resource.latestData == nil)
        #expect(resource.allRequests.isEmpty)
        #expect(server.requests.map(\.target) == ["/from", "/to", "/from", "/to"])
        #expect(server.requests.allSatisfy { $0.header("X-Token") == "t" && $0.header("Range") == nil })
    }

    // MARK: Refused responses

    @Test(arguments: NetworkingKind.allCases)
    func `An error of the server is one, with its body through the pipeline; what was there stays`(
        _ transport: NetworkingKind
    ) async throws {
        let server = try LoopbackServer { exchange in
            if exchange.request.target == "/moved" { return try exchange.respond(300, text: "choose") }
            try exchange.respond(404, headers: ["Content-Type: application/json"], text: #"{"why": "gone"}"#)
        }
        _ = try folder.file("file", Data("old".utf8))
        let service = Service(baseURL: server.url(), networking: transport.networking)
        let gone = try #require(await service.resource("/gone").download(to: target).completion().failure)
        #expect(gone.httpStatusCode == 404)
        #expect((gone.entity?.content as? [String: String])?["why"] == "gone")
        #expect(gone.requestURL == server.url("/gone"))
        let moved = try #require(await service.resource("/moved").download(to: target).completion().failure)
        #expect(moved.httpStatusCode == 300)
        #expect(try content == Data("old".utf8))
        #expect(try folder.files == ["file"])
    }

    @Test(arguments: [204, 205], NetworkingKind.allCases)
    func `A response without content is no file, and what was there stays`(_ status: Int, _ transport: NetworkingKind)
        async throws
    {
        let server = try LoopbackServer { exchange in
            try exchange.send("HTTP/1.1 \(status) Nothing\r\n" + (status == 205 ? "Content-Length: 0\r\n\r\n" : "\r\n"))
        }
        _ = try folder.file("file", Data("good".utf8))
        let error = await resource(server.url(), transport).download(to: target).completion().failure
        #expect(error?.code == .noFileContent)
        #expect(error?.httpStatusCode == status)
        #expect(error?.userMessage == "No data available")
        #expect(try content == Data("good".utf8))
        #expect(try folder.files == ["file"])
    }

    @Test func `A response without content leaves the part of an earlier download as it is`() async throws {
        let server = try FileServer(.init(body: Self.body, cut: 500_000))
        #expect(await download(server).failure != nil)
        server.change { content in
            content.cut = nil
            content.answersRange = { exchange, _ in
                try exchange.send("HTTP/1.1 204 No Content\r\nETag: \"1\"\r\n\r\n")
                return true
            }
        }
        #expect(await download(server).failure?.code == .noFileContent)
        server.change { $0.answersRange = nil }
        #expect(await download(server).failure == nil)
        #expect(try content == Self.body)
        #expect(server.ranges.last != .some(nil))
    }

    @Test func `A download that was changed to a HEAD is not sent, and what was there stays`() async throws {
        let server = try FileServer(.init(body: Self.body))
        _ = try folder.file("file", Data("good".utf8))
        let request = resource(server.url).download(to: target) { $0.httpMethod = "HEAD" }
        #expect(await request.completion().failure?.code == .noFileContent)
        #expect(try content == Data("good".utf8))
        #expect(server.requests.isEmpty)
    }

    @Test func `An error that the pipeline turns into a success is no file`() async throws {
        struct Rescue: ResponseTransformer {
            func process(_ response: Response) -> Response {
                guard case .failure = response else { return response }
                return .success(Entity<Any>(content: "nothing here", contentType: "text/plain"))
            }
        }
        let server = try LoopbackServer { try $0.respond(404) }
        _ = try folder.file("file", Data("old".utf8))
        let resource = resource(server.url())
        resource.service.configure { $0.pipeline[.cleanup].add(Rescue()) }
        let error = try #require(await resource.download(to: target).completion().failure)
        #expect(error.httpStatusCode == 404)
        #expect(try content == Data("old".utf8))
        #expect(try folder.files == ["file"])
    }

    @Test func `The body of an error is kept up to a megabyte`() async throws {
        let server = try LoopbackServer { try $0.respond(500, body: Data(count: 3 << 20)) }
        let error = await resource(server.url()).download(to: target).completion().failure
        #expect((error?.entity?.content as? Data)?.count == 1 << 20)
    }

    @Test func `A partial answer that nobody asked for is an error`() async throws {
        let server = try LoopbackServer { try $0.respond(206, headers: ["Content-Range: bytes 0-2/9"], text: "abc") }
        let error = await resource(server.url()).download(to: target).completion().failure
        #expect(error?.code == .unrequestedResponse)
        #expect(try folder.files == [])
    }

    @Test func `A network that does not stream refuses`() async throws {
        let resource = Service(baseURL: "https://api.test", networking: WholeNetwork()).resource("/thing")
        let error = await resource.download(to: target).completion().failure
        #expect(error?.code == .streamingUnsupported)
        #expect(try folder.files == [])
    }

    // MARK: Cancellation, and two downloads at once

    @Test func `A cancelled download leaves its part, and the next one waits for it and goes on`() async throws {
        let (sent, body) = (Gate(), Self.body)
        let server = try LoopbackServer { exchange in
            if let range = exchange.request.header("Range"), let offset = Int(range.dropFirst(6).dropLast()) {
                let headers = ["ETag: \"1\"", "Content-Range: bytes \(offset)-\(body.count - 1)/\(body.count)"]
                return try exchange.respond(206, headers: headers, body: body[offset...])
            }
            try exchange.send("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: \(body.count)\r\n\r\n")
            try exchange.send(body.prefix(900_000))
            sent.open()
            exchange.waitForDisconnect()
        }
        let resource = resource(server.url())
        resource.service.configure { $0.progressReportingInterval = 0.001 }
        let first = resource.download(to: target)
        await sent.wait()
        let part = folder.url.appendingPathComponent(".file.part")
        try await Poll.until { try !(Data(contentsOf: part).isEmpty) }
        first.cancel()
        let second = resource.download(to: target)
        #expect(await first.completion().failure?.cause is RequestError.Cause.RequestCancelled)
        #expect(await second.completion().failure == nil)
        #expect(try content == body)
        #expect(server.requests.last?.header("Range") != nil)
        #expect(try folder.files == ["file"])
    }

    @Test
    func `Downloads to one file take place one after another, and cancelled ones in between not at all`() async throws {
        let server = try FileServer(.init(body: Self.body))
        let resource = resource(server.url)
        let requests = (0..<5).map { _ in resource.download(to: target) }
        requests[2].cancel()
        for (index, request) in requests.enumerated() {
            #expect(await (request.completion().failure == nil) == (index != 2))
        }
        #expect(try content == Self.body)
        #expect(server.requests.count == 4)
        #expect(try folder.files == ["file"])
    }

    @Test func `Of hundreds of downloads that are cancelled at random, each leaves its target whole or as it was`()
        async throws
    {
        let server = try FileServer(.init(body: Self.other, headers: ["ETag: \"1\""]))
        let resource = resource(server.url)
        let names = (0..<8).map { "file\($0)" }
        for name in names { _ = try folder.file(name, Data("old".utf8)) }
        var random = SeededGenerator(seed: TestSeed.current)
        var (completed, wanted) = (0, Set<String>())
        for _ in 0..<TestLevel.count(25, nightly: 125) {
            let requests = names.map { name in
                resource.download(to: folder.url.appendingPathComponent(name), resuming: Bool.random(using: &random))
            }
            for request in requests where Int.random(in: 0..<8, using: &random) > 0 {
                let delay = Duration.microseconds(Int.random(in: 0..<20_000, using: &random))
                Moment.after(delay) { Task { @MainActor in request.cancel() } }
            }
            for (name, request) in zip(names, requests) {
                if await request.completion().failure == nil {
                    completed += 1
                    wanted.insert(name)
                }
                let content = try Data(contentsOf: folder.url.appendingPathComponent(name))
                #expect(content == Self.other || content == Data("old".utf8) && !wanted.contains(name), "\(name)")
            }
        }
        #expect(completed > 0)
        let left = Set(try folder.files).subtracting(names)
        #expect(left.count <= 2 * names.count, "\(left)")  // a part and its record, for resuming
    }

    // MARK: Files that cannot be written

    @Test
    func `A missing or read-only folder, and a folder of that name, are errors before anything is sent`() async throws {
        let server = try FileServer(.init(body: Self.body))
        let readOnly =
            geteuid() == 0 ? URL(fileURLWithPath: "/proc/self/fd/file") : folder.url.appendingPathComponent("f")
        if geteuid() != 0 {
            try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder.url.path)
        }
        let cases: [(URL, String, POSIXErrorCode?)] = [
            (folder.url.appendingPathComponent("missing/file"), "The folder for the file does not exist.", .ENOENT),
            (
                readOnly, geteuid() == 0 ? "" : "This app may not write to the folder of the file.",
                geteuid() == 0 ? nil : .EACCES
            ),
            (folder.url, "The file could not be written.", .EISDIR),
        ]
        for (file, message, code) in cases {
            let error = try #require(await resource(server.url).download(to: file).completion().failure)
            let cause = try #require(error.cause as? RequestError.Failure)
            #expect(cause.file == file)
            if let code {
                #expect((cause.underlyingError as? POSIXError)?.code == code)
                #expect(error.userMessage == message)
            }
            #expect(error.requestURL == server.url)
        }
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: [
        (POSIXErrorCode.ENOSPC, "There is no room left on the disk."),
        (.EDQUOT, "There is no room left on the disk."),
        (.EROFS, "This app may not write to the folder of the file."),
        (.ENOTDIR, "The folder for the file does not exist."), (.EIO, "The file could not be written."),
    ])
    func `Each kind of failure has its words`(_ code: POSIXErrorCode, _ words: String) {
        let cause = RequestError.Failure(.fileNotWritten, file: target, underlyingError: POSIXError(code))
        #expect(cause.localizedDescription == words)
        #expect(RequestError(response: nil, content: nil, cause: cause).userMessage == words)
    }

    /// A process can open few files. Many downloads may wait, for example for one of the connections.
    @Test func `A download keeps no file open while it waits for a response`() async throws {
        let (arrived, proceed) = (Gate(), Gate())
        let server = try LoopbackServer { exchange in
            arrived.open()
            try exchange.wait(for: proceed)
            try exchange.respond(text: "whole")
        }
        let request = resource(server.url()).download(to: target)
        await arrived.wait()
        let handle = try FileHandle(forUpdating: folder.url.appendingPathComponent(".file.part"))
        #expect(flock(handle.fileDescriptor, LOCK_EX | LOCK_NB) == 0)
        flock(handle.fileDescriptor, LOCK_UN)  // a child of another test may still have the descriptor
        try handle.close()
        proceed.open()
        #expect(await request.completion().failure == nil)
        #expect(try content == Data("whole".utf8))
    }

    @Test func `A refused download leaves no hidden file, although it has closed it in the meantime`() async throws {
        let server = try LoopbackServer { try $0.respond(404) }
        #expect(await resource(server.url()).download(to: target).completion().failure?.httpStatusCode == 404)
        #expect(try folder.files.isEmpty)
    }

    @Test func `A download whose folder was moved is an error, and not a file elsewhere`() async throws {
        let inner = folder.url.appendingPathComponent("inner")
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: false)
        let (proceed, file) = (Gate(), inner.appendingPathComponent("file"))
        let server = try LoopbackServer { exchange in
            try exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nha")
            try exchange.wait(for: proceed)
            try exchange.send("lf")
        }
        let request = resource(server.url()).download(to: file)
        let part = inner.appendingPathComponent(".file.part").path
        try await Poll.until { (try? FileManager.default.attributesOfItem(atPath: part)[.size] as? Int) == 2 }
        let moved = folder.url.appendingPathComponent("moved")
        try FileManager.default.moveItem(at: inner, to: moved)
        proceed.open()
        #expect(await request.completion().failure?.code == .fileNotWritten)
        #expect(!FileManager.default.fileExists(atPath: moved.path + "/file"))
    }

    // MARK: Progress

    @Test func `Progress follows the bytes, also where a part was there before`() async throws {
        let server = try FileServer(.init(body: Self.body, cut: 1_400_000))
        #expect(await download(server).failure != nil)
        let (halfSent, proceed) = (Gate(), Gate())
        server.change { content in
            content.cut = nil
            content.answersRange = { exchange, offset in
                let rest = Self.body[offset...]
                let range = "Content-Range: bytes \(offset)-\(Self.body.count - 1)/\(Self.body.count)"
                try exchange.send(
                    "HTTP/1.1 206 Partial\r\nETag: \"1\"\r\n\(range)\r\nContent-Length: \(rest.count)\r\n\r\n")
                try exchange.send(rest.prefix(10_000))
                halfSent.open()
                try exchange.wait(for: proceed)
                try exchange.send(rest.dropFirst(10_000))
                return true
            }
        }
        let resource = resource(server.url)
        resource.service.configure { $0.progressReportingInterval = 0.001 }
        var reported: [Double] = []
        let request = resource.download(to: target).onProgress { progress in
            reported.append(progress)
            if progress > 0.6 { proceed.open() }  // the missing part alone stays below
        }
        #expect(await request.completion().failure == nil)
        #expect(halfSent.isOpen)
        #expect(reported == reported.sorted())
        #expect(reported.last == 1)
    }

    @Test func `A repeated download that is cancelled while it is prepared keeps no service`() async throws {
        weak var kept: Service?
        var again: (any Request)?
        func repeatDownload() {
            let service = Service(baseURL: "https://api.test", networking: StubNetwork())
            kept = service
            let first = service.resource("/file").download(to: target) { _ in again?.cancel() }
            first.cancel()
            again = first.repeated()
            again?.start()
        }
        repeatDownload()
        #expect(again?.isCompleted == true)
        again = nil
        try await Poll.until { kept == nil }
    }

    #if os(Linux)
    @Test(.enabled(if: SystemTrace.isPossible, "strace is not installed"))
    func `A complete file is on the disk before it gets its name`() async throws {
        let server = try LoopbackServer { try $0.respond(text: "done") }
        let (url, path, trace) = (server.url().absoluteString, target.path, folder.url.path + "/trace")
        await #expect(processExitsWith: .success) {
            [url = url as String, path = path as String, trace = trace as String] in
            try SystemTrace.begin(trace, calls: "fsync,rename,renameat,renameat2")
            try await Task { @MainActor in
                let service = Service(baseURL: url, networking: NetworkingKind.platform.networking)
                _ = try await service.resource("/").download(to: URL(fileURLWithPath: path)).value
            }.value
            exit(0)
        }
        let calls = try await SystemTrace.lines(of: trace).filter { $0.contains(".file.part") && !$0.contains(".json") }
        let rename = try #require(calls.firstIndex { $0.contains("rename") })
        #expect(calls[..<rename].contains { $0.contains("fsync(") })
    }
    #endif

    @Test func `A redirected write by a download or a stream makes the URL that answered stale`() async throws {
        let server = try LoopbackServer { exchange in
            switch (exchange.request.method, exchange.request.target) {
            case ("POST", "/users"): try exchange.respond(308, headers: ["Location: /v2/users/"])
            case ("POST", _): try exchange.respond(text: "done")
            default: try exchange.respond(headers: ["Cache-Control: max-age=60"], text: "x")
            }
        }
        let service = Service(baseURL: server.url("/"), standardTransformers: [])
        service.configure { $0.freshness = .http }
        let written = service.resource("/v2/users/")
        await written.load().completion()
        _ = try await service.resource("/users").download(to: target) { $0.httpMethod = "POST" }.value
        #expect(written.isStale)
        await written.load().completion()
        for try await _ in service.resource("/users").bytes(.post) {}
        #expect(written.isStale)
    }
}
