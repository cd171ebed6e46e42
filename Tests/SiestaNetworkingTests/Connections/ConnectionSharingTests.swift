import Foundation
import LoopbackServer
import SiestaCore
import SiestaSessions
import SiestaTesting
import SiestaTransfers
import TestDoubles
import TestKit
import Testing
import Waiting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The requests to one host that wait for each other, and those that do not.
@MainActor @Suite(.timeLimit(.test))
struct ConnectionSharingTests {
    /// More streams than there are connections to a host.
    private static let streams = 8

    /// A server that holds the end of `/stream…`, and the whole response to `/slow…`, until the gate is open.
    private func server(_ gate: Gate) throws -> LoopbackServer {
        try LoopbackServer { exchange in
            if exchange.request.target.hasPrefix("/stream") {
                try exchange.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\na\n\r\n")
                try exchange.wait(for: gate)
                return try exchange.send("0\r\n\r\n")
            }
            if exchange.request.target.hasPrefix("/slow") { try exchange.wait(for: gate) }
            try exchange.respond(text: "ok")
        }
    }

    private func body(of request: any SiestaCore.Request) async -> Data? {
        (try? await request.completion().response.get().content) as? Data
    }

    private func folder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    @Test(arguments: NetworkingKind.allCases, [false, true])
    func `Streams and downloads do not take the connections of loads`(_ transport: NetworkingKind, _ isDownload: Bool)
        async throws
    {
        let (gate, folder) = (Gate(), try folder())
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try server(gate)
        let service = Service(baseURL: server.url(), networking: transport.networking)
        let transfers = (0..<Self.streams).map { number in
            let resource = service.resource("/stream/\(number)")
            return Task {
                guard !isDownload else {
                    return _ = await resource.download(to: folder.appendingPathComponent("\(number)")).completion()
                }
                for try await line in resource.lines { #expect(line == "a") }
            }
        }
        try await Poll.until { server.requests.count { $0.target.hasPrefix("/stream") } >= 6 }
        #expect(await body(of: service.resource("/load").load()) == Data("ok".utf8))
        #expect(!gate.isOpen)
        gate.open()
        for transfer in transfers { try await transfer.value }
        #expect(server.requests.count == Self.streams + 1)
    }

    @Test(arguments: NetworkingKind.allCases)
    func `Loads do not take the connections of streams`(_ transport: NetworkingKind) async throws {
        let gate = Gate()
        let server = try server(gate)
        let service = Service(baseURL: server.url(), networking: transport.networking)
        let loads = (0..<Self.streams).map { service.resource("/slow/\($0)").load() }
        try await Poll.until { server.requests.count { $0.target.hasPrefix("/slow") } >= 6 }
        var iterator = service.resource("/stream").lines.makeAsyncIterator()
        #expect(try await iterator.next() == "a")
        gate.open()
        for load in loads { #expect(await body(of: load) == Data("ok".utf8)) }
    }

    @Test(arguments: NetworkingKind.allCases)
    func `A POST that logs in does not wait for loads`(_ transport: NetworkingKind) async throws {
        let gate = Gate()
        let server = try server(gate)
        let service = Service(baseURL: server.url(), networking: transport.networking)
        let loads = (0..<Self.streams).map { service.resource("/slow/\($0)").load() }
        try await Poll.until { server.requests.count >= 6 }
        let login = service.resource("/log-in").request(.post, text: "user=ada")
        #expect(await body(of: login) == Data("ok".utf8))
        #expect(!gate.isOpen)
        gate.open()
        for load in loads { #expect(await body(of: load) == Data("ok".utf8)) }
    }

    @Test(arguments: NetworkingKind.allCases)
    func `A request for a credential waits neither for loads nor for streams`(_ transport: NetworkingKind) async throws
    {
        let gate = Gate()
        let server = try server(gate)
        let service = Service(baseURL: server.url(), networking: transport.networking)
        let loads = (0..<Self.streams).map { service.resource("/slow/\($0)").load() }
        let streams = (0..<Self.streams).map { number in
            let resource = service.resource("/stream/\(number)")
            return Task { for try await _ in resource.lines {} }
        }
        try await Poll.until { server.requests.count >= 12 }
        let response = try await service.authenticationNetwork.send(URLRequest(url: server.url("/token")))
        #expect(response.status == 200)
        gate.open()
        for load in loads { #expect(await body(of: load) == Data("ok".utf8)) }
        for stream in streams { try await stream.value }
    }
}
