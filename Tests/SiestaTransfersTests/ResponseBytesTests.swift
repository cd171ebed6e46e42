import Foundation
import LoopbackServer
import SiestaCore
import SiestaTesting
import SiestaTransfers
import Synchronization
import TestDoubles
import TestKit
import Testing
import Waiting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Responses that are read while they arrive.
@MainActor @Suite(.timeLimit(.test))
struct ResponseBytesTests {
    private static let body = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })

    private func resource(_ server: LoopbackServer, _ transport: NetworkingKind = .platform) -> Resource {
        Service(baseURL: server.url(), networking: transport.networking).resource("/")
    }

    @Test(arguments: NetworkingKind.allCases)
    func `The pieces together are the body; each iteration sends a request`(_ transport: NetworkingKind) async throws {
        let body = Self.body
        let server = try LoopbackServer { try $0.respond(body: body) }
        let bytes = resource(server, transport).bytes
        for _ in 0..<2 {
            var received = Data()
            for try await piece in bytes {
                #expect(!piece.isEmpty)
                received += piece
            }
            #expect(received == body)
        }
        #expect(server.requests.count == 2)
    }

    @Test func `Nothing is sent before the first piece is asked for, and after the end comes nil`() async throws {
        let server = try LoopbackServer { try $0.respond(text: "x") }
        var iterator = resource(server).bytes.makeAsyncIterator()
        #expect(server.connectionCount == 0)
        #expect(try await iterator.next() == Data("x".utf8))
        #expect(try await iterator.next() == nil)
        #expect(try await iterator.next() == nil)
    }

    private final class Token: Sendable {}

    @Test(arguments: [true, false])
    func `Nothing of an iteration is left after its end`(readsAll: Bool) async throws {
        let server = try LoopbackServer { try $0.respond(text: "x") }
        let resource = resource(server)
        weak var kept: Token?
        func read() async throws {
            let token = Token()
            kept = token
            for try await _ in resource.bytes(requestMutation: { _ in extendLifetime(token) }) where !readsAll { break }
        }
        try await read()
        try await Poll.until { kept == nil }
        #expect(kept == nil)
    }

    @Test(arguments: NetworkingKind.allCases)
    func `A piece is there before the next is sent`(_ transport: NetworkingKind) async throws {
        let proceed = Gate()
        let server = try LoopbackServer { exchange in
            try exchange.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n")
            try exchange.wait(for: proceed)
            try exchange.send("1\r\nb\r\n0\r\n\r\n")
        }
        var received: [Data] = []
        for try await piece in resource(server, transport).bytes {
            received.append(piece)
            proceed.open()
        }
        #expect(received == [Data("a".utf8), Data("b".utf8)])
    }

    @Test
    func `Headers are as configured, then as the caller wants; decorators and state have no part in it`() async throws {
        let server = try LoopbackServer { try $0.respond(text: "x") }
        let service = Service(baseURL: server.url())
        service.configure { configuration in
            configuration.headers["X-Token"] = "t"
            configuration.decorateRequests { _, _ in
                Resource.failedRequest(returning: RequestError(userMessage: "no", cause: URLError(.unknown)))
            }
        }
        let resource = service.resource("/feed")
        let bytes = resource.bytes(.post) { request in
            request.setValue("text/event-stream", forHTTPHeaderField: "Accept")
            request.httpBody = Data("question".utf8)
        }
        for try await _ in bytes {}
        let request = try #require(server.requests.first)
        #expect([request.method, request.target] == ["POST", "/feed"] as [String])
        #expect([request.header("X-Token"), request.header("Accept")] == ["t", "text/event-stream"] as [String?])
        #expect(request.body == Data("question".utf8))
        #expect(resource.latestData == nil)
        #expect(!resource.isRequesting)
    }

    @Test(arguments: NetworkingKind.allCases)
    func `A status of 400 or more is thrown in place of the first piece, with its body through the pipeline`(
        _ transport: NetworkingKind
    ) async throws {
        let server = try LoopbackServer {
            try $0.respond(403, headers: ["Content-Type: application/json"], text: #"{"why": "no"}"#)
        }
        let error = await #expect(throws: RequestError.self) {
            for try await _ in resource(server, transport).bytes { Issue.record("a piece") }
        }
        #expect(error?.httpStatusCode == 403)
        #expect((error?.entity?.content as? [String: String])?["why"] == "no")
        #expect(error?.requestURL == server.url())
        #expect(error?.requestMethod == "GET")
    }

    @Test(arguments: [nil, "gzip"])
    func `Of a long body of an error the first MB is there, however it is encoded`(_ coding: String?) async throws {
        let server = try LoopbackServer {
            let body = coding == nil ? Data(count: 3 << 20) : try Self.zeros(megabytes: 3)
            try $0.respond(500, headers: coding.map { ["Content-Encoding: \($0)"] } ?? [], body: body)
        }
        let error = await #expect(throws: RequestError.self) {
            for try await _ in resource(server).bytes { Issue.record("a piece") }
        }
        #expect(error?.httpStatusCode == 500)
        #expect(error?.entity?.content as? Data == Data(count: 1 << 20))
    }

    /// Returns zeros, encoded with gzip.
    nonisolated private static func zeros(megabytes: Int) throws -> Data {
        let text = "H4sIAAAAAAACA+3BAQEAAACAkP6v7ggK" + String(repeating: "A", count: 84) + "auuOl9cAAAEA"
        let piece = try #require(Data(base64Encoded: text))  // 64 KB
        return Data(repeatElement(piece, count: megabytes * 16).joined())
    }

    @Test func `An encoded body comes in pieces of the usual size`() async throws {
        let server = try LoopbackServer {
            try $0.respond(headers: ["Content-Encoding: gzip"], body: try Self.zeros(megabytes: 89))
        }
        var (received, largest) = (0, 0)
        for try await piece in resource(server).bytes {
            received += piece.count
            largest = max(largest, piece.count)
        }
        #expect(received == 89 << 20)
        #expect(largest <= 4 << 20)
    }

    @Test(arguments: NetworkingKind.allCases)
    func `A response that breaks off throws after what came`(_ transport: NetworkingKind) async throws {
        let server = try LoopbackServer { exchange in
            try exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc")
            exchange.close()
        }
        var iterator = resource(server, transport).bytes.makeAsyncIterator()
        var received = Data()
        let error = await #expect(throws: RequestError.self) {
            while let piece = try await iterator.next() { received += piece }
        }
        #expect((error?.cause as? URLError)?.code == .networkConnectionLost)
        #expect(Data("abc".utf8).starts(with: received))
        #expect(try await iterator.next() == nil)
    }

    @Test func `No server, an invalid URL and a network that does not stream are thrown, too`() async throws {
        func error(_ resource: Resource) async -> RequestError? {
            await #expect(throws: RequestError.self) { for try await _ in resource.bytes {} }
        }
        let server = try LoopbackServer { try $0.respond() }
        let gone = resource(server)
        server.stop()
        #expect((await error(gone)?.cause as? URLError)?.code == .cannotConnectToHost)
        #expect(
            await error(gone.service.resource(absoluteURL: "http://[")).map {
                $0.cause is RequestError.Cause.InvalidURL
            } == true)
        #expect(
            await error(Service(baseURL: "https://api.test", networking: WholeNetwork()).resource("/x"))?.code
                == .streamingUnsupported)
    }

    @Test(arguments: NetworkingKind.allCases)
    func `Leaving the loop ends the transfer`(_ transport: NetworkingKind) async throws {
        let gone = Gate()
        let server = try LoopbackServer { exchange in
            try exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\nabc")
            exchange.waitForDisconnect()
            gone.open()
        }
        for try await _ in resource(server, transport).bytes { break }
        await gone.wait()
    }

    @Test(
        arguments: 0..<3,
        NetworkingKind.allCases)
    func `Cancelling the task ends wait and transfer, also before the head and while a piece waits`(
        _ moment: Int, _ transport: NetworkingKind
    ) async throws {
        let (reached, gone) = (Gate(), Gate())
        let server = try LoopbackServer { exchange in
            if moment > 0 { try exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\nabc") }
            if moment == 0 { reached.open() }
            exchange.waitForDisconnect()
            gone.open()
        }
        let bytes = resource(server, transport).bytes
        let task = Task {
            var count = 0
            for try await _ in bytes {
                count += 1
                reached.open()
                if moment == 2 { try? await Cancellation.wait() }
            }
            return count
        }
        await reached.wait()
        task.cancel()
        let error = await #expect(throws: RequestError.self) { try await task.value }
        #expect(error?.cause is RequestError.Cause.RequestCancelled)
        await gone.wait()
    }

    @Test func `A slow consumer holds the server back`() async throws {
        let sent = Atomic(0)
        let server = try LoopbackServer { exchange in
            try exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n")
            for _ in 0..<1000 {
                try exchange.send(Data(count: 100_000))
                sent.add(100_000, ordering: .relaxed)
            }
        }
        var (received, largest, mostAhead) = (0, 0, 0)
        for try await piece in resource(server).bytes {
            if received == 0 { _ = try await Poll.untilUnchanged { sent.load(ordering: .relaxed) } }
            mostAhead = max(mostAhead, sent.load(ordering: .relaxed) - received)
            received += piece.count
            largest = max(largest, piece.count)
        }
        #expect(received == 100_000_000)
        #expect(mostAhead < 24 << 20)  // including the system's buffers
        #expect(largest <= 2 << 20)
    }

    #if os(Linux)
    @Test func `Where the server cannot be held back, a consumer that is far behind is an error`() async throws {
        let sent = Gate()
        let server = try LoopbackServer { exchange in
            try exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 200000000\r\n\r\n")
            defer { sent.open() }
            for _ in 0..<200 { try exchange.send(Data(count: 1_000_000)) }
        }
        var received = 0
        let error = await #expect(throws: RequestError.self) {
            for try await piece in resource(server, .session).bytes {
                received += piece.count
                await sent.wait()
            }
        }
        #expect((error?.cause as? URLError)?.code == .dataLengthExceedsMaximum)
        #expect(received < 1_000_000)
    }
    #endif

    @Test func `Iterations on other actors, and many at once, get what is theirs`() async throws {
        let server = try LoopbackServer { exchange in
            try exchange.respond(text: String(repeating: exchange.request.target, count: 20_000))
        }
        let service = Service(baseURL: server.url())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<50 {
                let resource = service.resource("/\(number)")
                group.addTask { @concurrent in
                    var received = Data()
                    for try await piece in resource.bytes {
                        received += piece
                        if number.isMultiple(of: 5) { return }
                    }
                    #expect(received == Data(String(repeating: "/\(number)", count: 20_000).utf8))
                }
            }
            try await group.waitForAll()
        }
    }

    // MARK: Lines

    @Test func `Lines come as they are sent, one by one`() async throws {
        let proceed = Gate()
        let server = try LoopbackServer { exchange in
            try exchange.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\none\r\ntwo\r\r\n")
            try exchange.wait(for: proceed)
            try exchange.send("c\r\n\nthree\n\nrest\r\n0\r\n\r\n")
        }
        var lines: [String] = []
        for try await line in resource(server).lines {
            lines.append(line)
            proceed.open()
        }
        #expect(lines == ["one", "two", "three", "", "rest"])
    }

    @Test func `After a lost connection comes nil, and not the beginning of a line`() async throws {
        let server = try LoopbackServer { exchange in
            try exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n1\n2")
            exchange.close()
        }
        let resource = Service(baseURL: server.url()).resource("/")
        var iterator = resource.bytes().lines.makeAsyncIterator()
        await #expect(throws: RequestError.self) { while try await iterator.next(isolation: #isolation) != nil {} }
        #expect(try await iterator.next(isolation: #isolation) == nil)
    }

    @Test func `A line over the limit ends the transfer with an error`() async throws {
        let gone = Gate()
        let server = try LoopbackServer { exchange in
            try exchange.send(
                "HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\nshort\n" + String(repeating: "x", count: 200))
            exchange.waitForDisconnect()
            gone.open()
        }
        var iterator = resource(server).bytes.lines(limit: 100).makeAsyncIterator()
        #expect(try await iterator.next() == "short")
        do {
            _ = try await iterator.next()
            Issue.record("the line is too long")
        } catch {
            #expect((error as? RequestError)?.code == .contentTooLong)
            #expect("\(error)".contains("100 bytes"))
        }
        #expect(try await iterator.next() == nil)
        await gone.wait()
    }

    @MainActor @Test func `A loop over very many lines lets other work on the main actor run`() async throws {
        let turns = try await StubbedResource().turns(
            during: { $0.lines }, count: 10_000, sending: String(repeating: "\n", count: 10_000))
        #expect(turns >= 5)
    }

    @Test func `A task that is cancelled while its request is prepared sends nothing`() async {
        let stub = StubbedResource()
        let bytes = stub.resource.bytes(.post) { _ in withUnsafeCurrentTask { $0?.cancel() } }
        _ = await Task { for try await _ in bytes {} }.result
        #expect(stub.network.requests.isEmpty)
    }
}
