import Foundation
import Isolation
import LoopbackServer
import SiestaCore
import SiestaRetrying
import SiestaTesting
import SiestaTransfers
import TestDoubles
import TestKit
import Testing
import Waiting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Downloads and streams whose connection is lost, with a policy for retries and a real server.
@MainActor @Suite(.timeLimit(.test))
struct RetriedTransferTests {
    private func service(_ url: URL) -> Service {
        let service = Service(baseURL: url)
        service.configure {
            $0.retry = .standard
            $0.retry.firstDelay = 0.1
        }
        return service
    }

    private let body = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })

    @Test func `A retry of a download requests only the missing bytes`() async throws {
        let folder = try TemporaryFolder()
        let server = try FileServer(.init(body: body, cut: 40_000))
        let file = folder.url.appendingPathComponent("file")
        let request = service(server.url).resource("/file").download(to: file)
        let info = await request.completion()
        #expect(info.failure == nil)
        #expect(info.metrics?.attempts == 3)
        #expect(try Data(contentsOf: file) == body)
        #expect(server.ranges == [nil, "bytes=40000-", "bytes=80000-"])
        #expect(try folder.files == ["file"])
    }

    @Test func `A network that does not stream sends no file that has changed since the first attempt`() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("file", body)
        let network = StubNetwork()
        network.handler = { _ in
            try? Data(count: 100).write(to: file)
            return .response(503)
        }
        let service = Service(baseURL: "https://api.test", networking: network)
        service.configure {
            $0.retry = .standard
            $0.retry.firstDelay = 0.1
        }
        let failure = await service.resource("/file").request(.put, body: .file(file)).completion().failure
        #expect(failure?.code == .unreadableBody)
        #expect((failure?.cause as? RequestError.Failure)?.file == file)
        #expect(network.requests.count == 1)
    }

    @Test func `Without a validator, a retry requests the whole file`() async throws {
        let folder = try TemporaryFolder()
        let server = try FileServer(.init(body: body, headers: [], cut: 40_000))
        let file = folder.url.appendingPathComponent("file")
        let request = service(server.url).resource("/file").download(to: file)
        try await Poll.until { server.ranges.count == 1 }
        server.change { $0.cut = nil }
        #expect(await request.completion().failure == nil)
        #expect(try Data(contentsOf: file) == body)
        #expect(server.ranges == [nil, nil])
    }

    @Test func `A retry of a download whose file has changed starts again`() async throws {
        let folder = try TemporaryFolder()
        let server = try FileServer(.init(body: body, cut: 40_000))
        let file = folder.url.appendingPathComponent("file")
        let request = service(server.url).resource("/file").download(to: file)
        try await Poll.until { server.ranges.count == 1 }
        let other = Data(body.reversed())
        server.change { content in
            (content.body, content.cut) = (other, nil)
            (content.headers, content.validator) = (["ETag: \"2\"", "Accept-Ranges: bytes"], "\"2\"")
        }
        #expect(await request.completion().failure == nil)
        #expect(try Data(contentsOf: file) == other)
    }

    @Test(arguments: [false, true])
    func `A stream is sent again before its first piece, and not after it`(_ isByLine: Bool) async throws {
        let count = Locked(0)
        let server = try LoopbackServer { exchange in
            let number = count.withLock { count in
                count += 1
                return count
            }
            guard number > 1 else { return try exchange.respond(503) }
            try exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nfirst\nsecond\n")
            exchange.close()
        }
        let resource = service(server.url()).resource("/x")
        var text = ""
        await #expect(throws: RequestError.self) {
            if isByLine {
                for try await line in resource.lines { text += line + "\n" }
            } else {
                for try await piece in resource.bytes { text += String(decoding: piece, as: UTF8.self) }
            }
        }
        #expect(text == "first\nsecond\n")
        #expect(server.requests.count == 2)
    }

    @Test func `A person's retry ends the wait of a stream`() async throws {
        let count = Locked(0)
        let server = try LoopbackServer { exchange in
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            if isFirst { return try exchange.respond(503) }
            try exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc")
        }
        let service = service(server.url())
        service.configure { ($0.retry.firstDelay, $0.retry.delayLimit) = (1_000, 1_000) }
        let resource = service.resource("/x")
        let text = Task {
            var text = Data()
            for try await piece in resource.bytes { text += piece }
            return text
        }
        try await Poll.until {
            resource.retryNow()
            return server.requests.count == 2
        }
        #expect(try await text.value == Data("abc".utf8))
    }

    @Test(arguments: ["all", "matching", "one"])
    func `A wipe with the caches ends a stream whose bytes arrive`(_ extent: String) async throws {
        let server = try LoopbackServer { exchange in
            try exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc")
            exchange.waitForDisconnect()
        }
        let service = service(server.url())
        let resource = service.resource("/x")
        let received = Locked(Data())
        let reading = Task {
            for try await piece in resource.bytes { received.withLock { $0 += piece } }
        }
        try await Poll.until { received.withLock { $0.count } == 3 }
        switch extent {
        case "all": service.wipeResources(includingCaches: true)
        case "matching": service.wipeResources(includingCaches: true) { $0 === resource }
        default: resource.wipe(includingCaches: true)
        }
        await #expect(throws: RequestError.self) { try await reading.value }
    }

    @Test func `A file that changes between two attempts is not sent`() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("body")
        try Data("first".utf8).write(to: file)
        let server = try LoopbackServer { exchange in
            try Data("other".utf8).write(to: file)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: file.path)
            try exchange.respond(503)
        }
        let info = await service(server.url()).resource("/x").request(.put, body: .file(file)).completion()
        #expect(info.failure?.code == .unreadableBody)
        #expect(!server.requests.contains { $0.body == Data("other".utf8) })
    }

    @Test func `A download with a body that can be sent only once is not sent again`() async throws {
        let folder = try TemporaryFolder()
        let network = StubNetwork()
        network.handler = { _ in .response(503) }
        let service = Service(baseURL: "https://api.test", networking: network)
        service.configure {
            $0.retry = .standard
            $0.retry.firstDelay = 0.1
        }
        let download = service.resource("/x").download(to: folder.url.appendingPathComponent("file")) {
            ($0.httpMethod, $0.httpBodyStream) = ("PUT", InputStream(data: Data("a".utf8)))
        }
        #expect(await download.completion().failure?.httpStatusCode == 503)
        #expect(network.requests.count == 1)
    }
}
