import Foundation
import LoopbackServer
import SiestaCore
import SiestaTesting
import SiestaTransfers
import TestDoubles
import TestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Responses that no transfer has asked for: parts of the content, and another protocol.
@MainActor @Suite(.timeLimit(.test))
struct UnrequestedTransferTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func resource(_ server: LoopbackServer, _ transport: NetworkingKind) -> Resource {
        Service(baseURL: server.url(), networking: transport.networking).resource("/")
    }

    private func server(_ status: Int, _ header: String) throws -> LoopbackServer {
        try LoopbackServer { try $0.respond(status, headers: [header], text: "abc") }
    }

    private nonisolated static let parts = [
        (206, "Content-Range: bytes 0-2/10"), (206, "X: y"), (200, "Content-Range: bytes 0-2/10"), (226, "IM: vcdiff"),
    ]

    @Test(arguments: NetworkingKind.allCases, parts)
    func `A stream fails if it receives a part that it did not ask for`(
        _ transport: NetworkingKind, _ part: (status: Int, header: String)
    ) async throws {
        let server = try server(part.status, part.header)
        let error = await #expect(throws: RequestError.self) {
            for try await _ in resource(server, transport).bytes { Issue.record("A piece of a part") }
        }
        #expect(error?.httpStatusCode == part.status)
        #expect(error?.code == .unrequestedResponse)
    }

    @Test(arguments: NetworkingKind.allCases)
    func `A stream fails at once if it receives a part that it did not ask for and that does not end`(
        _ transport: NetworkingKind
    ) async throws {
        let server = try LoopbackServer { exchange in
            try exchange.send("HTTP/1.1 206 Partial\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n")
            exchange.waitForDisconnect()
        }
        let error = await #expect(throws: RequestError.self) {
            for try await _ in resource(server, transport).bytes { Issue.record("A piece of a part") }
        }
        #expect(error?.httpStatusCode == 206)
        #expect(error?.code == .unrequestedResponse)
    }

    @Test(arguments: NetworkingKind.allCases, [200, 206])
    func `A stream that asks for a part receives it`(_ transport: NetworkingKind, _ status: Int) async throws {
        let server = try server(status, "Content-Range: bytes 0-2/10")
        let bytes = resource(server, transport).bytes { $0.setValue("bytes=0-2", forHTTPHeaderField: "Range") }
        var received = Data()
        for try await piece in bytes { received += piece }
        #expect(received == Data("abc".utf8))
    }

    @Test(arguments: NetworkingKind.allCases, parts)
    func `A download fails if it receives a part that it did not ask for`(
        _ transport: NetworkingKind, _ part: (status: Int, header: String)
    ) async throws {
        let server = try server(part.status, part.header)
        let target = try folder.file("file", Data("old".utf8))
        let info = await resource(server, transport).download(to: target).completion()
        #expect(info.failure?.httpStatusCode == part.status)
        #expect(info.failure?.code == .unrequestedResponse)
        #expect(try Data(contentsOf: target) == Data("old".utf8))
    }

    // MARK: Another protocol

    /// A server that switches to another protocol, and waits for the client to speak first.
    private func switchingServer() throws -> LoopbackServer {
        try LoopbackServer { exchange in
            try exchange.send("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: chat\r\n\r\n")
            exchange.waitForDisconnect()
        }
    }

    @Test(arguments: NetworkingKind.allCases)
    func `A request fails at once if the server switches to a protocol that it did not ask for`(
        _ transport: NetworkingKind
    ) async throws {
        let server = try switchingServer()
        let resource = resource(server, transport)
        for request in [resource.load(), resource.request(.get), resource.request(.post, json: ["a": 1])] {
            let info = await request.completion()
            #expect(info.failure?.httpStatusCode == 101)
            #expect(info.failure?.code == .unrequestedResponse)
        }
    }

    @Test(arguments: NetworkingKind.allCases)
    func `A transfer fails at once if the server switches to a protocol that it did not ask for`(
        _ transport: NetworkingKind
    ) async throws {
        let server = try switchingServer()
        let error = await #expect(throws: RequestError.self) {
            for try await _ in resource(server, transport).bytes { Issue.record("A piece of another protocol") }
        }
        #expect(error?.httpStatusCode == 101)
        #expect(error?.code == .unrequestedResponse)
        let target = folder.url.appendingPathComponent("file")
        let info = await resource(server, transport).download(to: target).completion()
        #expect(info.failure?.httpStatusCode == 101)
        #expect(info.failure?.code == .unrequestedResponse)
    }
}
