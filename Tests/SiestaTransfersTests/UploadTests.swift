import Foundation
import Isolation
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

/// Uploads of forms, files and sequences, to a server on the loopback interface.
@MainActor @Suite(.timeLimit(.test))
struct UploadTests {
    private let folder: TemporaryFolder
    private static let large = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })

    init() throws {
        folder = try TemporaryFolder()
    }

    private func service(_ server: LoopbackServer, _ transport: NetworkingKind = .platform) -> Service {
        Service(baseURL: server.url(), networking: transport.networking)
    }

    // MARK: Forms

    @Test(arguments: NetworkingKind.allCases)
    func `A form arrives whole, with its length and its type`(_ transport: NetworkingKind) async throws {
        let server = try LoopbackServer { try $0.respond(headers: ["Content-Type: text/plain"], text: "thanks") }
        let file = try folder.file("photo.jpg", Self.large)
        var form = MultipartForm()
        form.append("Holiday", name: "title")
        form.append(file: file, name: "photo", contentType: "image/jpeg")
        let info = await service(server, transport).resource("/album").request(.post, body: .multipart(form))
            .completion()
        #expect(info.text == "thanks")
        let request = try #require(server.requests.first)
        #expect(request.method == "POST")
        #expect(request.header("Content-Type") == form.contentType)
        #expect(request.body.range(of: Self.large) != nil)
        #expect(request.body.starts(with: Data("------SiestaFormBoundary".utf8)))
        if case .platform = transport {
            #expect(request.header("Content-Length") == "\(request.body.count)")
        }
    }

    @Test func `On a network that does not stream, a small form is the request's body`() async throws {
        let stub = StubbedResource()
        stub.network.answer(.post, "/thing", with: .text("thanks"))
        var form = MultipartForm()
        form.append("Holiday", name: "title")
        let info = await stub.resource.request(.post, body: .multipart(form)).completion()
        #expect(info.text == "thanks")
        let body = try #require(try stub.lastRequest.httpBody)
        #expect(String(decoding: body, as: UTF8.self).contains("name=\"title\"\r\n\r\nHoliday\r\n--"))
    }

    @Test func `What cannot be sent or read fails, and nothing is sent`() async throws {
        let stub = StubbedResource()
        var form = MultipartForm()
        form.append("text", name: "part", headers: ["X": "a\r\nb"])
        let invalid = await stub.resource.request(.post, body: .multipart(form)).completion().failure
        #expect(invalid?.code == .unencodableBody)
        #expect(invalid?.userMessage == "Cannot send request")
        let missing = folder.url.appendingPathComponent("missing")
        let unreadable = await stub.resource.request(.put, body: .file(missing)).completion().failure
        #expect((unreadable?.cause as? RequestError.Failure)?.file == missing)
        #expect(unreadable?.userMessage == "The data of the request could not be read.")
        #expect(unreadable?.requestMethod == "PUT")
        #expect(stub.network.requests.isEmpty)
    }

    // MARK: Files

    @Test(arguments: NetworkingKind.allCases)
    func `A file arrives whole`(_ transport: NetworkingKind) async throws {
        let server = try LoopbackServer { try $0.respond(201) }
        let service = service(server, transport)
        for (name, content) in [("large", Self.large), ("empty", Data())] {
            let file = try folder.file(name, content)
            let request = service.resource(name).request(.put, body: .file(file, contentType: "video/mp4"))
            #expect(await request.completion().failure == nil)
            #expect(server.requests.last?.body == content)
            #expect(server.requests.last?.header("Content-Type") == "video/mp4")
        }
    }

    @Test func `An upload is a request as any other: configured, decorated, awaited, repeated, chained`() async throws {
        let server = try LoopbackServer { exchange in
            try exchange.respond(
                headers: ["Content-Type: application/json"], text: #"{"size": \#(exchange.request.body.count)}"#)
        }
        let service = service(server)
        var decorated = 0
        service.configure { configuration in
            configuration.headers["X-Token"] = "t"
            configuration.decorateRequests { _, request in
                decorated += 1
                return request
            }
        }
        let file = try folder.file("file", Self.large)
        let resource = service.resource("/files")
        let request = resource.request(.post, body: .file(file)) { $0.setValue("yes", forHTTPHeaderField: "X-Mine") }
        #expect(resource.allRequests.count == 1)
        let entity = try await request.value
        #expect((entity.content as? [String: Any])?["size"] as? Int == Self.large.count)
        try Data("short".utf8).write(to: file)
        let chained = request.repeated().chained { _ in .useThisResponse }
        #expect((try await chained.start().value.content as? [String: Any])?["size"] as? Int == 5)
        #expect(decorated == 1)
        #expect(server.requests.allSatisfy { $0.header("X-Token") == "t" && $0.header("X-Mine") == "yes" })
    }

    @Test(arguments: NetworkingKind.allCases)
    func `A redirect that wants the body again gets it`(_ transport: NetworkingKind) async throws {
        let server = try LoopbackServer { exchange in
            if exchange.request.target == "/from" { return try exchange.respond(307, headers: ["Location: /to"]) }
            try exchange.respond()
        }
        let file = try folder.file("file", Self.large)
        let info = await service(server, transport).resource("/from").request(.put, body: .file(file)).completion()
        if case .platform = transport {
            #expect(info.failure == nil)
            #expect(server.requests.map(\.target) == ["/from", "/to"])
            #expect(server.requests.last?.body == Self.large)
        }
    }

    @Test func `Progress follows the bytes, and cancelling ends the transfer`() async throws {
        let (halfRead, gone) = (Gate(), Gate())
        let server = try LoopbackServer.serving { connection in
            _ = connection.head()
            var count = 0
            while count < 16 << 20 {
                let piece = connection.receive()
                if piece.isEmpty { break }
                count += piece.count
            }
            halfRead.open()
            connection.waitForDisconnect()
            gone.open()
        }
        let service = service(server)
        service.configure { $0.progressReportingInterval = 0.001 }
        let file = try folder.file("file", Data(count: 32 << 20))
        var reported: [Double] = []
        let request = service.resource("/file").request(.put, body: .file(file)).onProgress { reported.append($0) }
        await halfRead.wait()
        request.cancel()
        let failure = await request.completion().failure
        #expect(failure?.cause is RequestError.Cause.RequestCancelled)
        await gone.wait()
        #expect(reported == reported.sorted())
    }

    // MARK: Sequences

    @Test func `A sequence is sent with its length if that is known, else in chunks`() async throws {
        let server = try LoopbackServer { try $0.respond() }
        let service = service(server)
        for length in [Int64(Self.large.count), nil] {
            let pieces = AsyncStream { continuation in
                for start in stride(from: 0, to: Self.large.count, by: 70_000) {
                    continuation.yield(Self.large[start..<min(start + 70_000, Self.large.count)])
                }
                continuation.finish()
            }
            let request = service.resource("/log").request(.put, body: .stream(pieces, length: length))
            #expect(await request.completion().failure == nil)
            #expect(server.requests.last?.body == Self.large)
            #expect(server.requests.last?.header("Content-Length") == length.map { "\($0)" })
            #expect(server.requests.last?.header("Transfer-Encoding") == (length == nil ? "chunked" : nil))
            let again = await request.repeated().start().completion().failure
            #expect(again?.code == .unrepeatableBody)
        }
    }

    @Test(arguments: [301, 302, 307, 308])
    func `A redirect that wants a sequence again is an error that says so`(_ status: Int) async throws {
        let server = try LoopbackServer { try $0.respond(status, headers: ["Location: /to"]) }
        let pieces = AsyncStream { continuation in
            continuation.yield(Data(count: 10))
            continuation.finish()
        }
        let failure = await service(server).resource("/from").request(.put, body: .stream(pieces)).completion().failure
        #expect(failure?.code == .unrepeatableBody)
        #expect(failure?.httpStatusCode == status)
        #expect(server.requests.map(\.target) == ["/from"])
    }

    @Test func `A redirect that wants no body is followed`() async throws {
        let server = try LoopbackServer { exchange in
            if exchange.request.target == "/from" { return try exchange.respond(303, headers: ["Location: /to"]) }
            try exchange.respond(headers: ["Content-Type: text/plain"], text: exchange.request.method)
        }
        let pieces = AsyncStream { continuation in
            continuation.yield(Data(count: 10))
            continuation.finish()
        }
        let info = await service(server).resource("/from").request(.post, body: .stream(pieces)).completion()
        #expect(info.text == "GET")
    }

    @Test func `A sequence is asked for no more than the network takes`() async throws {
        let (go, started) = (Gate(), Gate())
        let server = try LoopbackServer.serving { connection in
            guard var request = connection.head() else { return }
            started.open()
            try connection.wait(for: go)
            _ = try connection.readBody(of: &request)
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        }
        let counter = PieceCounter(total: 400)
        let request = service(server).resource("/log").request(.put, body: .stream(counter, length: 400 * 100_000))
        await started.wait()
        #expect(try await Poll.untilUnchanged { counter.count } < 200)
        go.open()
        #expect(await request.completion().failure == nil)
        #expect(counter.count == 400)
    }

    @Test
    func `A sequence that fails, or is of another length than announced, is an error that says so`() async throws {
        struct Failure: Error {}
        let server = try LoopbackServer { try $0.respond() }
        let service = service(server)
        let failing = AsyncThrowingStream<Data, any Error> { continuation in
            continuation.yield(Data(count: 10))
            continuation.finish(throwing: Failure())
        }
        let failed = await service.resource("/a").request(.put, body: .stream(failing)).completion().failure
        #expect((failed?.cause as? RequestError.Failure)?.underlyingError is Failure)
        for length in [Int64(5), 15] {
            let pieces = AsyncStream { continuation in
                continuation.yield(Data(count: 10))
                continuation.finish()
            }
            let wrong = await service.resource("/b").request(.put, body: .stream(pieces, length: length)).completion()
                .failure
            #expect(wrong?.code == .unreadableBody)
        }
    }

    /// The sizes of a sequence's pieces, and the announced number of bytes.
    struct Announcement: Sendable, CustomTestStringConvertible {
        let pieces: [Int]
        let length: Int64
        var testDescription: String { "\(pieces) announced as \(length)" }
    }

    @Test(arguments: [
        Announcement(pieces: [50_000], length: 0), Announcement(pieces: [0, 1], length: 0),
        Announcement(pieces: [10], length: 9), Announcement(pieces: [10, 1], length: 10),
        Announcement(pieces: [10, 0, 1], length: 10), Announcement(pieces: [], length: 1),
        Announcement(pieces: [10], length: 11), Announcement(pieces: [300_000, 300_000], length: 300_000),
    ])
    func `A sequence has the length that was announced, or the upload fails: also nothing, and no piece too many`(
        _ announcement: Announcement
    ) async throws {
        let server = try LoopbackServer { try $0.respond() }
        let pieces = AsyncStream { continuation in
            for count in announcement.pieces { continuation.yield(Data(count: count)) }
            continuation.finish()
        }
        let request = service(server).resource("/log").request(.put, body: .stream(pieces, length: announcement.length))
        #expect(await request.completion().failure?.code == .unreadableBody)
        if announcement.length == 0 { #expect(server.connectionCount == 0) }
    }

    @Test(arguments: [[], [0], [0, 0]] as [[Int]])
    func `An empty sequence that is announced as empty is sent, with a length of 0`(_ sizes: [Int]) async throws {
        let server = try LoopbackServer { try $0.respond(headers: ["Content-Type: text/plain"], text: "thanks") }
        let pieces = AsyncStream { continuation in
            for count in sizes { continuation.yield(Data(count: count)) }
            continuation.finish()
        }
        let info = await service(server).resource("/log").request(.put, body: .stream(pieces, length: 0)).completion()
        #expect(info.text == "thanks")
        #expect(server.requests.map { $0.header("Content-Length") } == ["0"])
    }

    @Test func `A sequence that is announced as empty and fails, or is cancelled, is not sent`() async throws {
        struct Failure: Error {}
        let server = try LoopbackServer { try $0.respond() }
        let failing = AsyncThrowingStream<Data, any Error> { $0.finish(throwing: Failure()) }
        let failed = await service(server).resource("/a").request(.put, body: .stream(failing, length: 0)).completion()
            .failure
        #expect((failed?.cause as? RequestError.Failure)?.underlyingError is Failure)
        let (endless, continuation) = AsyncStream.makeStream(of: Data.self)
        let request = service(server).resource("/b").request(.put, body: .stream(endless, length: 0))
        request.cancel()
        #expect(await request.completion().failure?.cause is RequestError.Cause.RequestCancelled)
        continuation.finish()
        #expect(server.connectionCount == 0)
    }

    @Test func `A network that does not stream refuses a sequence`() async {
        let stub = StubbedResource()
        let failure = await stub.resource.request(.put, body: .stream(AsyncStream<Data> { $0.finish() })).completion()
            .failure
        #expect(failure?.code == .streamingUnsupported)
        #expect(stub.network.requests.isEmpty)
    }

    @Test func `A large form that is cancelled during its start is cancelled on the network`() async throws {
        let provider = ReactingNetwork()
        provider.network.answer(.post, "/album", with: .held)
        var form = MultipartForm()
        form.append(String(repeating: "x", count: 2 << 20), name: "title")
        let service = Service(baseURL: "https://api.test", networking: provider)
        let request = service.resource("/album").request(.post, body: .multipart(form))
        provider.react = { request.cancel() }
        try await Poll.until { !provider.network.exchanges.isEmpty }
        #expect(provider.network.exchanges[0].isCancelled)
    }
}

/// A sequence of pieces of 100 000 bytes, which counts the requested pieces.
private final class PieceCounter: AsyncSequence, Sendable {
    private let given = Locked(0)
    private let total: Int

    var count: Int { given.withLock { $0 } }

    init(total: Int) {
        self.total = total
    }

    func makeAsyncIterator() -> Iterator { Iterator(counter: self) }

    private func next() -> Data? {
        given.withLock { given in
            guard given < total else { return nil }
            given += 1
            return Data(count: 100_000)
        }
    }

    struct Iterator: AsyncIteratorProtocol {
        let counter: PieceCounter

        func next() async -> Data? { counter.next() }
    }
}

/// A network that cannot stream, and that runs code of the app before it starts a request.
@MainActor private final class ReactingNetwork: nonisolated NetworkingProvider {
    let network = StubNetwork()
    var react: () -> Void = {}

    func startRequest(
        _ request: URLRequest, completion: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking {
        react()
        return network.startRequest(request, completion: completion)
    }
}
